// When a delayed step continues, by the names that catalogue/workflows.yaml uses. All times are UTC.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** From the instant when the workflow is triggered to the instant when the step continues (milliseconds). */
export const SCHEDULES = {
  inHalfAnHour: (from) => from + HOUR / 2,
  inAnHour: (from) => from + HOUR,
  inFourHours: (from) => from + 4 * HOUR,
  nextMonday: (from) => toNextDay(from, 9, (day) => day.getUTCDay() === 1),
  halfMonth: (from) => toNextDay(from, 0, (day) => day.getUTCDate() === 1 || day.getUTCDate() === 15),
  lastFriday: (from) => toNextDay(from, 14, (day) => day.getUTCDay() === 5 && isLastWeek(day)),
} satisfies Record<string, (from: number) => number>;

/** `hour` of the next day that `isDay` accepts. */
function toNextDay(from: number, hour: number, isDay: (day: Date) => boolean): number {
  let instant = Math.floor(from / DAY) * DAY + hour * HOUR;
  while (instant <= from || !isDay(new Date(instant))) instant += DAY;
  return instant;
}

function isLastWeek(day: Date): boolean {
  return new Date(day.getTime() + 7 * DAY).getUTCMonth() !== day.getUTCMonth();
}
