/** What is expected at a horizon before a port's own history says anything. */
import { expect, it } from '@jest/globals';
import { Horizon } from '../../../core/metrics/forecast-horizon.ts';
import type { Distances } from '../../../core/metrics/forecast-regression.ts';
import { FORECAST_METRICS, type ForecastMetric } from '../../../core/reference/figure-names.ts';

const expected = (metric: ForecastMetric, days: number, distances: Distances): number =>
  new Horizon(metric, days).prospect({ value: 0, median: 0, distances, expected: Array(7).fill(0) })
    .candidates.regression;

it('nothing of a distance of the wait is left, 85 % a day of one of the score, and 70 % of that is by the queue where it is forecast', () => {
  const ofValue = FORECAST_METRICS.map((metric) => [1, 7].map((days) => expected(metric, days, [1, 0])));
  const ofQueue = FORECAST_METRICS.map((metric) => [1, 7].map((days) => expected(metric, days, [0, 1])));
  const left = [0.85, 0.85 ** 7];
  // Vessels at anchor are regressed as square roots.
  const parts = (share: number) => left.map((one) => expect.closeTo((share * one) ** 2, 9));
  expect(ofValue).toEqual([[0, 0], parts(0.3), left.map((one) => expect.closeTo(one, 9))]);
  expect(ofQueue).toEqual([[0, 0], parts(0.7), [0, 0]]);
});
