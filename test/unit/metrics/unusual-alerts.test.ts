/** Alerts against a port's own normal: what is unusual, when it is said, and that it is said once. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import { addDays, DAY_MS, endOfDay, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { extent } from '../../builders/extent.ts';

const FIRST = '2026-01-01';
/** Values within two of a level, without chance. */
const around = (level: number, i: number): number => level + ((i * 7) % 5) - 2;

type Figures = Pick<DayFigures, 'mostAtAnchor' | 'avgWaitHours'>;

/** Calm days, and those of `special` by their number. */
function daysOf(count: number, special: Readonly<Record<number, Partial<Figures>>> = {}): DayFigures[] {
  return Array.from({ length: count }, (_, i) => ({
    day: addDays(FIRST, i),
    coverage: 1,
    vessels: 40,
    mostAtAnchor: around(10, i),
    avgWaitHours: around(4, i),
    ...special[i],
  }));
}

const unusual = (rows: readonly DayFigures[], asOfAt = endOfDay(rows.at(-1)?.day ?? FIRST)): Alert[] =>
  evaluateAlerts(rows, { asOfAt }).filter(({ type }) => type === 'unusual');

describe('a port’s own normal', () => {
  it('is made from at least 60 days', () => {
    expect(unusual(daysOf(60, { 59: { mostAtAnchor: 60 } }))).toEqual([]);
    expect(unusual(daysOf(61, { 60: { mostAtAnchor: 60 } }))).toHaveLength(1);
  });

  it('forgets what is more than a year old', () => {
    const once = Object.fromEntries([5, 6, 7, 8].map((day) => [day, { mostAtAnchor: 300 }]));
    expect(unusual(daysOf(301, { ...once, 300: { mostAtAnchor: 40 } }))).toEqual([]);
    expect(unusual(daysOf(401, { ...once, 400: { mostAtAnchor: 40 } }))).toHaveLength(1);
  });

  it('raises nothing on calm days', () => {
    expect(unusual(daysOf(400))).toEqual([]);
  });
});

describe('an unusual figure', () => {
  it('of a queue states the number, the usual range and since when', () => {
    const queued = { mostAtAnchor: 13 };
    expect(unusual(daysOf(101, { 98: queued, 99: queued, 100: { mostAtAnchor: 24 } }))).toEqual([
      {
        type: 'unusual',
        metric: 'at_anchor',
        severity: 'high',
        changeFraction: 1.4,
        asOfAt: endOfDay('2026-04-11'),
        explain:
          'at_anchor 24 at one time, 8 to 12 is usual here (5th to 95th percentile of 100 days), above that since 2026-04-09.',
      },
    ]);
  });

  it('of the wait is the served average', () => {
    const severityOf = (avgWaitHours: number) => unusual(daysOf(101, { 100: { avgWaitHours } }))[0]?.severity;
    // The median is 4 h and the line 9 h.
    expect([9, 9.1, 11.4, 11.5, 13.9, 14].map(severityOf)).toEqual([
      undefined,
      'low',
      'low',
      'medium',
      'medium',
      'high',
    ]);
    const [alert] = unusual(daysOf(101, { 100: { avgWaitHours: 11.4 } }));
    expect(alert).toMatchObject({ metric: 'avg_wait_hours', severity: 'low', changeFraction: 1.85 });
    expect(alert?.explain).toBe(
      'avg_wait_hours 11.4, 2 to 6 is usual here (5th to 95th percentile of 100 days), above that since 2026-04-11.',
    );
  });
});

describe('an episode', () => {
  const queue = (...days: number[]) =>
    daysOf(140, Object.fromEntries(days.map((day) => [day, { mostAtAnchor: 40 }])));
  const reportedOn = (rows: readonly DayFigures[]) =>
    unusual(rows).map(({ asOfAt }) => (asOfAt - endOfDay(FIRST)) / DAY_MS);

  it('has one alert, on its first day, and ends with seven days that are not unusual', () => {
    expect(reportedOn(queue(100, 101, 103, 110))).toEqual([100]);
    expect(reportedOn(queue(100, 108))).toEqual([108, 100]);
  });

  it('has another alert when it becomes more severe, and none when it eases', () => {
    const queues = (...counts: number[]) =>
      daysOf(140, Object.fromEntries(counts.map((mostAtAnchor, i) => [100 + i, { mostAtAnchor }])));
    const severities = (...counts: number[]) =>
      unusual(queues(...counts))
        .reverse()
        .map(({ severity, asOfAt }) => `${severity} ${(asOfAt - endOfDay(FIRST)) / DAY_MS}`);
    expect(severities(14, 14, 16, 40, 16, 40)).toEqual(['low 100', 'medium 102', 'high 103']);
    expect(severities(40, 14, 16)).toEqual(['high 100']);
  });

  it('does not begin before the range that it states', () => {
    // The 95th percentile is 11.55, which is stated as 12, and so twelve is not above it.
    const rows = daysOf(71).map((row, i) => ({
      ...row,
      mostAtAnchor: [5, 25, 45, 69].includes(i) ? 12 : 11,
    }));
    const last = { ...daysOf(71, { 70: { mostAtAnchor: 24 } }).at(-1) } as DayFigures;
    expect(unusual([...rows.slice(0, 70), last])[0]?.explain).toBe(
      'at_anchor 24 at one time, 11 to 12 is usual here (5th to 95th percentile of 70 days), above that since 2026-03-12.',
    );
  });

  it('is stated on its first day while that runs, as of the newest observation', () => {
    const rows = daysOf(101, { 100: { mostAtAnchor: 40 } });
    const noonAt = startOfDay('2026-04-11') + 12 * HOUR_MS;
    const dayAlerts = evaluateAlerts(rows, { asOfAt: noonAt, fromDay: '2026-04-11' });
    expect(dayAlerts).toEqual(unusual(rows, noonAt));
    expect(dayAlerts).toMatchObject([{ metric: 'at_anchor', asOfAt: noonAt }]);
    expect(unusual(rows)).toEqual([{ ...dayAlerts[0], asOfAt: endOfDay('2026-04-11') }]);
  });

  it('is the same computed day by day from 372 days before as all at once', () => {
    const days = fc.array(fc.tuple(fc.nat(500), fc.integer({ min: 11, max: 40 })), { maxLength: 30 });
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 60 }), (special, ago) => {
        const rows = daysOf(
          501,
          Object.fromEntries(special.map(([day, count]) => [day, { mostAtAnchor: count }])),
        );
        const asOfAt = endOfDay(rows.at(-1)?.day ?? FIRST);
        const fromDay = addDays(rows.at(-1)?.day ?? FIRST, -ago);
        const enough = rows.filter(({ day }) => day >= addDays(fromDay, -372));
        const since = (alerts: Alert[]) => alerts.filter((alert) => alert.asOfAt > startOfDay(fromDay));
        expect(evaluateAlerts(enough, { asOfAt, fromDay }).filter(({ type }) => type === 'unusual')).toEqual(
          since(unusual(rows)),
        );
      }),
      { numRuns: extent(4, 60), endOnFailure: true },
    );
  });
});
