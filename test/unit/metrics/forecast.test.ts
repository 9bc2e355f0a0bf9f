/** The forecast of seven days: bounds, order, and nothing from after the origin. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FlowHours, stoppedShare } from '../../../core/metrics/closures.ts';
import type { DayFigures } from '../../../core/metrics/figures.ts';
import {
  type Forecast,
  forecastValues,
  HISTORY_MIN_DAYS,
  type IssuedForecast,
  issueForecast,
  rollForecasts,
} from '../../../core/metrics/forecast.ts';
import { chanceOpen, ForecastDays, originAt } from '../../../core/metrics/forecast-model.ts';
import { FORECAST_METRICS, type ForecastMetric } from '../../../core/reference/figure-names.ts';
import { addDays } from '../../../core/reference/time.ts';
import { flowDays } from '../../builders/flow-days.ts';

const FIRST_DAY = '2025-01-01';
const dayAt = (at: number) => addDays(FIRST_DAY, at);
const rowAt = (at: number, figures: Partial<DayFigures>): DayFigures => ({
  day: dayAt(at),
  coverage: 1,
  vessels: 40,
  ...figures,
});
/** Every metric has the value, and so have the terms of the queue. */
const seriesOf = (values: readonly (number | undefined)[]): DayFigures[] =>
  values.map((value, at) =>
    rowAt(at, {
      avgWaitHours: value,
      dayAtAnchor: value,
      congestionScore: value,
      endAtAnchor: value,
      endWaitingHours: value,
    }),
  );

/** A level with noise of `noise`, and the same for the same `seed`. */
const noisy = (length: number, level: number, noise: number, seed = 1): number[] => {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 16807) % 2147483647;
    return level + noise * (state / 2147483647 - 0.5);
  });
};

const issue = (history: readonly DayFigures[], metric: ForecastMetric = 'avg_wait_hours'): Forecast => {
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
        if (forecastValues(metric, history).size < HISTORY_MIN_DAYS) return forecast === undefined;
        const { originDay, days, skill } = forecast as Forecast;
        expect(skill.horizons.filter(({ error }) => !Number.isFinite(error))).toEqual([]);
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

  it('needs 90 days with a value, and the last day among them', () => {
    expect(issueForecast('at_anchor', seriesOf(noisy(89, 10, 2)), [])).toBeUndefined();
    expect(issue(seriesOf(noisy(90, 10, 2))).historyDays).toBe(90);
    expect(issueForecast('at_anchor', [], [])).toBeUndefined();
  });

  it('is none where gaps leave a horizon without outcomes', () => {
    const everyOther = noisy(200, 10, 2).map((value, at) => (at % 2 === 0 ? value : undefined));
    expect(issueForecast('at_anchor', seriesOf(everyOther), [])).toBeUndefined();
  });

  it('uses nothing from after its origin, and nothing from 400 days before', () => {
    fc.assert(
      fc.property(gappy, fc.constantFrom(...FORECAST_METRICS), (values, metric) => {
        const origin = values.length - 20;
        const part = rollForecasts(metric, seriesOf(values.slice(0, origin))).forecasts();
        expect(rollForecasts(metric, seriesOf(values)).forecasts().slice(0, part.length)).toEqual(part);
      }),
      { numRuns: 10 },
    );
    const values = noisy(500, 10, 8);
    expect(issue(seriesOf([...noisy(100, 90, 20), ...values.slice(100)]))).toEqual(issue(seriesOf(values)));
  });

  it('is as many times larger as its history', () => {
    const values = noisy(150, 40, 30).map((value) => Math.round(value));
    for (const metric of ['avg_wait_hours', 'at_anchor'] as const) {
      const [once, tenfold] = [values, values.map((value) => 10 * value)].map((of) =>
        issue(seriesOf(of), metric),
      );
      for (const [i, { p10, p50, p90 }] of (tenfold?.days ?? []).entries())
        for (const [large, small] of [
          [p10, once?.days[i]?.p10],
          [p50, once?.days[i]?.p50],
          [p90, once?.days[i]?.p90],
        ])
          expect(Math.abs((large ?? 0) - 10 * (small ?? Number.NaN))).toBeLessThanOrEqual(0.55);
    }
  });

  it('follows a queue that builds up and clears', () => {
    const values = Array.from({ length: 200 }, (_, at) => 5 + (at % 40 < 20 ? at % 40 : 40 - (at % 40)));
    const { days } = issue(seriesOf(values), 'at_anchor');
    const error = (p50: number, at: number) => Math.abs(p50 - (values[(200 + at) % 40] ?? 0));
    expect(error(days[0]?.p50 ?? 0, 0)).toBeLessThan(2);
  });
});

