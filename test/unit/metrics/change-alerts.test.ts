/** Change-point alerts: rises and falls of a level, reported once, in figures that the trend shows. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALERT_RULES, watchedDays } from '../../../core/metrics/alert-rules.ts';
import { changeAlert, evaluateAlerts, percent } from '../../../core/metrics/alerts.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import type { LevelMetric } from '../../../core/reference/figure-names.ts';
import { addDays, endOfDay } from '../../../core/reference/time.ts';
import { randomStream, standardNormal } from '../../../core/sources/sample-simulator/source.ts';
import { recomputed, statedChange } from '../../builders/stated-change.ts';
import { plainDays } from '../../detector/noise.ts';

const FIRST = '2026-02-01';
/** A level with a little noise for `days`: the same noise for the same arguments. */
function around(level: number, deviation: number, days: number, seed = 0): number[] {
  const noise = randomStream('change-alerts', level, deviation, days, seed);
  return Array.from({ length: days }, () => Math.max(0, level + deviation * standardNormal(noise)));
}
const changes = (rows: readonly DayFigures[]): Alert[] =>
  evaluateAlerts(rows, { asOfAt: endOfDay('2027-12-31') }).filter(({ type }) => type === 'change_point');
const rowsOf = (values: readonly (number | null)[], metric: LevelMetric = 'avg_wait_hours') =>
  plainDays(values, metric, FIRST);

/** The severity of a step from 20 to `level` hours that stands out by `gate` standard errors. */
function severityOf(level: number, gate: number): string | undefined {
  const rule = ALERT_RULES.avg_wait_hours;
  const values = Array.from({ length: 70 }, (_, i) => (i < 60 ? 20 : level));
  const days = watchedDays(rowsOf(values), rule);
  const point = { index: 60, from: 0, to: 70, gate, step: level - 20 };
  return changeAlert(days, days, point, rule)?.severity;
}

interface Step {
  readonly metric?: LevelMetric;
  /** Days at the level before, and at the level after. */
  readonly days?: readonly [number, number];
  readonly levels?: readonly [number, number];
  /** First index of the level before: later than 0 when another level precedes it. */
  readonly from?: number;
}

/** The alert of a clean step that stands out far. */
function stepAlert({ metric = 'avg_wait_hours', days = [60, 9], levels = [10, 30], from = 0 }: Step) {
  const rule = ALERT_RULES[metric];
  const values = days.flatMap((count, i) => Array.from({ length: count }, () => levels[i] ?? 0));
  const watched = watchedDays(rowsOf(values, metric), rule);
  const [index] = days;
  const point = { index, from, to: values.length, gate: 50, step: levels[1] - levels[0] };
  return changeAlert(watched, watched, point, rule);
}

const trendOf = (rows: readonly DayFigures[]) =>
  rows.flatMap(({ day, avgWaitHours: figure }) => (figure === undefined ? [] : [{ day, figure }]));

