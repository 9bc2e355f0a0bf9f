/** Change-point alerts: rises and falls of a whole level, told once, in figures that the trend shows. */
import { describe, expect, it } from '@jest/globals';
import { plainDays } from '../../../accuracy/plain-days.ts';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import { median, sampleDeviation } from '../../../core/metrics/change-size.ts';
import type { Alert, AlertMetric, DailyMetrics } from '../../../core/metrics/figures.ts';
import { addDays, endOfDay } from '../../../core/reference/time.ts';
import { randomStream, standardNormal } from '../../../core/sources/sample-simulator/random.ts';

const FIRST = '2026-02-01';
const noise = randomStream('change-alerts');
/** A level with a little noise for so many days. */
const around = (level: number, deviation: number, days: number): number[] =>
  Array.from({ length: days }, () => Math.max(0, level + deviation * standardNormal(noise)));
const changes = (rows: readonly DailyMetrics[]): Alert[] =>
  evaluateAlerts(rows, { asOfAt: endOfDay('2027-12-31') }).filter(({ type }) => type === 'change_point');
const rowsOf = (values: readonly (number | null)[], metric: AlertMetric = 'avg_wait_hours') =>
  plainDays(values, metric, FIRST);

describe('a change-point alert', () => {
  it('tells a doubling as about 1, a week after it, with its first day', () => {
    const alerts = changes(rowsOf([...around(12, 1, 60), ...around(24, 1, 30)]));
    expect(alerts).toHaveLength(1);
    const [alert] = alerts;
    expect(alert).toMatchObject({ type: 'change_point', metric: 'avg_wait_hours' });
    expect(alert?.changeFraction).toBeGreaterThan(0.9);
    expect(alert?.changeFraction).toBeLessThan(1.1);
    expect(alert?.explain).toContain(`around ${addDays(FIRST, 60)}; 21 days before, 7 after`);
    expect(alert?.asOfAt).toBe(endOfDay(addDays(FIRST, 66)));
  });

  it('tells a fall as well as a rise', () => {
    const alerts = changes(rowsOf([...around(0.6, 0.02, 60), ...around(0.2, 0.02, 20)], 'congestion_score'));
    expect(alerts).toMatchObject([{ severity: 'high', metric: 'congestion_score' }]);
    expect(alerts[0]?.changeFraction).toBeCloseTo(-2 / 3, 1);
  });

  it('states numbers that the rows of the trend give again', () => {
    const rows = rowsOf([...around(10, 1.5, 70), ...around(31, 2, 20)]);
    const [alert] = changes(rows);
    const form =
      /^avg_wait_hours moved from ([\d.]+) to ([\d.]+) \(([+-]\d+)%\) around (\S{10}); (\d+) days before, (\d+) after, strength ([\d.]+)\.$/;
    const [, before, after, percent, day = '', daysBefore, daysAfter, strength] =
      form.exec(alert?.explain ?? '') ?? [];
    const changed = rows.findIndex((row) => row.day === day);
    const figure = (row: DailyMetrics): number => row.avgWaitHours ?? Number.NaN;
    const earlier = rows.slice(changed - Number(daysBefore), changed).map(figure);
    const newest = rows[changed + Number(daysAfter) - 1];
    expect(endOfDay(newest?.day ?? '')).toBe(alert?.asOfAt);
    expect(Number(after)).toBe(newest && figure(newest));
    expect(Number(before)).toBeCloseTo(median(earlier) ?? Number.NaN, 1);
    const size = Number(after) - Number(before);
    expect(Number(percent)).toBe(Math.round((100 * size) / Number(before)));
    expect(alert?.changeFraction).toBeCloseTo(size / Number(before), 4);
    expect(Number(strength)).toBeCloseTo(size / Math.max(sampleDeviation(earlier), 1.5), 1);
    expect(Number(daysBefore) + Number(daysAfter)).toBeLessThanOrEqual(28);
  });

  it('does not speak of changes that are significant but small', () => {
    expect(changes(rowsOf([...around(30, 0.3, 60), ...around(34, 0.3, 20)]))).toEqual([]);
    expect(changes(rowsOf([...around(1, 0.1, 60), ...around(5, 0.3, 20)]))).toEqual([]);
    expect(changes(rowsOf([...around(1, 0.1, 60), ...around(3.5, 0.2, 20)], 'at_anchor'))).toEqual([]);
  });

  it('grades by size and by how far it stands out', () => {
    const severityOf = (level: number) =>
      changes(rowsOf([...around(20, 1.5, 60), ...around(level, 1.5, 20)])).map(({ severity }) => severity);
    expect(severityOf(27.5)).toEqual(['low']);
    expect(severityOf(33)).toEqual(['medium']);
    expect(severityOf(45)).toEqual(['high']);
  });

  it('is told once, and keeps silent for two weeks after', () => {
    const pulse = [...around(5, 0.5, 60), ...around(40, 2, 9), ...around(5, 0.5, 40)];
    const alerts = changes(rowsOf(pulse));
    expect(alerts.length).toBeGreaterThanOrEqual(1);
    for (const [i, alert] of alerts.slice(1).entries()) {
      expect((alerts[i]?.asOfAt ?? 0) - alert.asOfAt).toBeGreaterThanOrEqual(14 * 86_400_000);
    }
    expect(changes(rowsOf([...around(5, 0.5, 60), ...around(40, 2, 60)]))).toHaveLength(1);
  });

  it('needs thirty days of history of which four fifths are known', () => {
    const step = [...around(5, 0.5, 16), ...around(40, 2, 12)];
    expect(changes(rowsOf(step))).toEqual([]);
    expect(changes(rowsOf([...around(5, 0.5, 12), ...step]))).toHaveLength(1);
    const holed = [...around(5, 0.5, 60), ...around(40, 2, 30)].map((value, i) => (i % 7 < 2 ? null : value));
    expect(changes(rowsOf(holed))).toEqual([]);
    const weekly = [...around(5, 0.5, 60), ...around(40, 2, 30)].map((value, i) =>
      i % 7 === 3 ? null : value,
    );
    expect(changes(rowsOf(weekly))).toHaveLength(1);
  });
});
