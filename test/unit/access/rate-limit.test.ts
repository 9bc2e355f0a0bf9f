/** The rate-limit headers of a bucket. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { figuresOf } from '../../../core/access/limiter.ts';
import { admitSome, toMicros } from '../../../core/access/token-bucket.ts';
import { admitOne } from './admit-one.ts';

const BASELINE = { ratePerSecond: 1, burst: 300 };
const AT = Date.UTC(2026, 10, 20, 12);
const START = toMicros(AT);
const SECOND = 1_000_000;

/** The figures after each of `count` requests at one instant. */
function spend(count: number, now: number, from?: number) {
  const figures = [];
  let tat = from;
  for (let request = 0; request < count; request += 1) {
    const decision = admitOne(tat, now, BASELINE);
    tat = decision.tat;
    figures.push(figuresOf(tat, now, BASELINE));
  }
  return { figures, tat };
}

describe('the RateLimit figures', () => {
  it('S4.56 count the allotment down from 59 to 0 and stay there', () => {
    const { figures, tat } = spend(61, START);
    const down = Array.from({ length: 60 }, (_, index) => 59 - index);
    expect(figures.map(({ remaining }) => remaining)).toEqual([...down, 0]);
    expect(figures.every(({ limit }) => limit === 60)).toBe(true);
    const sixty = spend(60, START);
    expect(tat).toBe(START + 61 * SECOND);
    expect(spend(1, START + 10 * SECOND, sixty.tat).figures[0]?.remaining).toBe(9);
  });

  it('S4.57 name the second at which the whole allotment is back', () => {
    const { figures, tat } = spend(5, START);
    expect(figures.map(({ resetSecond }) => resetSecond - AT / 1000)).toEqual([1, 2, 3, 4, 5]);
    expect(spend(1, START + 5 * SECOND, tat).figures[0]?.remaining).toBe(59);
  });

  it('are true of every state: the requests that remain are admitted at once, and at the reset all are back', () => {
    const limits = fc.record({
      ratePerSecond: fc.double({ min: 0.05, max: 50, noNaN: true }),
      burst: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.integer({ min: 0, max: 4e6 }), { maxLength: 200, size: 'max' }),
        (given, steps) => {
          let now = START;
          let tat: number | undefined;
          for (const step of steps) {
            now += step;
            tat = admitOne(tat, now, given).tat;
          }
          const { limit, remaining, resetSecond } = figuresOf(tat ?? now, now, given);
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(remaining).toBeLessThanOrEqual(limit);
          expect(admitSome(tat, now, given, remaining).admitted).toBe(remaining);
          const atReset = figuresOf(tat ?? now, resetSecond * SECOND, given);
          expect(atReset.remaining).toBe(Math.min(limit, given.burst));
        },
      ),
      { numRuns: 200 },
    );
  });
});
