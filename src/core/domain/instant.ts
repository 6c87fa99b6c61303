// RFC 3339 timestamps. Date.parse is no alternative: engines differ in what they accept beyond ISO 8601, and it rejects
// leap seconds.

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Parses an RFC 3339 timestamp to milliseconds since 1970, rounded down (D-39). A leap second equals the second after
 * it.
 * @throws RangeError for any other text.
 */
export function parseInstant(text: string): number {
  const match = RFC_3339.exec(text);
  if (!match) throw new RangeError(`Not an RFC 3339 timestamp: ${text}`);
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day)); // Date.UTC would move the years 0 to 99 to 19xx
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!isDay || !isTime) throw new RangeError(`There is no such instant: ${text}`);
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offsetMinutes = (sign === "-" ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  return date.getTime() - offsetMinutes * 60_000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

const EARLIEST = Date.parse("1000-01-01T00:00:00Z");
const LATEST = Date.parse("9000-01-01T00:00:00Z");

/** True for times that clocks and records may have: those derived from them still have four-digit years. */
export function isClockTime(at: number): boolean {
  return at >= EARLIEST && at <= LATEST;
}
