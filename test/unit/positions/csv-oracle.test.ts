/** The reader of day files beside other programs: counts and sums of NOAA's files by DuckDB 1.5.5, of a Danish one by Python's csv module. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type CsvLayout,
  CsvPositions,
  DANISH_LAYOUT,
  NOAA_LAYOUT,
} from '../../../core/positions/decoders/csv-positions.ts';
import type { Fix } from '../../../core/positions/fix.ts';
import { noaaDays } from '../../worlds/traffic/day-files.ts';
import { roadsteadWorld } from '../../worlds/traffic/roadstead-world.ts';
import { START } from './world.ts';

const FIELDS = [
  'mmsi',
  'time',
  'latitude',
  'longitude',
  'speed',
  'heading',
  'vesselType',
  'status',
  'imo',
] as const;

/** Rows, vessels, and the sum of each field in the units of a fix. */
function totalsOf(bytes: Uint8Array, layout: CsvLayout = NOAA_LAYOUT): string {
  const fixes: Fix[] = [];
  const reader = new CsvPositions(layout, (fix) => fixes.push({ ...fix }));
  reader.push(bytes);
  expect(reader.end().broken).toBe(0);
  const sums = FIELDS.map((field) => fixes.reduce((sum, fix) => sum + fix[field], 0));
  return [fixes.length, new Set(fixes.map(({ mmsi }) => mmsi)).size, ...sums].join(' ');
}

describe('counts and sums of a file are those of another program', () => {
  it.each([
    ['AIS_2020_01_01_head.csv', '9 9 2951108918 14200531245 30031440 -90425104 158 3353 280 15 14109228'],
    [
      'AIS_2023-01-11_us_1000rows.csv',
      '1000 1000 370736587925 1673395463366 3366286109 -9346097351 32067 321794 45985 3855 3527504933',
    ],
    [
      'AIS_2024_01_01_head.csv',
      '99 99 37263436289 168702653178 348176559 -930154209 2518 31864 4852 282 375872286',
    ],
  ])('of the real rows of %s', (name, totals) => {
    expect(totalsOf(readFileSync(new URL(`./samples/${name}`, import.meta.url)))).toBe(totals);
  });

  it('of real rows of a Danish day, with commas and quotes in names', () => {
    const bytes = readFileSync(new URL('./samples/aisdk-2026-09-05_92rows.csv', import.meta.url));
    expect(totalsOf(bytes, DANISH_LAYOUT)).toBe(
      '92 29 30627626375 164548152422 549035103 86602312 1633 16939 4156 139 317561776',
    );
  });

  it.each(['2024', '2025'] as const)('of a generated day in the layout of %s', (layout) => {
    const { fixes } = roadsteadWorld({
      seed: 3,
      startAt: START,
      days: 1,
      vessels: 12,
      fixSeconds: 60,
      hard: true,
    });
    const [day] = noaaDays(fixes, layout);
    expect(totalsOf(new TextEncoder().encode(day?.text))).toBe(
      '16612 17 4171399149197 29363557316885 58966462017 -163525078047 314667 3479302 1095339 69540 0',
    );
  });
});
