// Clocks. The domain gets the present time as a value.

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
