/** Threshold alerts: two days to raise, hysteresis to clear, one alert per episode. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import { addDays, endOfDay } from '../../../core/reference/time.ts';

const FIRST = '2026-03-01';
const rowsOf = (metric: 'congestionScore' | 'avgWaitHours', values: readonly (number | undefined)[]) =>
  values.map((value, i): DayFigures => {
    const row = { day: addDays(FIRST, i), coverage: 1, vessels: 5 };
    return value === undefined ? row : { ...row, [metric]: value };
  });
const scores = (values: readonly (number | undefined)[]) => rowsOf('congestionScore', values);
const alertsOf = (rows: readonly DayFigures[], days = rows.length): Alert[] =>
  evaluateAlerts(rows, { asOfAt: endOfDay(addDays(FIRST, days - 1)) }).filter(
    ({ type }) => type === 'threshold',
  );
const dayNumbers = (alerts: readonly Alert[]): number[] =>
  alerts.map(({ asOfAt }) => (asOfAt - endOfDay(FIRST)) / 86_400_000).reverse();

describe('a threshold alert', () => {
  it.each([
    [0.499, undefined],
    [0.5, 'low'],
    [0.599, 'low'],
    [0.6, 'medium'],
    [0.749, 'medium'],
    [0.75, 'high'],
    [1, 'high'],
  ])('of a score of %d on two days has severity %s', (score, severity) => {
    expect(alertsOf(scores([score, score]))[0]?.severity).toBe(severity);
  });

  it.each([
    [15.9, undefined],
    [16, 'low'],
    [23.9, 'low'],
    [24, 'medium'],
    [53.9, 'medium'],
    [54, 'high'],
  ])('of an average wait of %d h on two days has severity %s', (avgWaitHours, severity) => {
    expect(alertsOf(rowsOf('avgWaitHours', [avgWaitHours, avgWaitHours]))[0]?.severity).toBe(severity);
  });

  it('is compared with the median of the 28 days before, and with itself when there is none', () => {
    const quiet = (days: number) => Array.from({ length: days }, () => 0.1);
    // The median of 28 days is of 14 at 0.1 and 14 at 0.3; a day more at either end would move it.
    const half = Array.from({ length: 13 }, () => 0.3);
    const [alert] = alertsOf(scores([0.4, ...quiet(14), ...half, 0.6, 0.6]));
    expect(alert?.explain).toBe('congestion_score 0.6 is at or above 0.6 for 2 days (28-day median 0.2).');
    const unknown = scores([0.6, 0.6]);
    expect(alertsOf(unknown)[0]).toMatchObject({ changeFraction: 0 });
  });

  it('is not raised on one day, nor on two with a gap between them', () => {
    expect(alertsOf(scores([0.2, 0.9, 0.2, 0.9, 0.4]))).toEqual([]);
    expect(alertsOf(scores([0.2, 0.9, undefined, 0.9]))).toEqual([]);
    const rows = scores([0.2, 0.9, 0.1, 0.9]).filter((_row, i) => i !== 2);
    expect(alertsOf(rows, 4)).toEqual([]);
  });

  it('is raised once per episode, which lasts until the figure falls to the clearing level', () => {
    const values = [0.5, 0.5, 0.46, 0.52, 0.53, 0.45, 0.5, 0.52];
    expect(dayNumbers(alertsOf(scores(values)))).toEqual([1, 7]);
  });

  it('moves up with its episode, to the first day on which the higher line was reached', () => {
    const values = [0.5, 0.55, 0.62, 0.66, 0.7, 0.8, 0.9, 0.7, 0.95, 0.95];
    const alerts = alertsOf(scores(values));
    expect(alerts).toMatchObject([{ severity: 'high' }]);
    expect(dayNumbers(alerts)).toEqual([6]);
    expect(alerts[0]?.explain).toContain('0.9 is at or above 0.75');
  });

  it('ends its episode when no line was reached for four weeks', () => {
    const silence = Array.from({ length: 28 }, () => undefined);
    expect(dayNumbers(alertsOf(scores([0.6, 0.6, ...silence, 0.6, 0.6])))).toEqual([1, 31]);
    expect(dayNumbers(alertsOf(scores([0.6, 0.6, ...silence.slice(2), 0.6, 0.6])))).toEqual([1]);
  });

  it('is not raised on a running day', () => {
    const rows = scores([0.2, 0.9, 0.9]);
    expect(evaluateAlerts(rows, { asOfAt: endOfDay(addDays(FIRST, 2)) - 1000 })).toEqual([]);
    expect(evaluateAlerts(rows, { asOfAt: endOfDay(addDays(FIRST, 2)) })).toHaveLength(1);
  });

  it('has other lines for waits', () => {
    expect(alertsOf(rowsOf('avgWaitHours', [10, 30, 25, 15, 14.4, 60, 60]))).toMatchObject([
      { severity: 'high', metric: 'avg_wait_hours', changeFraction: 2 },
      { severity: 'medium', explain: 'avg_wait_hours 25 is at or above 24 for 2 days (28-day median 20).' },
    ]);
  });

  it('is never raised twice without the clearing level or four weeks between, whatever the scores', () => {
    const score = fc.oneof(
      fc.constant(undefined),
      fc.integer({ min: 30, max: 100 }).map((percent) => percent / 100),
    );
    fc.assert(
      fc.property(fc.array(score, { minLength: 2, maxLength: 80 }), (values) => {
        const days = dayNumbers(alertsOf(scores(values)));
        for (const [i, day] of days.slice(1).entries()) {
          const between = values.slice((days[i] ?? 0) + 1, day);
          const cleared = between.some((value) => value !== undefined && value <= 0.45);
          expect(cleared || between.length >= 27).toBe(true);
        }
      }),
    );
  });
});