describe('a change-point alert', () => {
  it('needs more evidence from a short history', () => {
    const step = [...around(16, 4, 22, 4), ...around(28, 4, 14, 4)];
    expect(changes(rowsOf(step))).toEqual([]);
    expect(changes(rowsOf([...around(16, 4, 60, 5), ...step]))).toHaveLength(1);
  });

  it('reports a doubling as about 1, nine days after it, with its first day', () => {
    const alerts = changes(rowsOf([...around(12, 1, 60), ...around(24, 1, 30)]));
    expect(alerts).toHaveLength(1);
    const [alert] = alerts;
    expect(alert).toMatchObject({ type: 'change_point', metric: 'avg_wait_hours' });
    expect(alert?.changeFraction).toBeGreaterThan(0.9);
    expect(alert?.changeFraction).toBeLessThan(1.1);
    expect(statedChange(alert?.explain ?? '')).toMatchObject({
      day: addDays(FIRST, 60),
      rowsBefore: 19,
      rowsAfter: 3,
    });
    expect(alert?.asOfAt).toBe(endOfDay(addDays(FIRST, 68)));
  });

  it.each([
    [40, 6, 'high'],
    [40, 5.9, 'medium'],
    [39.9, 6, 'medium'],
    [30, 5, 'medium'],
    [30, 4.9, 'low'],
    [29.9, 9, 'low'],
    [26, 4, 'low'],
    [25.9, 9, undefined],
    [14.1, 9, undefined],
    [14, 4, 'low'],
    [10.1, 9, 'low'],
    [10, 5, 'low'],
    [10, 5.9, 'low'],
    [10, 6, 'medium'],
    [0, 50, 'medium'],
  ])('from 20 h to %d h with gate %d has severity %s', (level, gate, severity) => {
    expect(severityOf(level, gate)).toBe(severity);
  });

  it('waits for three rows wholly after the change, and comes no later than fourteen days after it', () => {
    expect(stepAlert({ days: [60, 8] })).toBeUndefined();
    expect(stepAlert({ days: [60, 9] })?.explain).toContain('19-day median before, 3-day median after');
    expect(stepAlert({ days: [60, 14] })?.explain).toContain('14-day median before, 8-day median after');
    expect(stepAlert({ days: [60, 15] })).toBeUndefined();
  });

  it('needs five rows before the change', () => {
    expect(stepAlert({ days: [5, 9] })?.explain).toContain('5-day median before');
    expect(stepAlert({ days: [4, 9] })).toBeUndefined();
  });

  it('does not count rows whose week reaches back over an earlier change', () => {
    // The level before began on day 45: from day 51 on a row looks back on it alone.
    expect(stepAlert({ from: 45 })?.explain).toContain('9-day median before');
    expect(stepAlert({ from: 20 })?.explain).toContain('19-day median before');
    // In a short level the last seven rows count as they are.
    expect(stepAlert({ from: 48 })?.explain).toContain('7-day median before');
    expect(stepAlert({ from: 52 })?.explain).toContain('7-day median before');
    expect(stepAlert({ from: 54 })?.explain).toContain('6-day median before');
  });

  it.each([
    ['congestion_score', [0.2, 0.25], [0.2, 0.249]],
    ['congestion_score', [0.25, 0.2], [0.249, 0.2]],
    ['avg_wait_hours', [10, 16], [10, 15.9]],
    ['at_anchor', [9, 12], [9, 11.9]],
  ] as const)('of %s is raised from %j on and not for %j', (metric, enough, tooSmall) => {
    expect(stepAlert({ metric, levels: enough })).toMatchObject({ type: 'change_point', metric });
    expect(stepAlert({ metric, levels: tooSmall })).toBeUndefined();
  });

  it('of a large figure is raised from a fifth on', () => {
    expect(stepAlert({ levels: [100, 120] })).toBeDefined();
    expect(stepAlert({ levels: [100, 119.9] })).toBeUndefined();
  });

  it('is relative to the floor of its metric where the level before lies below it', () => {
    expect(stepAlert({ levels: [0, 8] })?.changeFraction).toBe(8);
    expect(stepAlert({ levels: [0.5, 8] })?.changeFraction).toBe(7.5);
    expect(stepAlert({ metric: 'at_anchor', levels: [0.5, 8] })?.changeFraction).toBe(7.5);
    expect(stepAlert({ metric: 'congestion_score', levels: [0.01, 0.11] })?.changeFraction).toBe(2);
    expect(stepAlert({ levels: [0, 60] })?.changeFraction).toBe(10);
  });

  it('is not raised when the served figures move the other way', () => {
    const rule = ALERT_RULES.avg_wait_hours;
    const days = watchedDays(rowsOf([...around(10, 0, 60), ...around(30, 0, 9)]), rule);
    const point = { index: 60, from: 0, to: 69, gate: 50, step: -20 };
    expect(changeAlert(days, days, point, rule)).toBeUndefined();
  });

  it('states medians that the rows of the trend give again', () => {
    const level = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(
        level,
        level,
        fc.integer({ min: 0, max: 5 }),
        fc.nat(89),
        fc.nat(),
        (from, to, spread, lost, seed) => {
          const values = [...around(from, spread, 60, seed), ...around(to, spread, 30, seed)];
          const rows = rowsOf(values.map((value, i) => (i === lost ? null : value)));
          for (const { explain, asOfAt, changeFraction } of changes(rows)) {
            const stated = statedChange(explain);
            const found = recomputed(stated, trendOf(rows), asOfAt);
            expect(Math.abs(stated.before - found.before)).toBeLessThan(0.051);
            expect(Math.abs(stated.after - found.after)).toBeLessThan(0.051);
            expect([stated.rowsBefore, stated.rowsAfter]).toEqual([found.rowsBefore, found.rowsAfter]);
            expect(stated.rowsAfter).toBeGreaterThanOrEqual(3);
            const hundredths = Math.round(Math.abs(changeFraction) * 10_000);
            expect(stated.percent).toBe(Math.sign(changeFraction) * Math.round(hundredths / 100));
            const newest = rows.findIndex(({ day }) => endOfDay(day) === asOfAt);
            expect(addDays(rows[newest]?.day ?? '', -27) <= addDays(stated.day, -stated.rowsBefore)).toBe(
              true,
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is reported once, and no other follows on the metric for two weeks', () => {
    const pulse = [...around(5, 0.5, 60), ...around(40, 2, 9), ...around(5, 0.5, 40)];
    const alerts = changes(rowsOf(pulse));
    expect(alerts.length).toBeGreaterThanOrEqual(1);
    for (const [i, alert] of alerts.slice(1).entries()) {
      expect((alerts[i]?.asOfAt ?? 0) - alert.asOfAt).toBeGreaterThanOrEqual(14 * 86_400_000);
    }
    expect(changes(rowsOf([...around(5, 0.5, 60), ...around(40, 2, 60)]))).toHaveLength(1);
  });

  it('is raised again fourteen days after the last one', () => {
    const alerts = changes(rowsOf([...around(10, 0, 60), ...around(30, 0, 14), ...around(90, 0, 20)]));
    expect(alerts.map(({ asOfAt }) => asOfAt)).toEqual([82, 68].map((day) => endOfDay(addDays(FIRST, day))));
  });

  it('is that of the change that stands out most where two could be reported at once', () => {
    const reported = (between: number, after: number) => {
      const levels = [...around(10, 0, 16), ...around(between, 0, 5), ...around(after, 0, 9)];
      return changes(rowsOf(levels)).map(({ explain }) => statedChange(explain).day);
    };
    expect(reported(30, 90)).toEqual([addDays(FIRST, 16)]);
    expect(reported(16, 60)).toEqual([addDays(FIRST, 21)]);
  });

  it('is raised on the thirtieth day of history, not before', () => {
    const step = (before: number) => [...around(5, 0, before), ...around(40, 0, 9)];
    expect(changes(rowsOf(step(20)))).toEqual([]);
    expect(changes(rowsOf(step(21)))).toHaveLength(1);
  });

  it('needs thirty days of history with four fifths of them known', () => {
    const step = [...around(5, 0.5, 16), ...around(40, 2, 12)];
    expect(changes(rowsOf(step))).toEqual([]);
    expect(changes(rowsOf([...around(5, 0.5, 12), ...step]))).toHaveLength(1);
    const holed = (isUnknown: (day: number) => boolean) =>
      [...around(5, 0.5, 60), ...around(40, 2, 30)].map((value, i) => (isUnknown(i) ? null : value));
    expect(changes(rowsOf(holed((i) => i % 7 < 2)))).toEqual([]);
    expect(changes(rowsOf(holed((i) => i % 7 === 3)))).toHaveLength(1);
  });
});

describe('the weekly figure of vessels at anchor', () => {
  const figuresOf = (rows: readonly DayFigures[]) =>
    watchedDays(rows, ALERT_RULES.at_anchor).map(({ figure }) => figure);
  const dayAtAnchor = (values: readonly (number | null)[]) => rowsOf(values, 'at_anchor');

  it('is the mean of the last seven days, 1 decimal', () => {
    expect(figuresOf(dayAtAnchor([1, 2, 3, 4, 5, 6, 7, 8, 9])).slice(-3)).toEqual([4, 5, 6]);
    expect(figuresOf(dayAtAnchor([0, 0, 0, 0, 0, 0, 1])).at(-1)).toBe(0.1);
  });

  it('needs the day itself and five known days of the seven', () => {
    expect(figuresOf(dayAtAnchor([2, 2, 2, 2]))).toEqual([undefined, undefined, undefined, undefined]);
    expect(figuresOf(dayAtAnchor([2, 2, 2, 2, 2])).at(-1)).toBe(2);
    expect(figuresOf(dayAtAnchor([2, null, 2, null, 2, 2, 2])).at(-1)).toBe(2);
    expect(figuresOf(dayAtAnchor([2, null, null, null, 2, 2, 2])).at(-1)).toBeUndefined();
    expect(figuresOf(dayAtAnchor([2, 2, 2, 2, 2, 2, null])).at(-1)).toBeUndefined();
  });

  it('looks back over days of the calendar, not over rows', () => {
    const rows = dayAtAnchor([9, 9, 2, 2, 2, 2, 2, 2, 2, 2]).filter((_row, i) => i !== 4);
    expect(figuresOf(rows).at(-2)).toBe(2);
  });
});

it.each([
  // The double nearest to 1.005 is a little less; half away from zero, as every other figure.
  [10, 20.1, 1.005, '+101%'],
  [10, 5.8, -0.415, '-42%'],
  [10, 10, 0, '+0%'],
  // The figures give a greater percentage than the floor or the maximum lets it be.
  [0.4, 8, 7.6, '+760% or more'],
  [0, 68.4, 10, '+1000% or more'],
  [2, 28, 10, '+1000% or more'],
  [2, 22, 10, '+1000%'],
  [8, 0, -1, '-100%'],
])('states the change from %p to %p, %p, as %s', (before, after, fraction, stated) => {
  expect(percent(before, after, fraction)).toBe(stated);
});
