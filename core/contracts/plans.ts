/** Plans: rates and monthly quotas. Which plans lack an endpoint is part of its route. */

export interface Plan {
  readonly title: string;
  /** Requests a calendar month (UTC). */
  readonly monthlyQuota: number;
  /** Tokens a second that refill the bucket. */
  readonly ratePerSecond: number;
  /** Capacity of a bucket. */
  readonly burst: number;
}

/** 60 a minute, and five minutes' worth at once. A throttle that the console gives a plan takes precedence (`core/access/keys.ts`). */
const BASELINE = { ratePerSecond: 1, burst: 300 } as const;

export const PLANS = {
  lite: { title: 'Lite', monthlyQuota: 500_000, ...BASELINE },
  starter: { title: 'Starter', monthlyQuota: 2_000_000, ...BASELINE },
  pro: { title: 'Pro', monthlyQuota: 10_000_000, ...BASELINE },
} as const satisfies Record<string, Plan>;

export type Tier = keyof typeof PLANS;
export const TIERS = Object.keys(PLANS) as [Tier, ...Tier[]];

/** Tag on a usage plan that says which tier's endpoints its keys may use. */
export const TIER_TAG = 'pcd:tier';
