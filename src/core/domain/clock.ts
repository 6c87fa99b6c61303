// Clocks, RFC 3339 timestamps, and delays. The domain gets the present time as a value.

export interface Clock {
  now(): Date;
  /** True if it stands still. Default: false. */
  readonly isFrozen?: boolean;
}

/** A clock that can be stopped and moved. */
export interface AdjustableClock extends Clock {
  readonly isFrozen: boolean;
  /** The clock that it follows until adjusted. */
  readonly base: Clock;
  /** Increases with each adjustment. */
  readonly revision: number;
  /** Stands still at an instant. */
  freeze(at: Date): void;
  /** Runs on from an instant. */
  runFrom(at: Date): void;
  /** Moves a frozen or a running clock, backwards if negative. */
  advance(milliseconds: number): void;
  /** Follows `base` again. */
  reset(): void;
}

export const systemClock: Clock = { now: () => new Date() };

export function createFrozenClock(instant: Date): Clock {
  return { now: () => new Date(instant), isFrozen: true };
}

/** Creates a clock that follows `base` until adjusted. `runFrom` makes it run even if `base` stands still. */
export function createAdjustableClock(base: Clock): AdjustableClock {
  const running = base.isFrozen ? systemClock : base;
  const initial = base.isFrozen ? base.now().getTime() : undefined;
  let frozenAt = initial;
  let offset = 0;
  let revision = 0;
  return {
    base,
    now: () => new Date(frozenAt ?? running.now().getTime() + offset),
    get isFrozen() {
      return frozenAt !== undefined;
    },
    get revision() {
      return revision;
    },
    freeze(at) {
      revision += 1;
      frozenAt = at.getTime();
    },
    runFrom(at) {
      revision += 1;
      frozenAt = undefined;
      offset = at.getTime() - running.now().getTime();
    },
    advance(milliseconds) {
      revision += 1;
      if (frozenAt === undefined) offset += milliseconds;
      else frozenAt += milliseconds;
    },
    reset() {
      revision += 1;
      frozenAt = initial;
      offset = 0;
    },
  };
}

// Date.parse is no alternative: engines differ in what they accept beyond ISO 8601, and it rejects leap seconds.
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

export const MAX_TIMER_MS = 2 ** 31 - 1; // setTimeout treats a longer delay as none

/** Resolves after this time, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, signal?.aborted ? 0 : Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener("abort", end);

    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve(ms > MAX_TIMER_MS && !signal?.aborted ? pause(ms - MAX_TIMER_MS, signal) : undefined);
    }
  });
}

interface JoinedSignal {
  signal: AbortSignal;
  abort(): void;
  release(): void;
}

/** A signal that aborts with any of these, until it is released: `AbortSignal.any` leaks on Node 20. */
export function joinSignals(...signals: (AbortSignal | undefined)[]): JoinedSignal {
  const joined = new AbortController();
  const abort = () => joined.abort(signals.find((signal) => signal?.aborted)?.reason);
  for (const signal of signals) signal?.addEventListener("abort", abort);
  if (signals.some((signal) => signal?.aborted)) abort();
  const release = () => {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  };
  return { signal: joined.signal, abort: () => joined.abort(), release };
}
