/** Outages of a source from the times of its good fetches. */
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { outageBetween, outagesAfter } from '../../../core/ingest/service-status.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import type { Outage } from '../../../core/store/source-status.ts';

const EVERY_TEN = { everyMinutes: 10, freshnessBudgetMinutes: 60 };
const minutes = (count: number): number => count * MINUTE_MS;

describe('a gap between two good fetches', () => {
  it('is an outage beyond three expected intervals, from the time when the next fetch was due', () => {
    expect(outageBetween(0, minutes(30), EVERY_TEN)).toBeUndefined();
    expect(outageBetween(0, minutes(31), EVERY_TEN)).toEqual({ fromAt: minutes(10), toAt: minutes(31) });
  });

  it('is one beyond the budget where that is shorter', () => {
    const daily = { everyMinutes: 1440, freshnessBudgetMinutes: 2880 };
    expect(outageBetween(0, minutes(2880), daily)).toBeUndefined();
    expect(outageBetween(0, minutes(2881), daily)).toEqual({ fromAt: minutes(1440), toAt: minutes(2881) });
  });
});

/** Returns the outages after good fetches with these gaps between them, minutes. */
function fetchedApart(gaps: readonly number[]): {
  readonly outages: readonly Outage[];
  readonly atAt: number;
} {
  let atAt = 0;
  let outages = outagesAfter([], undefined, atAt, EVERY_TEN);
  for (const gap of gaps) {
    outages = outagesAfter(outages, atAt, atAt + minutes(gap), EVERY_TEN);
    atAt += minutes(gap);
  }
  return { outages, atAt };
}

describe('the outages of a source', () => {
  it('are those of the last ninety days', () => {
    const day = 24 * 60;
    expect(fetchedApart([40, day])).toMatchObject({
      outages: [{ toAt: minutes(40) }, { fromAt: minutes(50) }],
    });
    const later = fetchedApart([40, 91 * day]).outages;
    expect(later).toEqual([{ fromAt: minutes(50), toAt: minutes(40) + 91 * DAY_MS }]);
  });

  it('stay few: with more, those with the least time between them become one, and no outage is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 200 }), (gaps) => {
        const { outages } = fetchedApart(gaps);
        expect(outages.length).toBeLessThanOrEqual(60);
        for (const [i, { fromAt, toAt }] of outages.entries()) {
          expect(fromAt).toBeLessThan(toAt);
          expect(fromAt).toBeGreaterThan(outages[i - 1]?.toAt ?? -1);
        }
        let startAt = 0;
        for (const gap of gaps) {
          const endAt = startAt + minutes(gap);
          const outage = outageBetween(startAt, endAt, EVERY_TEN);
          const isKept = outages.some(({ fromAt, toAt }) => fromAt <= startAt + minutes(10) && toAt >= endAt);
          if (outage) expect(isKept).toBe(true);
          startAt = endAt;
        }
      }),
      { numRuns: 50 },
    );
  });
});
