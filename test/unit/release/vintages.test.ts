/** Vintages and methodologies in a release. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { METHODOLOGY_VERSION } from '../../../core/metrics/figures.ts';
import { addDays, type Day, dayOf, daysBetween, endOfDay } from '../../../core/reference/time.ts';
import type { ArchivedFetch, Source } from '../../../core/upstream/source.ts';
import { duckdbRows, withInstants } from '../../builders/duckdb.ts';
import { extent, longIt } from '../../builders/extent.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { readHandlers } from '../../builders/read-handlers.ts';
import { simulatedDays } from '../../builders/simulated-days.ts';
import { releaseInto } from '../../builders/written-release.ts';
import { callSource, importSource, portFetches, tradeFetches, WORLD } from '../../faults/many-replies.ts';

const START = Date.UTC(2026, 0, 5);
const root = mkdtempSync(join(tmpdir(), 'vintages-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Archive = readonly (readonly [Source, Iterable<ArchivedFetch>])[];

/** Archives the fetches, oldest first, and applies each at its time. */
async function replay(ingest: MemoryIngest, archive: Archive): Promise<void> {
  const fetches = archive.flatMap(([source, fetched]) => [...fetched].map((fetch) => ({ source, ...fetch })));
  for (const { source, fetchedAt, files } of fetches.sort((a, b) => a.fetchedAt - b.fetchedAt)) {
    ingest.clock.nowAt = fetchedAt + 1000;
    await ingest.archive.write(source.declaration.id, fetchedAt, files);
    await ingest.pass(source, { ask: false });
  }
}

type Rows = readonly Record<string, unknown>[];
const text = (rows: Rows): string[] => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

/** Compares every day; returns how many rows were equal, and how many of them have changed since. */
async function compare(
  ingest: MemoryIngest,
  sources: readonly Source[],
  ports: readonly string[],
  codes: readonly string[] = [],
) {
  const lastDay = dayOf(ingest.clock.nowAt);
  const release = addDays(lastDay, 1);
  ingest.clock.nowAt = endOfDay(lastDay);
  const folder = mkdtempSync(join(root, 'dataset-'));
  const declarations = sources.map(({ declaration }) => declaration);
  const { manifest } = await releaseInto(folder, { tables: ingest.tables, day: release, declarations });
  const api = readHandlers(ingest.tables, () => ingest.clock.nowAt, { replays: true });
  const tables = new Set(manifest.files.map(({ table }) => table));
  const known = async (table: string, day: Day, where: string) =>
    tables.has(`vintages_${table}`)
      ? duckdbRows(
          `SELECT * EXCLUDE (known_from, known_to, backfilled, methodology, source, licence${table === 'ports' ? ', arrivals_24h, departures_24h' : ''})
       FROM read_parquet('${folder}/release=${release}/table=vintages_${table}/**/*.parquet', hive_partitioning = false)
       WHERE known_from <= DATE '${day}' AND (known_to IS NULL OR known_to > DATE '${day}') AND ${where}`,
        )
      : [];
  const counts = { rows: 0 };
  const expectEqual = (found: Rows, served: Rows) => {
    expect(text(found)).toEqual(text(served));
    counts.rows += served.length;
  };
  for (const day of daysBetween(dayOf(START), lastDay).filter((_, n) => n % extent(3, 1) === 0)) {
    const served = async (
      operation: 'trend' | 'waits' | 'alerts' | 'hsImports' | 'ports',
      path = {},
      query = {},
    ) =>
      JSON.parse((await api[operation]({ path, query: { ...query, as_of: [day] } })).body) as Record<
        string,
        unknown
      >[];
    const window = `> DATE '${day}' - 30`;
    const all: Record<'trend' | 'waits' | 'alerts', Record<string, unknown>[]> = {
      trend: [],
      waits: [],
      alerts: [],
    };
    for (const port of ports) {
      const path = { UNLOCODE: port };
      for (const series of ['trend', 'alerts'] as const)
        all[series].push(
          // A field that a record may lack is NULL in a table.
          ...(await served(series, path, { window: ['30d'] })).map((row) =>
            series === 'alerts' ? { port, began: null, ...row } : { port, ...row },
          ),
        );
      for (const group of ['all', 'container']) {
        const query = { from: [addDays(day, -29)], ...(group === 'all' ? {} : { class: [group] }) };
        all.waits.push(
          ...(await served('waits', path, query)).map((row) => ({ port, class: group, ...row })),
        );
      }
    }
    const isPort = `port IN ('${ports.join("', '")}')`;
    if (ports.length > 0) {
      expectEqual(await known('trend', day, `${isPort} AND date ${window}`), all.trend);
      expectEqual(
        await known('waits', day, `${isPort} AND date ${window} AND class IN ('all', 'container')`),
        all.waits,
      );
      const alerts = await known(
        'alerts',
        day,
        `${isPort} AND as_of > TIMESTAMPTZ '${addDays(day, -29)} 00:00:00Z'`,
      );
      expectEqual(withInstants(alerts), all.alerts);
      const listed = (await served('ports')).map(({ evidence: _, ...row }) => row);
      expectEqual(withInstants(await known('ports', day, 'true')), listed);
    }
    for (const code of codes) {
      const rows = await known('imports', day, `code = '${code}'`);
      const months = rows.map(({ month, code: _, ...row }) => ({ ...row, month: String(month).slice(0, 7) }));
      expectEqual(months, await served('hsImports', { code }));
    }
  }
  return counts;
}

