/** The cap under which requests are served while the limiter's table does not respond. */
import { describe, expect, it } from '@jest/globals';
import { OutageCap } from '../../../core/access/outage-cap.ts';
import { toMicros } from '../../../core/access/token-bucket.ts';

const LIMITS = { ratePerSecond: 1, burst: 300 };
const START = toMicros(Date.UTC(2026, 10, 20, 12));
const SECOND = 1_000_000;

describe('the cap of an outage', () => {
  it('admits the minute allotment of each key, then states the wait to the second', () => {
    const cap = new OutageCap();
    const first = Array.from({ length: 61 }, (_, index) => cap.admit('a', LIMITS, START + index * SECOND));
    expect(first.filter(({ admitted }) => admitted)).toHaveLength(61);
    expect(first[0]).toEqual({
      admitted: true,
      headers: expect.objectContaining({ 'RateLimit-Remaining': '59' }),
    });
    const full = new OutageCap();
    for (let request = 0; request < 60; request += 1)
      expect(full.admit('a', LIMITS, START + (request * SECOND) / 10).admitted).toBe(true);
    const refused = full.admit('a', LIMITS, START + 20 * SECOND + 1);
    expect(refused).toEqual({
      admitted: false,
      headers: {
        'RateLimit-Limit': '60',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(START / SECOND + 66),
      },
      retryAfterSeconds: 40,
    });
    expect(full.admit('b', LIMITS, START + 20 * SECOND).admitted).toBe(true);
    expect(full.admit('a', LIMITS, START + 59 * SECOND + 1).admitted).toBe(false);
    expect(full.admit('a', LIMITS, START + 60 * SECOND + 1).admitted).toBe(true);
  });

  it('forgets the keys whose minute has passed, and only those, once there are more than a thousand', () => {
    const cap = new OutageCap();
    for (let key = 0; key < 1000; key += 1) cap.admit(`key ${key}`, LIMITS, START);
    cap.admit('other', LIMITS, START + 60 * SECOND);
    expect(cap.size).toBe(1001);
    cap.admit('newest', LIMITS, START + 60 * SECOND);
    expect(cap.size).toBe(2);
  });
});