describe('the regression of a wait', () => {
  const rows = (queue: (at: number) => number, wait: (at: number) => number): DayFigures[] =>
    Array.from({ length: 120 }, (_, at) =>
      rowAt(at, {
        endAtAnchor: queue(at),
        dayWaits: 10,
        dayWaitHours: wait(at),
        avgWaitHours: Array.from({ length: 7 }, (_, ago) => wait(at - ago)).reduce((a, b) => a + b) / 7,
      }),
    );

  it('knows which waits leave the average: those of one bad day do so after a week', () => {
    const history = rows(
      () => 5,
      (at) => (at % 29 === 0 ? 70 : 0),
    );
    const bad = history.filter((_, at) => at <= 29 * 4);
    const p50 = issue(bad).days.map((day) => day.candidates.regression);
    expect(bad.at(-1)?.avgWaitHours).toBeCloseTo(10, 9);
    expect(p50[2]).toBeCloseTo(10, 0);
    expect(p50[6]).toBeLessThan(0.2);
  });

  it('expects a longer wait where a queue stands', () => {
    const long = (at: number) => at % 23 < 4;
    const queueing = rows(
      (at) => (long(at) ? 30 : 3),
      (at) => (long(at - 1) || long(at - 2) ? 20 : 2),
    ).slice(0, 23 * 5 + 1);
    const free = queueing.map((row, at) => (at < queueing.length - 1 ? row : { ...row, endAtAnchor: 3 }));
    const threeDays = (history: DayFigures[]) => issue(history).days[2]?.candidates.regression ?? 0;
    expect(threeDays(queueing)).toBeGreaterThan(threeDays(free) + 1);
  });
});

