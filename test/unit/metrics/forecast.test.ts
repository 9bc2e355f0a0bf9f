/** The forecast of seven days: bounds, order, and nothing from after the origin. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type DailyValue,
  FORECAST_METRICS,
  type Forecast,
  HISTORY_MIN_DAYS,
  issueForecast,
} from '../../../core/metrics/forecast.ts';
import { addDays } from '../../../core/reference/time.ts';

const FIRST_DAY = '2025-01-01';
const dayAt = (at: number) => addDays(FIRST_DAY, at);
const seriesOf = (values: readonly (number | undefined)[]): DailyValue[] =>
  values.flatMap((value, at) => (value === undefined ? [] : [{ day: dayAt(at), value }]));

/** A level with noise of `noise`, and the same for the same `seed`. */
const noisy = (length: number, level: number, noise: number, seed = 1): number[] => {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 16807) % 2147483647;
    return level + noise * (state / 2147483647 - 0.5);
  });
};

const issue = (history: readonly DailyValue[], metric = FORECAST_METRICS[0]): Forecast => {
  const forecast = issueForecast(metric, history, []);
  if (forecast === undefined) throw new Error('no forecast');
  return forecast;
};

const gappy = fc
  .array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 8, nil: undefined }), {
    minLength: 110,
    maxLength: 140,
  })
  .map((values) => [...values, 0.5]);

describe('a forecast', () => {
  it('has ordered rows within the bounds of its metric for the seven days after the last', () => {
    fc.assert(
      fc.property(gappy, fc.constantFrom(...FORECAST_METRICS), (values, metric) => {
        const history = seriesOf(values);
        const forecast = issueForecast(metric, history, []);
        if (history.length < HISTORY_MIN_DAYS) return forecast === undefined;
        const { originDay, days } = forecast as Forecast;
        expect(originDay).toBe(dayAt(values.length - 1));
        expect(days.map(({ day }) => day)).toEqual([1, 2, 3, 4, 5, 6, 7].map((h) => addDays(originDay, h)));
        for (const { p10, p50, p90 } of days) {
          expect(0 <= p10 && p10 <= p50 && p50 <= p90).toBe(true);
          if (metric === 'congestion_score') expect(p90).toBeLessThanOrEqual(1);
        }
        return true;
      }),
      { numRuns: 30 },
    );
  });

  it('of a constant is the constant, without a band and without an error', () => {
    const { days, skill } = issue(seriesOf(Array.from({ length: 100 }, () => 12.3)));
    for (const { p10, p50, p90 } of days) expect([p10, p50, p90]).toEqual([12.3, 12.3, 12.3]);
    for (const { error, ratioToMedian, coverage } of skill.horizons)
      expect([error, ratioToMedian, coverage]).toEqual([0, undefined, 1]);
  });

  it('needs 90 days with a value', () => {
    expect(issueForecast('at_anchor', seriesOf(noisy(89, 10, 2)), [])).toBeUndefined();
    expect(issue(seriesOf(noisy(90, 10, 2))).historyDays).toBe(90);
    expect(issueForecast('at_anchor', [], [])).toBeUndefined();
  });
});
