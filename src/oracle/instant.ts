// Instants of RFC 3339, compared exactly, however many digits their fractions have. The server has its own reading of them.

/** Negative where the first is earlier, 0 where they are the same instant, NaN where one of them is none. */
export function compareInstants(first: string, second: string): number {
  const [a, b] = [parse(first), parse(second)];
  const seconds = a.seconds - b.seconds;
  return seconds !== 0 ? seconds : Number(a.fraction > b.fraction) - Number(a.fraction < b.fraction);
}

interface Instant {
  /** Whole seconds since 1970. */
  seconds: number;
  /** The digits after the point, without zeros at their end: as texts they have the order of the fractions. */
  fraction: string;
}

function parse(text: string): Instant {
  const [, time = "", fraction = "", offset = ""] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  const [whole, leap] = time.endsWith(":60") ? [`${time.slice(0, -2)}59`, 1] : [time, 0]; // it is the second that follows
  const seconds = Date.parse(`${whole}${offset}`.toUpperCase()) / 1000 + leap;
  return { seconds, fraction: fraction.replace(/0+$/, "") };
}
