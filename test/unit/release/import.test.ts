/** A service that begins with a release serves what the one that wrote it does, and never changes the days that it brought. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addDays, DAY_MS, dayOf, daysBetween, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { importRelease, refuseUncovered } from '../../../core/release/import-release.ts';
import { type OpenedRelease, openRelease } from '../../../core/release/release-reader.ts';
import { forecastOf, metricsOf } from '../../../core/release/rows.ts';
import { createSampleSource } from '../../../core/sources/sample-simulator/source.ts';
import { ReleaseFailure } from '../../../core/store/release-place.ts';
import { INGEST_TABLES } from '../../../core/store/tables.ts';
import type { Source } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { ingestOver } from '../../builders/ingest-over.ts';
import { memorySteps, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { memoryTables } from '../../builders/memory-table.ts';
import { type ReadHandlers, readHandlers } from '../../builders/read-handlers.ts';
import { releaseInto } from '../../builders/written-release.ts';

/** Forecasts need ninety days of history. */
const START = Date.UTC(2026, 0, 5);
const FIRST_DAY = addDays(dayOf(START), extent(-96, -110));
const NOW = START + 5 * DAY_MS + 13 * HOUR_MS;
const TODAY = dayOf(NOW);
const PORTS = extent(['FIHEL', 'USLAX'], ['SGSIN', 'USLAX', 'HKHKG']);

const sample = createSampleSource({ seed: 4, firstDay: async () => FIRST_DAY });
const source: Source = {
  ...sample,
  declaration: { ...sample.declaration, ports: PORTS },
  async fetch(request) {
    const files = [...((await sample.fetch(request)) ?? [])];
    return new Map(files.filter(([name]) => ['imports.json', ...PORTS].some((part) => name.includes(part))));
  },
};
const ingest = startMemoryIngest({ nowAt: START });
const folder = mkdtempSync(join(tmpdir(), 'import-test-'));
/** The release again, for other manifests. */
const copy = mkdtempSync(join(tmpdir(), 'import-edited-'));
const tables = memoryTables(INGEST_TABLES);
const REQUEST = { declarations: [source.declaration], day: TODAY, madeAt: NOW };
let release: OpenedRelease;
/** What a service on the imported tables says. */
let imported: Readonly<Record<string, string>>;

beforeAll(async () => {
  for (let at = START + HOUR_MS; at <= NOW; at += extent(24, 12) * HOUR_MS) {
    ingest.clock.nowAt = at;
    await ingest.pass(source);
  }
  await releaseInto(folder, { ...REQUEST, tables: ingest.tables });
  cpSync(folder, copy, { recursive: true });
  release = await openRelease(folder);
  await importRelease(release, tables, () => NOW);
  imported = withoutIds(await bodies(readHandlers(tables, () => NOW)));
});
afterAll(() => {
  for (const path of [folder, copy]) rmSync(path, { recursive: true, force: true });
});

/** Every body, by request. */
async function bodies(reads: ReadHandlers): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const days = [undefined, ...daysBetween(dayOf(START), TODAY).filter((_, n) => n % extent(4, 1) === 0)];
  for (const day of days) {
    const query: Record<string, string[]> = day === undefined ? {} : { as_of: [day] };
    const at = (name: string) => `${name} as of ${day ?? 'now'}`;
    found[at('ports')] = (await reads.ports({ query })).body;
    found[at('imports')] = (await reads.hsImports({ path: { code: '85' }, query })).body;
    for (const UNLOCODE of PORTS) {
      const parts = { path: { UNLOCODE }, query };
      const more = (extra: Record<string, string[]>) => ({ ...parts, query: { ...query, ...extra } });
      found[at(`${UNLOCODE} trend`)] = (await reads.trend(more({ window: ['30d'] }))).body;
      for (const group of ['all', 'container'])
        found[at(`${UNLOCODE} waits ${group}`)] = (await reads.waits(more({ class: [group] }))).body;
      found[at(`${UNLOCODE} alerts`)] = (await reads.alerts(more({ window: ['30d'] }))).body;
      found[at(`${UNLOCODE} snapshot`)] = (await reads.snapshot(parts)).body;
      for (const metric of ['avg_wait_hours', 'at_anchor', 'congestion_score'])
        found[at(`${UNLOCODE} forecast ${metric}`)] = (await reads.forecast(more({ metric: [metric] }))).body;
    }
  }
  for (const UNLOCODE of PORTS)
    for (const until of [TODAY, addDays(TODAY, -1), addDays(TODAY, -60)])
      found[`${UNLOCODE} dwell until ${until}`] = (
        await reads.dwell({ path: { UNLOCODE }, query: { window: ['30d'], until: [until] } })
      ).body;
  found.changes = (await reads.changes()).body;
  found.feed = (await reads.alertFeed({ query: { since: [addDays(TODAY, -80)] } })).body;
  return found;
}

