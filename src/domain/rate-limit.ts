// How many requests a plan allows (D-54): a token bucket that is filled again only once it is empty.
import type { Plan } from "./plan.js";

/** What is counted together: each operation has its own bucket in each environment. */
export type RateCategory = "configuration" | "global";

const WINDOW_S = 5;
const WINDOW_MS = WINDOW_S * 1000;
const IDLE_MS = 2 * WINDOW_MS; // by then an idle bucket has vanished
const BURST_PERCENT = 110;

const PER_SECOND: Readonly<Record<RateCategory, Readonly<Record<Plan, number>>>> = {
  configuration: { free: 20, pro: 80, business: 200, enterprise: 2000 },
  global: { free: 30, pro: 120, business: 300, enterprise: 3000 },
};

export interface RateLimit {
  /** What is filled in each window. */
  limit: number;
  /** What the bucket holds. */
  burst: number;
  policy: string;
}

export interface Bucket {
  tokens: number;
  /** Milliseconds since 1970, as are all instants here. */
  filledAt: number;
  usedAt: number;
}

export interface Taken {
  bucket: Bucket;
  isAllowed: boolean;
  remaining: number;
  /** Whole seconds until the bucket may be filled again. */
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
export function takeToken({ limit, burst }: RateLimit, before: Bucket | undefined, now: number): Taken {
  const filled = refill(before, { limit, burst }, now);
  const isAllowed = filled.tokens > 0;
  const bucket = { ...filled, tokens: isAllowed ? filled.tokens - 1 : 0, usedAt: now };
  const resetSeconds = Math.max(0, Math.ceil((bucket.filledAt + WINDOW_MS - now) / 1000));
  return { bucket, isAllowed, remaining: bucket.tokens, resetSeconds };
}

function refill(bucket: Bucket | undefined, { limit, burst }: Omit<RateLimit, "policy">, now: number): Bucket {
  // A clock that was set back leaves a bucket of the future behind.
  if (!bucket || now - bucket.usedAt >= IDLE_MS || now < bucket.filledAt)
    return { tokens: burst, filledAt: now, usedAt: now };
  const windows = Math.floor((now - bucket.filledAt) / WINDOW_MS);
  if (bucket.tokens > 0 || windows === 0) return bucket;
  return { ...bucket, tokens: Math.min(burst, windows * limit), filledAt: bucket.filledAt + windows * WINDOW_MS };
}
