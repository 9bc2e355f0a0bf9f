/** Alerts as a whole: a function of the days, computed day by day or all at once. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALERT_RULES, watchedDays } from '../../../core/metrics/alert-rules.ts';
import { changeAlerts, EARLIER_ALERT_DAYS, evaluateAlerts } from '../../../core/metrics/alerts.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import { addDays, DAY_MS, endOfDay, startOfDay } from '../../../core/reference/time.ts';
import { extent } from '../../builders/extent.ts';

const FIRST = '2026-01-01';

/** Days in which the level of everything jumps now and then, with noise and lost days. */
const anySeries = fc
  .record({
    levels: fc.array(fc.tuple(fc.integer({ min: 10, max: 45 }), fc.integer({ min: 0, max: 100 })), {
      minLength: 2,
      maxLength: 4,
    }),
    noise: fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 30, maxLength: 30 }),
    lost: fc.array(fc.nat(150), { maxLength: 12 }),
  })
  .map(({ levels, noise, lost }) =>
    levels
      .flatMap(([days, level]) => Array.from({ length: days }, () => level))
      .map((level, i): DayFigures => {
        const day = addDays(FIRST, i);
        if (lost.includes(i)) return { day, coverage: 0.2, vessels: 1 };
        const value = Math.max(0, level + (noise[i % noise.length] ?? 0));
        const score = Math.min(1, value / 110);
        return {
          day,
          coverage: 1,
          vessels: 9,
          congestionScore: Math.round(score * 1000) / 1000,
          avgWaitHours: value,
          dayScore: score,
          dayWaitHours: value,
          dayAtAnchor: value / 3,
        };
      }),
  );

const everything = { asOfAt: endOfDay('2028-01-01') };

describe('alerts', () => {
  it('are the same computed day by day as all at once, for the days that are served', () => {
    fc.assert(
      fc.property(anySeries, (series) => {
        let stored: Alert[] = [];
        for (const [i, { day }] of series.entries()) {
          const [asOfAt, fromDay] = [endOfDay(day), addDays(day, -40)];
          const sofar = series.slice(0, i + 1);
          stored = [
            ...evaluateAlerts(sofar, { asOfAt, fromDay }),
            ...stored.filter((alert) => alert.asOfAt <= startOfDay(fromDay)),
          ];
          const served = (alerts: Alert[]) => alerts.filter((alert) => alert.asOfAt > asOfAt - 30 * DAY_MS);
          expect(served(stored)).toEqual(served(evaluateAlerts(sofar, { asOfAt })));
        }
      }),
      { numRuns: extent(1, 8), endOnFailure: true },
    );
  });

  it('do not change when later days are added, except for an episode that reaches a higher line', () => {
    fc.assert(
      fc.property(anySeries, fc.integer({ min: 1, max: 60 }), (series, later) => {
        const { day } = series.at(-1 - Math.min(later, series.length - 1)) ?? { day: FIRST };
        const early = evaluateAlerts(series, { asOfAt: endOfDay(day) });
        const late = evaluateAlerts(series, everything).filter(({ asOfAt }) => asOfAt <= endOfDay(day));
        const changesOf = (alerts: Alert[]) => alerts.filter(({ type }) => type === 'change_point');
        expect(changesOf(late)).toEqual(changesOf(early));
        for (const alert of late) expect(early).toContainEqual(alert);
      }),
      { numRuns: extent(6, 40) },
    );
  });

  it('are sorted newest first, with one short line and a bounded change each', () => {
    fc.assert(
      fc.property(anySeries, (series) => {
        const alerts = evaluateAlerts(series, everything);
        const order = alerts.map(({ asOfAt, metric, type }) => `${3e13 - asOfAt} ${metric} ${type}`);
        expect(order).toEqual([...order].sort());
        for (const { explain, changeFraction } of alerts) {
          expect(explain).toMatch(/^\S[^\n]{0,158}\.$/);
          expect(changeFraction).toBeGreaterThanOrEqual(-1);
          expect(changeFraction).toBeLessThanOrEqual(10);
        }
      }),
      { numRuns: extent(6, 40) },
    );
  });

  it('are limited to the days from `fromDay` on', () => {
    const series = Array.from({ length: 60 }, (_, i): DayFigures => {
      const congestionScore = i % 20 < 10 ? 0.8 : 0.1;
      return { day: addDays(FIRST, i), coverage: 1, vessels: 1, congestionScore };
    });
    const fromDay = addDays(FIRST, 21);
    expect(evaluateAlerts(series, everything)).toHaveLength(3);
    expect(evaluateAlerts(series, { ...everything, fromDay })).toHaveLength(2);
    expect(evaluateAlerts(series, { ...everything, fromDay: addDays(fromDay, 1) })).toHaveLength(1);
  });
});

describe('a level shift', () => {
  const found = (series: readonly DayFigures[]): Alert[] =>
    Object.values(ALERT_RULES).flatMap((rule) => changeAlerts(watchedDays(series, rule), rule));
  const isChange = ({ type }: Alert): boolean => type === 'change_point';

  it('is always raised, a rise as low where a threshold or an unusual figure came shortly before', () => {
    fc.assert(
      fc.property(anySeries, (series) => {
        const alerts = evaluateAlerts(series, everything);
        expect(alerts.filter(isChange)).toHaveLength(found(series).length);
        for (const shift of found(series)) {
          const known = series.filter(({ day }) => endOfDay(day) <= shift.asOfAt);
          const then = evaluateAlerts(known, { asOfAt: shift.asOfAt });
          const before = then.filter(
            (alert) => !isChange(alert) && alert.asOfAt >= shift.asOfAt - EARLIER_ALERT_DAYS * DAY_MS,
          );
          const severity = shift.changeFraction > 0 && before.length > 0 ? 'low' : shift.severity;
          expect(alerts).toContainEqual({ ...shift, severity });
        }
      }),
      { numRuns: extent(6, 40) },
    );
  });

  const steps = (levels: readonly (readonly [number, number])[]): DayFigures[] =>
    levels
      .flatMap(([days, level]) => Array.from({ length: days }, (_, i) => level + (i % 3)))
      .map((value, i) => ({
        day: addDays(FIRST, i),
        coverage: 1,
        vessels: 9,
        avgWaitHours: value,
        dayWaitHours: value,
      }));
  const shiftsOf = (series: readonly DayFigures[]) =>
    evaluateAlerts(series, everything)
      .filter(isChange)
      .map(({ severity, changeFraction }) => [severity, Math.sign(changeFraction)])
      .reverse();

  it.each([
    [
      'a rise over a line is low, and its fall as large as it is',
      [
        [40, 5],
        [30, 20],
        [40, 5],
      ],
      [
        ['low', 1],
        ['medium', -1],
      ],
    ],
    [
      'a rise below every line, of a port without a normal, is as large as it is',
      [
        [40, 4],
        [30, 12],
      ],
      [['high', 1]],
    ],
    [
      'a further rise within the same episode is as large as it is',
      [
        [40, 5],
        [20, 26],
        [30, 46],
      ],
      [
        ['low', 1],
        ['medium', 1],
      ],
    ],
  ] as const)('%s', (_, levels, shifts) => {
    expect(shiftsOf(steps(levels))).toEqual(shifts);
  });
});