/** Errors carry a request id of their own. */
const withoutIds = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.replace(/"request_id":"[^"]*",?/, '')]),
  );

it('serves every body as the service that wrote the release, with each as_of', async () => {
  const written = withoutIds(await bodies(readHandlers(ingest.tables, () => NOW)));
  expect(imported).toEqual(written);
  expect(written[`USLAX trend as of ${addDays(TODAY, -1)}`]).toContain(addDays(TODAY, -1));
  expect(written['USLAX forecast avg_wait_hours as of now']).toContain('"p50"');
  expect(JSON.parse(written.feed ?? '[]').length).toBeGreaterThan(0);
  expect(JSON.parse(written[`USLAX dwell until ${TODAY}`] ?? '[]').length).toBeGreaterThan(100);
});

it('says of its sources when the release was made', async () => {
  const [row] = JSON.parse((await readHandlers(tables, () => NOW).sources()).body);
  const [original] = JSON.parse((await readHandlers(ingest.tables, () => NOW).sources()).body);
  const from = { release: TODAY, made: '2026-01-10T13:00:00Z', replayed: false };
  expect(row).toEqual({ ...original, imported: from });
});

it('has the alerts as they were raised', async () => {
  const raised = await ingest.tables.raisedAlerts.scan();
  expect(raised.length).toBeGreaterThan(0);
  expect(await tables.raisedAlerts.scan()).toEqual(raised);
});

it('keeps its days whatever later replies say, and goes on behind them', async () => {
  const saved = memoryTables(INGEST_TABLES);
  for (const id of INGEST_TABLES) saved[id].restore(tables[id].save());
  const later = ingestOver(
    { tables: saved, archive: ingest.archive, steps: memorySteps(), close: async () => undefined },
    { nowAt: NOW },
  );
  // The archived replies reach back over every day of the release.
  later.clock.nowAt = NOW;
  await later.pass(source, { ask: false });
  const after = withoutIds(await bodies(readHandlers(saved, () => NOW)));
  const raised = await tables.raisedAlerts.scan();
  expect((await saved.raisedAlerts.scan()).slice(0, raised.length)).toEqual(raised);
  const dailyBodies = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).filter(([name]) => /trend|waits|alerts|imports|dwell/.test(name)),
    );
  expect(dailyBodies(after)).toEqual(dailyBodies(imported));
  const tomorrow = startOfDay(addDays(TODAY, 1)) + 23 * HOUR_MS;
  later.clock.nowAt = tomorrow;
  await later.pass(source);
  const trend = await readHandlers(saved, () => tomorrow).trend({
    path: { UNLOCODE: 'USLAX' },
    query: { window: ['7d'] },
  });
  expect(JSON.parse(trend.body).at(-1).date).toBe(addDays(TODAY, 1));
  const [row] = JSON.parse((await readHandlers(saved, () => tomorrow).ports()).body);
  expect(row.first_day).toBe(FIRST_DAY);
});

it('begins empty tables only', async () => {
  await expect(importRelease(release, tables, () => NOW)).rejects.toThrow('the tables have data already');
  await expect(importRelease(release, ingest.tables, () => NOW)).rejects.toThrow(
    'can only be the beginning of empty ones',
  );
});

it('refuses a release that has a row for a day it does not cover, and writes nothing', async () => {
  const empty = memoryTables(INGEST_TABLES);
  const { manifest } = release;
  const span: [string, string] = ['2026-01-01T00:00:00Z', '2026-01-09T00:00:00Z'];
  const covered = { ...manifest.covered, USLAX: [span] };
  const lacking: OpenedRelease = { ...release, manifest: { ...manifest, covered } };
  await expect(importRelease(lacking, empty, () => NOW)).rejects.toThrow(/^USLAX: the row of 2025-/);
  const { covered: _, ...former } = manifest;
  await expect(importRelease({ ...release, manifest: former }, empty, () => NOW)).rejects.toThrow(
    'does not state what it covers',
  );
  expect(INGEST_TABLES.flatMap((id) => [...empty[id].texts()])).toEqual([]);
});

it('refuses a forecast whose days the release lacks', () => {
  const issued = { port: 'TWKHH', metric: 'at_anchor', issued: '2025-09-22', reason: null };
  expect(() => forecastOf(issued, [])).toThrow('TWKHH, at_anchor, issued on 2025-09-22 has 0 of 7 days');
});

