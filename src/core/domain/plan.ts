// Subscription plans, and how far back each lists notifications (D-42).

export const RETENTION_DAYS = { free: 1, pro: 7, business: 90, enterprise: 9999 } as const;

export type Plan = keyof typeof RETENTION_DAYS;
