// How far back a subscription plan lists notifications (D-42).

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GRACE = HOUR;

export const RETENTION_DAYS = { free: 1, pro: 7, business: 90, enterprise: 9999 } as const;

export type Plan = keyof typeof RETENTION_DAYS;

/** The earliest instant that the plan keeps, in milliseconds since 1970. It is the default of `after`. */
export function earliestKept(plan: Plan, now: number): number {
  return now - RETENTION_DAYS[plan] * DAY;
}

/** True if an instant may be queried: at most an hour before the earliest that the plan keeps. */
export function isWithinPlan(instant: number, plan: Plan, now: number): boolean {
  return instant >= earliestKept(plan, now) - GRACE;
}
