/** The cap under which requests are served while the limiter's table does not respond. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OutageCap } from '../../../core/access/limiter.ts';
import { toMicros } from '../../../core/access/token-bucket.ts';

const LIMITS = { ratePerSecond: 1, burst: 300 };
const START = toMicros(Date.UTC(2026, 10, 20, 12));
const SECOND = 1_000_000;

describe('the cap of an outage', () => {
  it('admits the minute allotment, then states the wait to the second', () => {
    const cap = new OutageCap();
    const first = Array.from({ length: 61 }, (_, index) => cap.admit('a', LIMITS, START + index * SECOND));
    expect(first.filter(({ admitted }) => admitted)).toHaveLength(61);
    const full = new OutageCap();
    for (let request = 0; request < 60; request += 1)
      expect(full.admit('a', LIMITS, START).admitted).toBe(true);
    const refused = full.admit('a', LIMITS, START + 20 * SECOND + 1);
    expect(refused).toEqual({
      admitted: false,
      headers: {
        'RateLimit-Limit': '60',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(START / SECOND + 60),
      },
      retryAfterSeconds: 40,
      refusal: 'outage_cap',
    });
    expect(full.admit('a', LIMITS, START + 59 * SECOND + 1).admitted).toBe(false);
    expect(full.admit('a', LIMITS, START + 60 * SECOND + 1).admitted).toBe(true);
  });

  it('never admits more than the allotment in 60 seconds, and counts each key by itself', () => {
    const requests = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 2 * SECOND })), {
      maxLength: 600,
      size: 'max',
    });
    fc.assert(
      fc.property(requests, (steps) => {
        const cap = new OutageCap();
        const admitted = { a: [] as number[], b: [] as number[] };
        let now = START;
        for (const [key, step] of steps) {
          now += step;
          const recent = admitted[key as 'a' | 'b'].filter((at) => at > now - 60 * SECOND);
          const response = cap.admit(key, LIMITS, now);
          if (response.admitted !== recent.length < 60)
            throw new Error(`${recent.length} in the last minute`);
          if (response.admitted) admitted[key as 'a' | 'b'].push(now);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not count admissions that were made before the clock was set back', () => {
    const cap = new OutageCap();
    for (let request = 0; request < 60; request += 1) cap.admit('a', LIMITS, START);
    expect(cap.admit('a', LIMITS, START - 2 * SECOND).admitted).toBe(false);
    expect(cap.admit('a', LIMITS, START - 3600 * SECOND).admitted).toBe(true);
  });

  it('forgets no key whose minute runs, however many keys there are', () => {
    const cap = new OutageCap();
    for (let request = 0; request < 60; request += 1) cap.admit('busy', LIMITS, START);
    for (let key = 0; key < 1100; key += 1) cap.admit(`key ${key}`, LIMITS, START);
    expect(cap.admit('busy', LIMITS, START + SECOND).admitted).toBe(false);
  });

  it('forgets keys whose minute has passed, and only those', () => {
    const cap = new OutageCap();
    for (let key = 0; key < 1100; key += 1) cap.admit(`key ${key}`, LIMITS, START);
    for (let request = 0; request < 60; request += 1) cap.admit('busy', LIMITS, START + 50 * SECOND);
    expect(cap.admit('other', LIMITS, START + 70 * SECOND).admitted).toBe(true);
    expect(cap.admit('busy', LIMITS, START + 70 * SECOND).admitted).toBe(false);
  });
});
