/** The series of the charts: ports on the same days, and a year beside the year before it. */
import { expect, it } from '@jest/globals';
import { comparedChart, comparedTable } from '../../../portal/chart/compared.ts';
import { trendChart } from '../../../portal/chart/trend.ts';
import type { WaitSpread } from '../../../portal/chart/wait-spread.ts';
import { yearSeries } from '../../../portal/chart/year.ts';
import { compareSearch, readRoute } from '../../../portal/explorer/page-route.ts';

const spread = (hours: number): WaitSpread => ({
  days: 7,
  berthings: 9,
  averageHours: hours,
  openWaits: 0,
  p10Hours: 0,
  medianHours: hours,
  p90Hours: 2 * hours,
});

it('compared ports have every day that one of them has, with gaps where another has none', () => {
  const ports = [
    { place: 0, name: 'Hong Kong', spreads: new Map([['2026-02-27', spread(1)]]) },
    { place: 1, name: 'Kaohsiung', spreads: new Map([['2026-03-01', spread(3)]]) },
  ];
  expect(comparedChart(ports, 'p90Hours')).toMatchObject({
    times: ['2026-02-27', '2026-02-28', '2026-03-01'],
    lines: [{ values: [2, null, null] }, { values: [null, null, 6] }],
  });
  expect(comparedTable(ports, 'averageHours')).toEqual({
    columns: ['UTC day', 'Hong Kong, h', 'Kaohsiung, h'],
    rows: [
      ['2026-02-27', '1.0', ''],
      ['2026-02-28', '', ''],
      ['2026-03-01', '', '3.0'],
    ],
  });
  const empty = [{ place: 0, name: 'A', spreads: new Map() }];
  expect(comparedChart(empty, 'medianHours')).toMatchObject({ times: [], lines: [{ values: [] }] });
});

it('an average of too few berthings is a gap, and the waits of those that berthed are not', () => {
  const spreads = new Map([
    ['2026-02-27', spread(1)],
    ['2026-02-28', { ...spread(2), openWaits: 16 }],
  ]);
  const of = (measure: 'averageHours' | 'medianHours') =>
    comparedChart([{ place: 0, name: 'Hong Kong', spreads }], measure).lines.map(({ values }) => values);
  expect([of('averageHours'), of('medianHours')]).toEqual([[[1, null]], [[1, 2]]]);
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

it('an address names up to three ports, however people write them', () => {
  const ports = ['HKHKG', 'TWKHH'];
  expect(compareSearch(ports)).toBe('/?ports=HKHKG,TWKHH');
  expect(readRoute('?ports=HKHKG,TWKHH')).toEqual({ view: 'compare', ports });
  expect(readRoute('?ports=hkhkg%2C%20twkhh,HKHKG')).toEqual({ view: 'compare', ports });
  expect(readRoute('?ports=AAAAA,BBBBB,CCCCC,DDDDD')).toMatchObject({ ports: { length: 3 } });
  expect(readRoute('?ports=')).toMatchObject({ view: 'map' });
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
