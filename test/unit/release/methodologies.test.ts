/** A vintage says which version of the methodology made it, and nothing where that was not recorded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { METHODOLOGY_VERSION } from '../../../core/metrics/figures.ts';
import { addDays, dayOf } from '../../../core/reference/time.ts';
import { writeRelease } from '../../../core/release/release.ts';
import type { ArchivedFetch } from '../../../core/sources/source.ts';
import { createReleaseFolder } from '../../../core/store/release-place.ts';
import { duckdbRows } from '../../builders/duckdb.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { byPort, PARTED, portFetches } from '../../faults/parted-source.ts';

const root = mkdtempSync(join(tmpdir(), 'methodologies-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const [EARLIER, UNKNOWN = ''] = PARTED.ports;

async function apply(ingest: MemoryIngest, fetches: readonly ArchivedFetch[]): Promise<void> {
  for (const { fetchedAt, files } of fetches) {
    ingest.clock.nowAt = fetchedAt + 1000;
    await ingest.archive.write(byPort.declaration.id, fetchedAt, files);
    await ingest.pass(byPort, { ask: false });
  }
}

/** Makes the rows of a port those of an ingest of another version, or of one that did not record its version. */
async function rewrite({ tables }: MemoryIngest, port: string, version: string | undefined): Promise<void> {
  const clocks = await tables.portClocks.get({ port });
  const { methodology: _, ...known } = { methodology: '', ...(clocks?.known ?? {}) };
  const recorded = version === undefined ? {} : { methodology: version };
  await tables.portClocks.put({ ...clocks, port, known: { ...known, ...recorded } });
  const { methods, ...begin } = (await tables.vintages.get({ series: 'begin', at: port })) ?? {};
  const since = (methods as { since: string }[])[0]?.since;
  await tables.vintages.put({
    ...begin,
    ...(version === undefined ? {} : { methods: [{ since, version }] }),
  });
}

it('of days before a change of it and after', async () => {
  const fetches = portFetches(12, 2);
  const ingest = startMemoryIngest({ nowAt: 0 });
  const earlier = fetches.slice(0, 6);
  await apply(ingest, earlier);
  await rewrite(ingest, EARLIER, '1.1');
  await rewrite(ingest, UNKNOWN, undefined);
  await apply(ingest, fetches.slice(6));
  const day = addDays(dayOf(ingest.clock.nowAt), 1);
  const { manifest } = await writeRelease({
    tables: ingest.tables,
    declarations: [byPort.declaration],
    place: createReleaseFolder(root),
    day,
    address: 'https://example.org/data/',
  });
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
  expect(await made(UNKNOWN)).toEqual([
    { later: false, methodology: null },
    { later: true, methodology: METHODOLOGY_VERSION },
  ]);
  expect(manifest.vintage_methodologies?.map(({ version }) => version)).toEqual(['1.1', METHODOLOGY_VERSION]);
});
