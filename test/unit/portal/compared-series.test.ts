/** Ports on the same days, and the address that names them. */
import { expect, it } from '@jest/globals';
import { comparedSeries, comparedTable } from '../../../portal/chart/compared-series.ts';
import type { WaitSpread } from '../../../portal/chart/wait-spread.ts';
import { compareSearch, readRoute } from '../../../portal/explorer/page-route.ts';

const spread = (hours: number): WaitSpread => ({
  days: 7,
  berthings: 9,
  averageHours: hours,
  openWaits: 0,
  medianHours: null,
  p90Hours: 2 * hours,
});

it('compared ports have every day that one of them has, with gaps where another has none', () => {
  const ports = [
    { name: 'Hong Kong', spreads: new Map([['2026-02-27', spread(1)]]) },
    { name: 'Kaohsiung', spreads: new Map([['2026-03-01', spread(3)]]) },
  ];
  expect(comparedSeries(ports, 'p90')).toEqual({
    days: ['2026-02-27', '2026-02-28', '2026-03-01'],
    values: [
      [2, null, null],
      [null, null, 6],
    ],
  });
  expect(comparedTable(ports, 'average')).toEqual({
    columns: ['UTC day', 'Hong Kong, h', 'Kaohsiung, h'],
    rows: [
      ['2026-02-27', '1.0', ''],
      ['2026-02-28', '', ''],
      ['2026-03-01', '', '3.0'],
    ],
  });
  expect(comparedSeries([{ name: 'A', spreads: new Map() }], 'median')).toEqual({ days: [], values: [[]] });
});

it('an address names up to three ports, however people write them', () => {
  const ports = ['HKHKG', 'TWKHH'];
  expect(compareSearch(ports)).toBe('/?ports=HKHKG,TWKHH');
  expect(readRoute('?ports=HKHKG,TWKHH')).toEqual({ view: 'compare', ports });
  expect(readRoute('?ports=hkhkg%2C%20twkhh,HKHKG')).toEqual({ view: 'compare', ports });
  expect(readRoute('?ports=AAAAA,BBBBB,CCCCC,DDDDD')).toMatchObject({ ports: { length: 3 } });
  expect(readRoute('?ports=')).toMatchObject({ view: 'map' });
});
