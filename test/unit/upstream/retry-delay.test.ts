/** The pauses between tries, for every coin and every header. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  jitteredDelayMs,
  mayRetry,
  parseRetryAfter,
  pausedUntil,
} from '../../../core/upstream/fetch-client.ts';

describe('jitter', () => {
  it('lies between nothing and the doubled step, and never above 20 seconds', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, coin) => {
          const delay = jitteredDelayMs(attempt, () => coin);
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThanOrEqual(Math.min(20_000, 500 * 2 ** attempt));
        },
      ),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 20],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
    ['Thu, 99 Foo GMT', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j at second ten is %j', (header, seconds) => {
    expect(parseRetryAfter(header, 10_000)).toBe(seconds);
  });
});

it('pauses a source for six hours at most, whatever its upstream asks', () => {
  expect(pausedUntil(1, 0, 999_999_999)).toBe(6 * 3_600_000);
  expect(pausedUntil(60, 0, 999_999_999)).toBe(6 * 3_600_000);
});

it('tries again on overload and breakdown, not on a refusal for good', () => {
  expect([200, 204, 304, 400, 401, 403, 404, 406, 410, 422, 501].filter(mayRetry)).toEqual([]);
  expect([408, 425, 429, 500, 502, 503, 504].every(mayRetry)).toBe(true);
});
