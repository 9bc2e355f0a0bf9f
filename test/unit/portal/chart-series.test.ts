/** The series of the charts: ports on the same days, and a year beside the year before it. */
import { expect, it } from '@jest/globals';
import { trendChart } from '../../../portal/chart/trend.ts';
import type { WaitSpread } from '../../../portal/chart/wait-spread.ts';
import { yearSeries } from '../../../portal/chart/year.ts';

const spread = (hours: number): WaitSpread => ({
  days: 7,
  berthings: 9,
  averageHours: hours,
  openWaits: 0,
  p10Hours: 0,
  medianHours: hours,
  p90Hours: 2 * hours,
});

it('an average of too few berthings is a gap, and the waits of those that berthed are not', () => {
  const spreads = new Map([
    ['2026-02-27', spread(1)],
    ['2026-02-28', { ...spread(2), openWaits: 16 }],
  ]);
  const days = [...spreads.keys()].map((date) => ({ date, congestion_score: 0.1, avg_wait_hours: 3 }));
  const { lines } = trendChart(days, { marks: [], spreads });
  expect(lines.map(({ values }) => values)).toEqual([
    [0.1, 0.1],
    [3, null],
    [2, null],
    [1, null],
    [9, null],
  ]);
});

it('a year has every day from the first with a row, gaps where there is none, and the same days a year before', () => {
  const spreads = new Map([
    ['2025-02-27', spread(7)],
    ['2025-02-28', spread(8)],
    ['2026-02-27', spread(1)],
    ['2026-03-01', spread(3)],
  ]);
  expect(yearSeries(spreads, '2026-03-01').yearBefore?.averageHours).toEqual([7, 8, null]);
  const young = new Map([...spreads].slice(2));
  expect(yearSeries(young, '2026-03-01')).toEqual({
    days: ['2026-02-27', '2026-02-28', '2026-03-01'],
    averageHours: [1, null, 3],
    p90Hours: [2, null, 6],
    yearBefore: undefined,
  });
  expect(yearSeries(new Map(), '2026-03-01')).toMatchObject({ days: [], yearBefore: undefined });
});

it('the year before lies on the same dates, and 29 February has none', () => {
  const spreads = new Map([
    ['2023-02-28', spread(5)],
    ['2023-03-01', spread(6)],
    ['2024-02-28', spread(1)],
    ['2024-03-01', spread(2)],
  ]);
  const { days, yearBefore } = yearSeries(spreads, '2024-03-01');
  const at = (day: string) => yearBefore?.averageHours[days.indexOf(day)];
  expect([at('2024-02-28'), at('2024-02-29'), at('2024-03-01')]).toEqual([5, null, 6]);
});
