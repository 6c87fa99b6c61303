// When a delayed step continues: after a duration, or on the next day of some kind (UTC).

const DAY = 86_400_000;

/** Continues after `milliseconds`. */
export function delayBy(milliseconds: number): (from: number) => number {
  return (from) => from + milliseconds;
}

/** Continues at `hour` of the next day that `isDay` accepts. */
export function nextDayAt(hour: number, isDay: (day: Date) => boolean): (from: number) => number {
  return (from) => {
    let instant = Math.floor(from / DAY) * DAY + hour * 3_600_000;
    while (instant <= from || !isDay(new Date(instant))) instant += DAY;
    return instant;
  };
}

export function isMonday(day: Date): boolean {
  return day.getUTCDay() === 1;
}

/** The 1st and the 15th. */
export function isHalfMonth(day: Date): boolean {
  return day.getUTCDate() === 1 || day.getUTCDate() === 15;
}

export function isLastFriday(day: Date): boolean {
  return day.getUTCDay() === 5 && new Date(day.getTime() + 7 * DAY).getUTCMonth() !== day.getUTCMonth();
}
