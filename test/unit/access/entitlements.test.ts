/** The strings between authorizer and functions. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AccessTier,
  AUTHORIZER_TTL_SECONDS,
  encodeContext,
  findDenial,
  type KeyContext,
  type KeyRow,
  keyContext,
  LOCAL_TIERS,
  parseContext,
} from '../../../core/access/keys.ts';
import { OPERATION_IDS, ROUTES } from '../../../core/contracts/routes.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DIGEST = 'a'.repeat(64);
const ROW: KeyRow = {
  digest: DIGEST,
  keyId: 'k1',
  name: 'acme',
  enabled: true,
  planId: 'p1',
  tier: 'starter',
  limits: { ratePerSecond: 1, burst: 300 },
};
const { limits: _, ...UNLIMITED } = ROW;
const { planId: __, tier: ___, ...UNPLANNED } = UNLIMITED;
const BENCH_CONTEXT = { keyDigest: DIGEST, keyState: 'active', tier: 'bench', rate: 'none', burst: 'none' };

const row = fc.record<KeyRow>(
  {
    digest: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
    keyId: fc.string(),
    name: fc.string(),
    enabled: fc.boolean(),
    planId: fc.string(),
    tier: fc.constantFrom(...LOCAL_TIERS),
    limits: fc.record({
      ratePerSecond: fc.double({ min: 0.001, max: 10_000, noNaN: true }),
      burst: fc.integer({ min: 1, max: 100_000 }),
    }),
  },
  { requiredKeys: ['digest', 'keyId', 'name', 'enabled'] },
);

describe('the authorizer context', () => {
  it('comes back as it was sent, whatever the key', () => {
    fc.assert(
      fc.property(row, (given) => {
        const key = keyContext(given);
        const context = encodeContext(key, NOW);
        expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true);
        expect(parseContext({ ...context, principalId: 'x', integrationLatency: 12 })).toEqual(key);
      }),
    );
  });

  it('carries the figures that the gateway puts on its own 429', () => {
    const context = encodeContext(keyContext(ROW), NOW);
    expect(context).toMatchObject({ rateLimitLimit: '60' });
    const latest = NOW / 1000 + AUTHORIZER_TTL_SECONDS + 300;
    expect(Number(context.rateLimitReset)).toBe(latest);
  });

  it('gives a planned key without limits those of its tier, and none only to the measuring plan', () => {
    expect(keyContext(UNLIMITED).limits).toEqual({ ratePerSecond: 1, burst: 300 });
    expect(encodeContext(keyContext({ ...ROW, tier: 'bench' }), NOW)).toEqual(BENCH_CONTEXT);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty one', {}],
    ['a short digest', { keyDigest: 'abc', keyState: 'disabled' }],
    ['an unknown state', { keyDigest: DIGEST, keyState: 'superb' }],
    ['an unknown tier', { ...encodeContext(keyContext(ROW), NOW), tier: 'gold' }],
    ['no tier', { keyDigest: DIGEST, keyState: 'active', rate: '1', burst: '300' }],
    ['no limits', { keyDigest: DIGEST, keyState: 'active', tier: 'pro' }],
    ['limits switched off', { ...encodeContext(keyContext(ROW), NOW), rate: 'none', burst: 'none' }],
    ['a rate of nothing', { ...encodeContext(keyContext(ROW), NOW), rate: '0' }],
    ['a bench key with a rate', { ...BENCH_CONTEXT, rate: '1' }],
    ['a bench key with a burst', { ...BENCH_CONTEXT, burst: '300' }],
    ['a bench key with limits', { ...encodeContext(keyContext(ROW), NOW), tier: 'bench' }],
  ])('denies %s', (_, context) => {
    expect(parseContext(context)).toBeUndefined();
  });
});

describe('who may call what', () => {
  const keyed = OPERATION_IDS.filter((operation) => operation !== 'health');

  const denials = (key: KeyContext) => new Set(keyed.map((operation) => findDenial(key, ROUTES[operation])));

  it('S5.16 a disabled key may nothing, whatever its plan', () => {
    for (const row of [ROW, UNPLANNED])
      expect(denials(keyContext({ ...row, enabled: false }))).toEqual(new Set(['key_disabled']));
  });

  it('S5.17 a key on no plan may nothing', () => {
    expect(denials(keyContext(UNPLANNED))).toEqual(new Set(['key_unplanned']));
    expect(denials({ digest: ROW.digest, state: 'active' })).toEqual(new Set(['key_unplanned']));
  });

  it('S5.18 Lite lacks waits, forecast and imports; Starter and Pro have everything', () => {
    const refused = (tier: AccessTier) =>
      keyed.filter((operation) => findDenial(keyContext({ ...ROW, tier }), ROUTES[operation]));
    expect(refused('lite')).toEqual(['waits', 'forecast', 'hsImports']);
    expect(refused('starter')).toEqual([]);
    expect(refused('pro')).toEqual([]);
    expect(refused('bench')).toEqual([]);
  });
});