it('refuses a row that the store could not read', () => {
  const read = () => metricsOf({ date: '2026-01-05', vessels: 3, coverage: null });
  expect(read).toThrow(ReleaseFailure);
  expect(read).toThrow('the release has a row for dailyMetrics that cannot be read: coverage');
});

it('a day that is covered in part has a row of that part', () => {
  const at = startOfDay('2026-01-06');
  const coverage = [{ fromAt: startOfDay('2026-01-01'), toAt: at + 6 * HOUR_MS }];
  const ports = new Map([['HKHKG', { coverage, asOfAt: at + 3 * DAY_MS }]]);
  const row = (share: number) => [{ port: 'HKHKG', date: '2026-01-06', coverage: share }];
  expect(() => refuseUncovered(row(0.25), ports)).not.toThrow();
  expect(() => refuseUncovered(row(1), ports)).toThrow('100 % of the day, but the release covers 25 % of it');
});

/** Opens the copy with an edited manifest, and reads its days. */
async function readEdited(edit: (text: string) => string): Promise<number> {
  const manifest = join(`release=${TODAY}`, 'manifest.json');
  writeFileSync(join(copy, manifest), edit(readFileSync(join(folder, manifest), 'utf8')));
  let rows = 0;
  for await (const group of (await openRelease(copy)).rows('days')) rows += group.length;
  return rows;
}

it('reads the files of a copy of a release', async () => {
  expect(await readEdited((text) => text)).toBeGreaterThan(0);
});

const dayFile = ({ manifest }: OpenedRelease) => {
  const file = manifest.files.find(({ table }) => table === 'days');
  if (file === undefined) throw new Error('no file of days');
  return file;
};

it.each([
  ['leads out of the dataset', '../../etc/passwd'],
  ['leads out of the folder of the release', `release=${TODAY}/../../etc/passwd`],
  ['is absolute', '/etc/passwd'],
  ['is an address', 'https://example.org/part-0.parquet'],
  ['is not a file of a table', `release=${TODAY}/manifest.json`],
])('refuses a manifest with a path that %s', async (_what, path) => {
  const edited = readEdited((text) => text.replaceAll(JSON.stringify(dayFile(release).path), `"${path}"`));
  await expect(edited).rejects.toThrow(/manifest\.json is damaged: files\.\d+\.path is missing or wrong/);
});

it('refuses a manifest that names a file of another release', async () => {
  const { path } = dayFile(release);
  const edited = readEdited((text) => text.replaceAll(path, path.replace(TODAY, '2025-01-01')));
  await expect(edited).rejects.toThrow('of another release');
});

it('does not read a file that is larger than its manifest states', async () => {
  const { bytes } = dayFile(release);
  const edited = readEdited((text) => text.replaceAll(`"bytes": ${bytes}`, `"bytes": ${bytes - 1}`));
  await expect(edited).rejects.toThrow(`it has ${bytes} bytes, ${bytes - 1} at most are expected`);
});

it.each([
  [
    'a day that is none',
    'release',
    (text: string) => text.replace(/"release": "[^"]+"/, '"release": "2026-02-30"'),
  ],
  [
    'an instant that is none',
    'sources.0.fetched_at',
    (text: string) => text.replace(/"fetched_at": "[^"]+"/, '"fetched_at": "yesterday"'),
  ],
  [
    'a time of writing that is none',
    'made',
    (text: string) => text.replace(/"made": "[^"]+"/, '"made": "2026-01-05"'),
  ],
])('refuses a manifest with %s', async (_what, field, edit) => {
  await expect(readEdited(edit)).rejects.toThrow(`manifest.json is damaged: ${field} is missing or wrong`);
});

it('refuses a folder whose newest release is not named by a day', async () => {
  const other = mkdtempSync(join(tmpdir(), 'import-latest-'));
  try {
    writeFileSync(join(other, 'latest.json'), '{"release":"2026-02-30","manifest":"x"}');
    await expect(openRelease(other)).rejects.toThrow('latest.json');
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

it('makes the same release of the imported tables', async () => {
  const again = mkdtempSync(join(tmpdir(), 'import-again-'));
  try {
    await releaseInto(again, { ...REQUEST, tables });
    const second = await openRelease(again);
    const digests = ({ manifest: { files } }: OpenedRelease) =>
      files
        .filter(({ table }) => table !== 'calls')
        .map(({ table, year, rows, sha256 }) => ({ table, year, rows, sha256 }));
    expect(digests(second)).toEqual(digests(release));
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
});
