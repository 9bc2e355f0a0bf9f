/** The list of refusals is what the gateway and the functions send. */
import { describe, expect, it } from '@jest/globals';
import { REFUSALS, type Refusal } from '../../../core/access/refusals.ts';
import { ERRORS } from '../../../core/contracts/errors.ts';
import { GATEWAY_ERRORS } from '../../../core/http/gateway-errors.ts';

const ROWS: readonly [string, Refusal][] = Object.entries(REFUSALS);

describe('a refusal', () => {
  it.each(ROWS.filter(([, { by }]) => by !== 'function'))(
    '%s, which no function makes, is a response of the gateway',
    (_, refusal) => {
      expect(Object.values(GATEWAY_ERRORS)).toContainEqual(refusal);
    },
  );

  it.each(ROWS)('%s has a status of its code, and says when to come back if that helps', (_, refusal) => {
    expect(ERRORS[refusal.code].statuses).toContain(refusal.status);
    expect(refusal.retryAfterSeconds !== undefined).toBe([429, 503].includes(refusal.status));
  });

  it('of a key that was accepted states its limit', () => {
    const limited = ROWS.filter(([, { rateLimited }]) => rateLimited).map(([name]) => name);
    expect(limited).toEqual(['monthly_quota', 'plan_throttle', 'stage_throttle', 'key_bucket', 'outage_cap']);
  });
});