describe('what DuckDB finds of every day is what the API serves with as_of', () => {
  it('of late and corrected replies, and import revisions', async () => {
    const sources = [callSource, importSource];
    const ingest = startMemoryIngest({ nowAt: START });
    await replay(ingest, [
      [callSource, portFetches(extent(10, 120), 2)],
      [importSource, tradeFetches(extent(4, 40), 3)],
    ]);
    expect((await compare(ingest, sources, WORLD.ports, WORLD.codes)).rows).toBeGreaterThan(100);
  }, 600_000);

  longIt(
    'of three ports of the sample, for a year',
    async () => {
      const { ingest, source } = await simulatedDays(START, 365);
      const counts = await compare(ingest, [source], source.declaration.ports.slice(0, 3), ['8517']);
      expect(counts.rows).toBeGreaterThan(100);
    },
    1_800_000,
  );
});

const [EARLIER = ''] = WORLD.ports;

/** Makes the rows of a port those of an ingest of another version. */
async function rewrite({ tables }: MemoryIngest, port: string, version: string): Promise<void> {
  const clocks = await tables.portClocks.get({ port });
  await tables.portClocks.put({ ...clocks, port, methodology: version });
  const key = { series: 'begin#ports', at: port };
  const { methods } = (await tables.vintages.get(key)) ?? {};
  const since = (methods as { since: string }[])[0]?.since;
  await tables.vintages.put({ ...key, methods: [{ since, version }] });
}

it('of days before a change of it and after', async () => {
  const fetches = portFetches(12, 2);
  const ingest = startMemoryIngest({ nowAt: 0 });
  const earlier = fetches.slice(0, 6);
  await replay(ingest, [[callSource, earlier]]);
  await rewrite(ingest, EARLIER, '1.1');
  await replay(ingest, [[callSource, fetches.slice(6)]]);
  const day = addDays(dayOf(ingest.clock.nowAt), 1);
  const declarations = [callSource.declaration];
  const { manifest } = await releaseInto(root, { tables: ingest.tables, day, declarations });
  const lastDay = dayOf(earlier.at(-1)?.fetchedAt ?? 0);
  const made = (port: string) =>
    duckdbRows(
      `SELECT DISTINCT known_from > DATE '${lastDay}' AS later, methodology FROM '${root}/release=${day}/table=vintages_*/**/*.parquet'
       WHERE port = '${port}' ORDER BY later`,
    );
  expect(await made(EARLIER)).toEqual([
    { later: false, methodology: '1.1' },
    { later: true, methodology: METHODOLOGY_VERSION },
  ]);
  expect(manifest.vintage_methodologies?.map(({ version }) => version)).toEqual(['1.1', METHODOLOGY_VERSION]);
});
