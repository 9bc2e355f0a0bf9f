/** Alerts by quarter: those of a quarter are equal whether they are evaluated every day or once. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { alertsSince, periodStart } from '../../../core/metrics/alerts.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import { addDays, type Day, endOfDay, startOfDay } from '../../../core/reference/time.ts';
import { extent } from '../../builders/extent.ts';

const FIRST = '2026-01-01';

/** A queue of each day, and a score that follows from it. */
const daysOf = (queues: readonly number[]): DayFigures[] =>
  queues.map((queue, i) => ({
    day: addDays(FIRST, i),
    coverage: 1,
    vessels: 40,
    mostAtAnchor: queue,
    atAnchor: queue,
    avgWaitHours: queue,
    congestionScore: Math.min(1, queue / 60),
  }));

/** Evaluates at the end of each day, each time for the whole quarter of that day, as the ingest does. */
function evaluatedDaily(series: readonly DayFigures[]): Alert[] {
  let alerts: Alert[] = [];
  for (const [i, { day }] of series.entries()) {
    const fromAt = startOfDay(periodStart(day));
    const kept = alerts.filter(({ asOfAt }) => asOfAt <= fromAt);
    alerts = [...alertsSince(series.slice(0, i + 1), endOfDay(day), day), ...kept];
  }
  return alerts;
}

const once = (series: readonly DayFigures[], fromDay: Day = FIRST): Alert[] =>
  alertsSince(series, endOfDay(series.at(-1)?.day ?? FIRST), fromDay);

it.each([
  ['2026-01-01', '2026-01-01'],
  ['2026-03-31', '2026-01-01'],
  ['2026-04-01', '2026-04-01'],
  ['2026-12-31', '2026-10-01'],
])('%s is of the quarter from %s', (day, first) => {
  expect(periodStart(day)).toBe(first);
});

describe('alerts by quarter', () => {
  const calm = Array.from({ length: extent(120, 200) }, (_, i) => 8 + (i % 5));
  const withQueueOn = (...days: readonly Day[]): DayFigures[] =>
    daysOf(calm.map((queue, i) => (days.includes(addDays(FIRST, i)) ? 50 : queue)));
  const queueAlerts = (alerts: readonly Alert[]): string[] =>
    alerts
      .filter(({ type, metric }) => type === 'unusual' && metric === 'at_anchor')
      .map(({ asOfAt }) => new Date(asOfAt).toISOString());

  it('has one of the last day of a quarter once, as of the midnight that ends it', () => {
    const series = withQueueOn('2026-03-31');
    const expected = ['2026-04-01T00:00:00.000Z'];
    expect(queueAlerts(once(series))).toEqual(expected);
    expect(queueAlerts(evaluatedDaily(series))).toEqual(expected);
    expect(queueAlerts(once(series, '2026-03-31'))).toEqual(expected);
    expect(queueAlerts(once(series, '2026-04-01'))).toEqual([]);
  });

  it('has none of a queue that was alerted on the last day of the quarter before', () => {
    const series = withQueueOn('2026-03-31', '2026-04-01');
    expect(queueAlerts(once(series))).toEqual(['2026-04-01T00:00:00.000Z']);
    expect(queueAlerts(evaluatedDaily(series))).toEqual(['2026-04-01T00:00:00.000Z']);
  });

  it('are equal, evaluated every day or once', () => {
    const level = fc.constantFrom(5, 8, 10, 12, 30, 45, 60);
    const run = fc.tuple(level, fc.integer({ min: 1, max: 25 }));
    const queues = fc
      .array(run, { minLength: extent(12, 25), maxLength: 40 })
      .map((runs) =>
        runs.flatMap(([queue, days]) => Array<number>(days).fill(queue)).slice(0, extent(140, 280)),
      );
    let found = 0;
    fc.assert(
      fc.property(queues, (levels) => {
        const series = daysOf(levels);
        const alerts = once(series);
        found += alerts.length;
        expect(evaluatedDaily(series)).toEqual(alerts);
      }),
      { numRuns: extent(2, 30), seed: 2026 },
    );
    expect(found).toBeGreaterThan(0);
  });
});
