/**
 * Every refusal of a request, in the order of the checks: the first that applies is the response. The path's 404 follows the
 * firewall, faults of parameters follow the last row.
 */
import { OPERATOR } from '../contracts/contact.ts';
import type { ErrorCode } from '../contracts/errors.ts';

export interface Refusal {
  /** Who refuses. All but the function refuse by a gateway response. */
  readonly by: 'firewall' | 'authorizer' | 'gateway' | 'function';
  readonly code: ErrorCode;
  readonly status: 401 | 403 | 429 | 503;
  readonly message: string;
  readonly hint: string;
  /** The seconds in `Retry-After`; `computed` from the state of the bucket. */
  readonly retryAfterSeconds?: number | 'computed';
  /** Whether the response has RateLimit-*: of a key that was accepted. */
  readonly rateLimited?: true;
}

const FORBIDDEN = { code: 'auth_forbidden', status: 403 } as const;
/** Too many requests of one key, whoever counts them. */
const TOO_MANY = {
  code: 'rate_limited',
  status: 429,
  message: 'Too many requests with this key.',
  hint: 'Wait for the seconds in Retry-After; see the RateLimit-* headers.',
  rateLimited: true,
} as const;

export const REFUSALS = {
  /** The firewall's one rule counts requests by address. */
  address_rate: {
    by: 'firewall',
    code: 'rate_limited',
    status: 429,
    message: 'Too many requests from this address.',
    hint: 'Wait for the seconds in Retry-After.',
    retryAfterSeconds: 300,
  },
  key_missing: {
    by: 'authorizer',
    code: 'auth_missing',
    status: 401,
    message: 'No API key was sent.',
    hint: 'Send your key in the request header X-API-Key.',
  },
  key_unknown: {
    by: 'authorizer',
    code: 'auth_invalid',
    status: 401,
    message: 'The API key is malformed or unknown.',
    hint: 'Check the value of X-API-Key: pcd_dev_ or pcd_live_ and 24 to 64 letters and digits.',
  },
  key_store_down: {
    by: 'authorizer',
    code: 'upstream_error',
    status: 503,
    message: 'The key store does not respond.',
    hint: 'Try again after the seconds in Retry-After.',
    retryAfterSeconds: 5,
  },
  /** The function asks again: the gateway does not know a key whose state has just changed. */
  key_disabled: {
    by: 'gateway',
    ...FORBIDDEN,
    message: 'The API key is disabled or not assigned to a plan.',
    hint: `Ask ${OPERATOR} to enable the key or to put it on a plan.`,
  },
  /** On one machine `not_in_plan` comes before it, as a new month does not lift that. */
  monthly_quota: {
    by: 'gateway',
    code: 'rate_limited',
    status: 429,
    message: 'The quota of this key is used up.',
    hint: `A monthly quota resets on the first of the month (UTC), one by day or week when that ends; ask ${OPERATOR} for a larger plan.`,
    retryAfterSeconds: 3600,
    rateLimited: true,
  },
  /** The throttle of the usage plan, key by key. Best effort on AWS. */
  plan_throttle: { by: 'gateway', ...TOO_MANY, retryAfterSeconds: 1 },
  /** The throttle of the stage, all keys together: far above what the plans sell. */
  stage_throttle: { by: 'gateway', ...TOO_MANY, retryAfterSeconds: 1 },
  not_in_plan: {
    by: 'function',
    ...FORBIDDEN,
    message: "The key's plan does not include this endpoint.",
    hint: `Ask ${OPERATOR} to move the key to a plan that includes it.`,
  },
  /** The key's token bucket is empty. */
  key_bucket: { by: 'function', ...TOO_MANY, retryAfterSeconds: 'computed' },
  /** The bucket's table does not respond, and this process has admitted the minute's allotment of the key. */
  outage_cap: { by: 'function', ...TOO_MANY, retryAfterSeconds: 'computed' },
} as const satisfies Record<string, Refusal>;