describe('what is expected of a day', () => {
  const forecastDays = (metric: ForecastMetric, days: readonly DayFigures[]) =>
    new ForecastDays(metric, days, days);
  const daysWith = (firstWait: number): DayFigures[] =>
    Array.from({ length: 28 }, (_, at) =>
      rowAt(at, {
        congestionScore: 0.5,
        endAtAnchor: at === 27 ? 9 : 4,
        ...(at >= firstWait && { avgWaitHours: 4, dayWaits: 10, dayWaitHours: 4 }),
      }),
    );

  it('is an average of the berthings that it still has and of those to come', () => {
    const days = forecastDays('avg_wait_hours', daysWith(0));
    // Four days of seven are known, with ten berthings of four hours each; thirty of ten hours come.
    expect(days.expectedWaits(27, 10)[2]).toBeCloseTo((4 * 40 + 30 * 10) / 70, 12);
  });

  it('knows the distance of a term from its median, and none from rows without the term', () => {
    expect(originAt('avg_wait_hours', forecastDays('avg_wait_hours', daysWith(0)), 27)?.distances).toEqual([
      5, 0,
    ]);
  });

  it('is the usual score where the usual wait is not known', () => {
    const origin = originAt('congestion_score', forecastDays('congestion_score', daysWith(20)), 27);
    expect(origin?.expected).toEqual(Array(7).fill(0.5));
  });

  it('is the score without a closure, whose chance to last is known from earlier ones, and from no later hour', () => {
    const until = 45 * 24;
    /** Closed for two days from the 40th on, and again from the 75th. */
    const closed = (hour: number): number => {
      const isClosed = (hour >= 40 * 24 + 6 && hour < 42 * 24 + 6) || hour >= 75 * 24;
      return isClosed ? 0 : 2;
    };
    const daysUntil = (hours: number): DayFigures[] => {
      const rows = flowDays(hours, closed);
      const flow = new FlowHours(rows);
      return rows.map((row, at) => {
        const stopped = stoppedShare(flow, Math.min(hours, (at + 1) * 24));
        const terms = { delayedShare: 0.2, waitTerm: 0.1, queueTerm: 0 };
        const share = stopped === undefined ? {} : { stoppedShare: stopped };
        return { ...row, ...terms, ...share, congestionScore: Math.max(0.1, 0.6 * (stopped ?? 0)) };
      });
    };
    const originOf = (hours: number, day: number) => {
      const days = daysUntil(hours);
      return originAt('congestion_score', forecastDays('congestion_score', days), day);
    };
    expect(originOf(until, 39)?.open).toBeUndefined();
    const first = originOf(until, 41);
    expect(first?.expected[0]).toBeCloseTo(0.1, 9);
    expect(first?.open?.[0]).toBeCloseTo(chanceOpen({ age: 42, lengths: [] }, 1), 9);
    expect(originOf(42 * 24, 41)).toEqual(first);
    // It ended four hours after vessels berthed again.
    expect(originOf(76 * 24, 75)?.open?.[0]).toBeCloseTo(chanceOpen({ age: 24, lengths: [52] }, 1), 9);
  });

  it('is made from the figure of its metric', () => {
    const rows = [rowAt(0, { congestionScore: 0.4, avgWaitHours: 2, dayAtAnchor: 3 })];
    const figureOf = (metric: ForecastMetric) => forecastValues(metric, rows).get(FIRST_DAY);
    expect((['congestion_score', 'avg_wait_hours', 'at_anchor'] as const).map(figureOf)).toEqual([0.4, 2, 3]);
  });
});

describe('the skill', () => {
  const history = seriesOf(noisy(260, 20, 12));
  const issuedUntil = (count: number): IssuedForecast[] => {
    const all = rollForecasts('at_anchor', history).forecasts();
    return all.slice(all.length - count);
  };
  const skillWith = (issued: IssuedForecast[]) => issueForecast('at_anchor', history, issued);

  it('is of rolling origins until 60 issued forecasts are scored', () => {
    const of59 = skillWith(issuedUntil(59 + 7));
    expect(of59?.skill.basis).toBe('rolling');
    const of60 = skillWith(issuedUntil(60 + 7));
    expect(of60?.skill).toMatchObject({ basis: 'issued', origins: 60, toDay: dayAt(259 - 7) });
  });

  it('is that of what was issued, and each row has the method that was best on it', () => {
    const issued = issuedUntil(80).map((forecast) => ({
      ...forecast,
      days: forecast.days.map((day) => {
        const truth = history.find((row) => row.day === day.day)?.dayAtAnchor ?? 0;
        const candidates = { regression: truth + 3, median: truth - 1, persistence: truth + 2 };
        return {
          ...day,
          p10: truth - 1,
          p50: truth + 2,
          p90: truth + 3,
          method: 'persistence' as const,
          candidates,
        };
      }),
    }));
    const forecast = skillWith(issued);
    for (const { error, ratioToMedian, ratioToPersistence, coverage } of forecast?.skill.horizons ?? []) {
      expect([ratioToPersistence, coverage]).toEqual([expect.closeTo(1, 9), 1]);
      expect([error, ratioToMedian]).toEqual([expect.closeTo(2, 9), expect.closeTo(2, 9)]);
    }
    expect(forecast?.days.map(({ method }) => method)).toEqual(Array(7).fill('median'));
  });
});

describe('bands', () => {
  it('hold eight in ten values of a noisy level', () => {
    const values = noisy(400, 50, 20);
    const { skill } = issue(seriesOf(values), 'at_anchor');
    for (const { coverage } of skill.horizons) expect(Math.abs(coverage - 0.8)).toBeLessThan(0.05);
  });
});
