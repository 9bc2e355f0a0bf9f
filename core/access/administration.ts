/** Keys and plans in the gateway's control plane, and the operations on them. */
import { serviceName } from '../contracts/log.ts';
import type { BucketLimits } from './token-bucket.ts';

export { TIER_TAG } from '../contracts/plans.ts';
/** Tag on a gateway key that says which stage it was made for. */
export const STAGE_TAG = 'pcd:stage';

/** Name of the object in the archive that lists the keys: digests, names, states and plans, no secret. */
export const KEY_COPY = 'keys.json';

/** Name of the function that carries changes into the key table, by which the key command calls it. */
export const keySyncFunctionName = (stage: string): string => `${serviceName(stage)}-key-sync`;

export interface AdministeredKey {
  readonly id: string;
  readonly name: string;
  /** The digest of the client's secret, or what `readGatewayValue` knows of a key made in the console. Undefined where the listing omits it. */
  readonly value?: string;
  readonly enabled: boolean;
  /** ISO 8601, as the control plane states it. */
  readonly created?: string;
  /** The stage it was made for, where it is tagged. */
  readonly stage?: string;
}

export interface AdministeredPlan {
  readonly id: string;
  readonly name: string;
  /** Value of the plan's tag `pcd:tier`, whatever it is; undefined without the tag. */
  readonly tier?: string;
  /** The plan's own throttle, as it is now. */
  readonly throttle?: BucketLimits;
}

/** Tagged for this stage, or on one of its plans and tagged for no other: the account may have keys of other APIs. */
export const belongsTo = (
  stage: string,
  key: Pick<AdministeredKey, 'id' | 'stage'>,
  planOf: ReadonlyMap<string, unknown>,
): boolean => key.stage === stage || (key.stage === undefined && planOf.has(key.id));

/** Lists everything; rejects with KeyAdministrationFailure when a page is missing. */
export interface KeyListing {
  keys(): Promise<readonly AdministeredKey[]>;
  /** The plans of this stage of this API. */
  plans(): Promise<readonly AdministeredPlan[]>;
  keyIdsOf(planId: string): Promise<readonly string[]>;
}

export interface KeyAdministration extends KeyListing {
  /** Returns the id of the new key, which is enabled and on no plan. */
  create(key: { name: string; digest: string; stage: string }): Promise<string>;
  rename(keyId: string, name: string): Promise<void>;
  setEnabled(keyId: string, enabled: boolean): Promise<void>;
  addToPlan(keyId: string, planId: string): Promise<void>;
  removeFromPlan(keyId: string, planId: string): Promise<void>;
  delete(keyId: string): Promise<void>;
}

export type KeyAdministrationReason =
  | 'no_credentials'
  | 'not_allowed'
  | 'unknown'
  | 'conflict'
  | 'unavailable';

/** The control plane refused or did not respond; the message is one line and contains no secret. */
export class KeyAdministrationFailure extends Error {
  override readonly name = 'KeyAdministrationFailure';
  constructor(
    readonly reason: KeyAdministrationReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
