// The source of the present time. The domain gets it as a value.

export interface Clock {
  now(): Date;
  /** True if it stands still. Default: it runs. */
  readonly isFrozen?: boolean;
}

/** A clock that can be stopped and moved. */
export interface AdjustableClock extends Clock {
  readonly isFrozen: boolean;
  /** The clock that it was made from. */
  readonly base: Clock;
  /** Increases with each adjustment. */
  readonly revision: number;
  /** Stands still at an instant. */
  freeze(at: Date): void;
  /** Runs on from an instant. */
  runFrom(at: Date): void;
  /** Moves by that much, backwards when negative; it stands still or runs as before. */
  advance(milliseconds: number): void;
  /** Follows `base` again. */
  reset(): void;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still at an instant. */
export function createFrozenClock(instant: Date): Clock {
  return { now: () => new Date(instant), isFrozen: true };
}

/** A clock that follows another one until it is adjusted. Set running, it runs even if the other one stands still. */
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
