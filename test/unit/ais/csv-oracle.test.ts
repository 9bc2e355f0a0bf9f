/** The reader of NOAA's files beside another program's: DuckDB gives the same counts and sums of the same files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOAA_LAYOUT } from '../../../core/ais/decoders/csv-layouts.ts';
import { csvPositions } from '../../../core/ais/decoders/csv-positions.ts';
import type { Fix } from '../../../core/ais/fix.ts';
import { type NoaaLayout, noaaDays } from '../../bench/ais/day-files.ts';
import { type Duckdb, openDuckdb } from '../../bench/ais/duckdb.ts';
import { roadsteadWorld } from '../../bench/ais/roadstead-world.ts';
import { START } from './world.ts';

const sample = (name: string): string => fileURLToPath(new URL(`./samples/${name}`, import.meta.url));

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
type Totals = Readonly<Record<string, number>>;

function totalsOf(path: string): Totals {
  const fixes: Fix[] = [];
  const reader = csvPositions(NOAA_LAYOUT, (fix) => fixes.push({ ...fix }));
  reader.push(readFileSync(path));
  expect(reader.end().broken).toBe(0);
  const sums = FIELDS.map((field) => [field, fixes.reduce((sum, fix) => sum + fix[field], 0)] as const);
  const vessels = new Set(fixes.map(({ mmsi }) => mmsi)).size;
  return { rows: fixes.length, vessels, ...Object.fromEntries(sums) };
}

/** Columns of the layout of 2025 have other names and another order. */
const COLUMNS: Readonly<Record<NoaaLayout, readonly string[]>> = {
  '2024': ['MMSI', 'BaseDateTime', 'LAT', 'LON', 'SOG', 'Heading', 'VesselType', 'Status', 'IMO'],
  '2025': [
    'mmsi',
    'base_date_time',
    'latitude',
    'longitude',
    'sog',
    'heading',
    'vessel_type',
    'status',
    'imo',
  ],
};

async function oracle(duckdb: Duckdb, path: string, layout: NoaaLayout): Promise<Totals> {
  const [mmsi, time, latitude, longitude, speed, heading, type, status, imo] = COLUMNS[layout];
  const scaled = (column = '', digits: number): string =>
    `round(${column}::decimal(18, 9) * ${10 ** digits})`;
  const [row = []] = await duckdb.query(`select count(*), count(distinct ${mmsi}), sum(${mmsi}::bigint),
      sum(epoch(${time}::timestamp)), sum(${scaled(latitude, 5)}), sum(${scaled(longitude, 5)}),
      sum(coalesce(${scaled(speed, 1)}, -1)), sum(coalesce(${scaled(heading, 0)}, -1)),
      sum(coalesce(${scaled(type, 0)}, 0)), sum(coalesce(${scaled(status, 0)}, -1)),
      sum(coalesce(try_cast(regexp_extract(${imo}, '([0-9]{7})$', 1) as bigint), 0))
    from read_csv('${path}', header = true, all_varchar = true)`);
  return Object.fromEntries(['rows', 'vessels', ...FIELDS].map((name, index) => [name, Number(row[index])]));
}

describe('counts and sums of a file are those that DuckDB gives', () => {
  const directory = mkdtempSync(join(tmpdir(), 'oracle-'));
  let duckdb: Duckdb;
  beforeAll(async () => {
    duckdb = await openDuckdb(1);
  });
  afterAll(() => {
    duckdb.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(['AIS_2020_01_01_head.csv', 'AIS_2023-01-11_us_1000rows.csv', 'AIS_2024_01_01_head.csv'])(
    'of the real rows of %s',
    async (name) => {
      const totals = totalsOf(sample(name));
      expect(totals.rows).toBeGreaterThan(0);
      expect(await oracle(duckdb, sample(name), '2024')).toEqual(totals);
    },
  );

  it.each(['2024', '2025'] as const)('of a generated day in the layout of %s', async (layout) => {
    const { fixes } = roadsteadWorld({
      seed: 3,
      startAt: START,
      days: 1,
      vessels: 12,
      fixSeconds: 60,
      hard: true,
    });
    const [day] = noaaDays(fixes, layout);
    const path = join(directory, `${layout}.csv`);
    writeFileSync(path, day?.text ?? '');
    const totals = totalsOf(path);
    expect(totals.rows).toBeGreaterThan(5000);
    expect(await oracle(duckdb, path, layout)).toEqual(totals);
  });
});
