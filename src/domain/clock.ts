// Where the present comes from. The domain never asks; it is told.

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still at an instant. */
export function createFrozenClock(instant: Date): Clock {
  return { now: () => new Date(instant) };
}
