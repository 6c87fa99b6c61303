// What a subscription plan allows: how far back notifications are listed (D-42), and how many requests (D-54).

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GRACE = HOUR;

export const RETENTION_DAYS = { free: 1, pro: 7, business: 90, enterprise: 9999 } as const;

export type Plan = keyof typeof RETENTION_DAYS;

/** The earliest instant that the plan keeps, in milliseconds since 1970. It is the default of `after`. */
export function earliestKept(plan: Plan, now: number): number {
  return now - RETENTION_DAYS[plan] * DAY;
}

/** Whether an instant may be queried: not more than an hour before the earliest that the plan keeps. */
export function isWithinPlan(instant: number, plan: Plan, now: number): boolean {
  return instant >= earliestKept(plan, now) - GRACE;
}

// The rate limit is a token bucket that is refilled only once it is empty (D-54).

/** What is counted together: each operation has its own bucket in each environment. */
export type RateCategory = "configuration" | "global";

const WINDOW_S = 5;
const WINDOW_MS = WINDOW_S * 1000;
const KEPT_MS = 2 * WINDOW_MS; // then the bucket is a new one, whether it is used or not
const BURST_PERCENT = 110;

const PER_SECOND: Readonly<Record<RateCategory, Readonly<Record<Plan, number>>>> = {
  configuration: { free: 20, pro: 80, business: 200, enterprise: 2000 },
  global: { free: 30, pro: 120, business: 300, enterprise: 3000 },
};

export interface RateLimit {
  /** How many tokens accrue in each window. */
  limit: number;
  /** What the bucket holds. */
  burst: number;
  policy: string;
}

export interface Bucket {
  tokens: number;
  /** Milliseconds since 1970; tokens have accrued since then. */
  refilledAt: number;
}

export interface TokenResult {
  bucket: Bucket;
  isAllowed: boolean;
  remaining: number;
  /** Whole seconds, rounded up, until a token has accrued. */
  resetSeconds: number;
}

export function rateLimitOf(plan: Plan, category: RateCategory): RateLimit {
  const limit = PER_SECOND[category][plan] * WINDOW_S;
  const burst = Math.floor((limit * BURST_PERCENT) / 100);
  const parts = [
    `w=${WINDOW_S}`,
    `burst=${burst}`,
    'comment="token bucket"',
    `category="${category}"`,
    'cost="single"',
    `serviceLevel="${plan}"`,
  ];
  return { limit, burst, policy: [limit, ...parts].join(";") };
}

/** Takes one token, if there is one. */
export function takeToken(limit: RateLimit, before: Bucket | undefined, now: number): TokenResult {
  const { tokens, refilledAt } = refill(before, limit, now);
  const isAllowed = tokens > 0;
  const bucket = { tokens: isAllowed ? tokens - 1 : 0, refilledAt };
  const resetSeconds = Math.max(0, Math.ceil((refilledAt + tokenMs(limit) - now) / 1000));
  return { bucket, isAllowed, remaining: bucket.tokens, resetSeconds };
}

/** An empty bucket gets everything that has accrued since it was last refilled, up to what it holds. */
function refill(bucket: Bucket | undefined, limit: RateLimit, now: number): Bucket {
  // A clock that was set back leaves a bucket of the future behind.
  if (!bucket || now - bucket.refilledAt >= KEPT_MS || now < bucket.refilledAt) {
    return { tokens: limit.burst, refilledAt: now };
  }
  if (bucket.tokens > 0) return bucket;
  const accrued = Math.floor((now - bucket.refilledAt) / tokenMs(limit));
  return { tokens: Math.min(limit.burst, accrued), refilledAt: bucket.refilledAt + accrued * tokenMs(limit) };
}

/** In how many milliseconds a token accrues. */
function tokenMs({ limit }: RateLimit): number {
  return WINDOW_MS / limit;
}
