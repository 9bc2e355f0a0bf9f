/** Who may call what: the state of a key, and whether its plan includes an endpoint. */
import type { Route } from '../contracts/route.ts';
import { type AccessTier, planIncludes } from './entitlements.ts';
import type { BucketLimits } from './token-bucket.ts';

/** One API key as the key table holds it, under the digest of its secret. */
export interface KeyRow {
  readonly digest: string;
  /** The gateway's id of the key. */
  readonly keyId: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The plan's id and tier; absent for a key on no plan of this stage, or on one without a tier. */
  readonly planId?: string;
  readonly tier?: AccessTier;
  /** Absent where there is no plan, and on the tier without limits. */
  readonly limits?: BucketLimits;
}

export const KEY_STATES = ['active', 'disabled', 'unplanned'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export const keyStateOf = (row: KeyRow): KeyState => {
  if (!row.enabled) return 'disabled';
  return row.tier === undefined ? 'unplanned' : 'active';
};

/** What the service knows of a caller whose key is known. */
export interface KeyContext {
  readonly digest: string;
  readonly state: KeyState;
  /** Absent unless the key is active. */
  readonly tier?: AccessTier;
  /** Absent for a key without limits, and for one that is refused anyway. */
  readonly limits?: BucketLimits;
}

/** Why a known key is not let in. */
export type Refusal = 'key_disabled' | 'key_unplanned' | 'operation_not_in_plan';

/** Why `key` may not use the endpoint; undefined when it may. */
export function refusalOf({ state, tier }: KeyContext, route: Route): Refusal | undefined {
  if (state === 'disabled') return 'key_disabled';
  if (state === 'unplanned' || tier === undefined) return 'key_unplanned';
  return planIncludes(tier, route) ? undefined : 'operation_not_in_plan';
}
