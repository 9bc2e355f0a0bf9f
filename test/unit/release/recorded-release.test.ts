/** The release that a first start begins with: figures of many calls, all of them replayed, and no figure where nothing is known. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import type { ReleaseRow, ReleaseTable } from '../../../core/release/columns.ts';
import { importRelease } from '../../../core/release/import-release.ts';
import { type OpenedRelease, openRelease } from '../../../core/release/release-reader.ts';
import { INGEST_TABLES } from '../../../core/store/tables.ts';
import { memoryTables } from '../../builders/memory-table.ts';
import { readHandlers } from '../../builders/read-handlers.ts';

const NOW = Date.UTC(2025, 9, 4, 14, 20, 27);
const path = { UNLOCODE: 'TWKHH' };
const tables = memoryTables(INGEST_TABLES);
const reads = readHandlers(tables, () => NOW, { replays: true });
let release: OpenedRelease;
beforeAll(async () => {
  release = await openRelease(fileURLToPath(new URL('../../../recordings/release', import.meta.url)));
  await importRelease(release, tables, () => NOW);
});

async function rowsOf(table: ReleaseTable): Promise<ReleaseRow[]> {
  const rows: ReleaseRow[] = [];
  for await (const group of release.rows(table)) rows.push(...group);
  return rows;
}

it('has no single call, and says that its figures were made afterwards', async () => {
  expect(await rowsOf('calls')).toEqual([]);
  expect(release.manifest.sources).toMatchObject([{ id: 'tipc-taiwan', calls: false, replayed: true }]);
  for (const table of [
    'vintages_trend',
    'vintages_waits',
    'vintages_alerts',
    'vintages_ports',
    'days',
  ] as const)
    for (const row of await rowsOf(table)) expect(row.backfilled).toBe(true);
  for (const table of ['forecasts', 'alerts_raised'] as const)
    for (const row of await rowsOf(table)) expect(row.replayed).toBe(true);
  expect((await reads.dwell({ path, query: { window: ['30d'], until: ['2025-09-30'] } })).body).toBe('[]');
});

it('has no score of a day that is hardly covered, as the last ones of months', async () => {
  const thin = (await rowsOf('days')).filter(({ coverage }) => Number(coverage) < 0.8);
  expect(thin.map(({ date }) => String(date))).toEqual(
    expect.arrayContaining(['2025-01-31', '2025-05-30', '2025-07-30', '2025-07-31']),
  );
  for (const row of thin) expect(row).toMatchObject({ congestion_score: null, avg_wait_hours: null });
});

it('knew each of the five stops within a day', async () => {
  const raised = (await rowsOf('alerts_raised')).filter(
    ({ metric, steps_severity }) => metric === 'berthings' && (steps_severity as string[]).includes('high'),
  );
  const hours = raised.map(({ since, steps_known }) =>
    (steps_known as string[]).map((text) => (Date.parse(text) - Number(since)) / 3_600_000),
  );
  expect(raised.map(({ steps_known }) => (steps_known as string[])[0]?.slice(0, 10))).toEqual([
    '2025-06-13',
    '2025-07-05',
    '2025-07-30',
    '2025-08-13',
    '2025-09-22',
  ]);
  for (const [medium = Infinity, high = Infinity] of hours) {
    expect(medium).toBeLessThan(12);
    expect(high).toBeLessThan(24);
  }
});

it('serves the alerts of a day as they were at its end', async () => {
  const { body } = await reads.alerts({ path, query: { days: ['1'], as_of: ['2025-09-22'] } });
  expect(JSON.parse(body).map(({ severity }: { severity: string }) => severity)).toEqual(['high', 'medium']);
});
