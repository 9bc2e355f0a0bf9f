/** Releases of the dataset: DuckDB reads from the files what the API serves, and a release is visible whole or not at all. */

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { indexPage } from '../../../core/release/manifest.ts';
import type { ReleaseOutcome, ReleaseRequest } from '../../../core/release/release.ts';
import { RELEASE_READS } from '../../../core/release/store-tables.ts';
import { createReleaseFolder, folderFailure } from '../../../core/store/release-place.ts';
import { duckdbRows, withInstants } from '../../builders/duckdb.ts';
import { MemoryTable, memoryTables } from '../../builders/memory-table.ts';
import { readHandlers } from '../../builders/read-handlers.ts';
import { fillReleaseWorld } from '../../builders/release-world.ts';
import { ADDRESS, releaseInto } from '../../builders/written-release.ts';

const DAY = '2026-02-01';
const HOME = `release=${DAY}`;
const PORTS = { FIHEL: 'fintraffic-digitraffic', HKHKG: 'hk-marine-department', TWKHH: 'tipc-taiwan' };

const root = mkdtempSync(join(tmpdir(), 'release-test-'));
const dataset = join(root, 'dataset');
const tables = memoryTables(RELEASE_READS);
/** One port and one day. */
const small = memoryTables(RELEASE_READS);

const release = (folder: string, changes: Partial<ReleaseRequest> = {}): Promise<ReleaseOutcome> =>
  releaseInto(folder, { tables, day: DAY, ...changes });

const read = (table: string, rest = '', folder = dataset) =>
  duckdbRows(`SELECT * FROM '${folder}/${HOME}/table=${table}/**/*.parquet' ${rest}`);

let made: ReleaseOutcome;
beforeAll(async () => {
  await fillReleaseWorld(tables, {
    ports: PORTS,
    firstDay: '2025-12-20',
    lastDay: '2026-02-01',
    callsPerDay: 4,
  });
  await fillReleaseWorld(small, {
    ports: { HKHKG: 'hk-marine-department', XXAAA: 'gone' },
    firstDay: '2026-01-30',
    lastDay: '2026-01-30',
    callsPerDay: 1,
  });
  made = await release(dataset);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What the API serves at the first second of the day of the release. */
const api = readHandlers(tables, () => Date.parse(`${DAY}T00:00:00Z`));
const served = async (operation: 'trend' | 'waits' | 'alerts' | 'hsImports' | 'ports', parts = {}) =>
  JSON.parse((await api[operation](parts)).body) as Record<string, unknown>[];

/** Rows without the columns that the API's path says. */
const without = (rows: readonly Record<string, unknown>[], ...names: readonly string[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));

const PLACE = ['port', 'source', 'licence', 'year', 'release', 'table'];
describe('every value is that of the API', () => {
  it.each(Object.keys(PORTS))('of %s: trend, waits of every class, alerts', async (port) => {
    const path = { UNLOCODE: port };
    const of = `WHERE port = '${port}'`;
    const query = { window: ['30d'], until: ['2026-01-31'] };
    const trend = await read('trend', `${of} AND date >= '2026-01-02' ORDER BY date`);
    expect(without(trend, ...PLACE)).toEqual(await served('trend', { path, query }));
    const span = { from: ['2025-12-20'], to: ['2026-01-31'] };
    for (const group of ['all', 'container', 'tanker']) {
      const rows = await read('waits', `${of} AND class = '${group}' ORDER BY date`);
      const expected = await served('waits', {
        path,
        query: group === 'all' ? span : { ...span, class: [group] },
      });
      expect(without(rows, 'class', ...PLACE)).toEqual(expected);
    }
    const alerts = await read('alerts', `${of} AND as_of > '2026-01-02' ORDER BY as_of DESC`);
    // A field that a record may lack is NULL in a table.
    const servedAlerts = (await served('alerts', { path, query })).map((alert: object) => ({
      began: null,
      ...alert,
    }));
    expect(without(withInstants(alerts), ...PLACE)).toEqual(servedAlerts);
  });

  it('of the import index, whose months are the first days of theirs', async () => {
    const rows = await duckdbRows(
      `SELECT strftime(month, '%Y-%m') AS month, "index" FROM '${dataset}/${HOME}/table=imports/**/*.parquet' WHERE code = '8517' ORDER BY month`,
    );
    expect(rows).toEqual(await served('hsImports', { path: { code: '8517' } }));
  });

  it('of the list of ports, with NULL where nothing has been observed', async () => {
    const rows = withInstants(await read('ports', 'ORDER BY port'));
    expect(without(rows, 'source', 'licence', 'release', 'table', 'arrivals_24h', 'departures_24h')).toEqual(
      without(await served('ports'), 'evidence'),
    );
    expect(rows[0]).toMatchObject({ port: 'FIHEL', arrivals_24h: 1, departures_24h: 2 });
    expect(rows[1]).toMatchObject({ port: 'HKHKG', as_of: null, in_port: null, first_day: null });
    expect(rows[1]).toMatchObject({ arrivals_24h: null, departures_24h: null });
  });
});

describe('calls', () => {
  it('are of sources whose licence passes them on, and name no vessel', async () => {
    const rows = await read('calls', 'ORDER BY ata');
    expect([...new Set(rows.map(({ port }) => port))].sort()).toEqual(['FIHEL', 'HKHKG']);
    expect(JSON.stringify(rows)).not.toMatch(/IMO|FIHEL-/);
  });

  it('have a wait where the wait figures count them: cargo, with a known wait', async () => {
    const [row] = await duckdbRows(
      `SELECT count(*) AS calls, count(wait_hours) AS waits, count(*) FILTER (wait_hours <> date_diff('second', ata, atb) / 3600) AS wrong
       FROM '${dataset}/${HOME}/table=calls/**/*.parquet' WHERE traffic = 'cargo'`,
    );
    expect(row).toEqual({ calls: 2 * 43 * 3, waits: 2 * 43 * 3, wrong: 0 });
    const ferries = await read('calls', "WHERE traffic = 'ferry'");
    expect(ferries.every(({ wait_hours }) => wait_hours === null)).toBe(true);
  });
});

describe('the files', () => {
  it('have the types of the manifest, and end with the day before the release', async () => {
    const stated = made.manifest.tables;
    const names: Record<string, string> = {
      STRING: 'VARCHAR',
      TIMESTAMP: 'TIMESTAMP WITH TIME ZONE',
      'LIST<DOUBLE>': 'DOUBLE[]',
      'LIST<STRING>': 'VARCHAR[]',
    };
    for (const { table, path } of made.manifest.files) {
      const columns = await duckdbRows(
        `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet('${dataset}/${path}', hive_partitioning = false))`,
      );
      expect(columns.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
        stated[table]?.map(({ name, type }) => [name, names[type] ?? type]),
      );
    }
    const [last] = await duckdbRows(
      `SELECT max(date) AS day FROM '${dataset}/${HOME}/table=trend/**/*.parquet'`,
    );
    expect(last).toEqual({ day: '2026-01-31' });
  });

  it('lie in folders of their years, with sizes, digests and counts as the manifest states them', async () => {
    const { files } = made.manifest;
    const yearPaths = (...names: string[]) =>
      names.flatMap((table) =>
        ['2025', '2026'].map((year) => `${HOME}/table=${table}/year=${year}/part-0.parquet`),
      );
    expect(files.map(({ path }) => path)).toEqual([
      ...yearPaths('trend', 'waits', 'days', 'calls', 'alerts', 'imports'),
      `${HOME}/table=ports/part-0.parquet`,
      ...yearPaths('vintages_trend', 'vintages_waits', 'vintages_alerts'),
      `${HOME}/table=vintages_imports/part-0.parquet`,
      `${HOME}/table=vintages_ports/part-0.parquet`,
    ]);
    for (const { path, bytes, sha256, rows, address } of files) {
      const content = readFileSync(join(dataset, path));
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      expect(address).toBe(`${ADDRESS}${path}`);
      expect(await duckdbRows(`SELECT count(*) AS rows FROM '${dataset}/${path}'`)).toEqual([{ rows }]);
    }
    const fetchedAt = '2026-02-02T00:00:00Z';
    expect(made.manifest.sources.map(({ id, calls, fetched_at }) => [id, calls, fetched_at])).toEqual([
      ['fintraffic-digitraffic', true, fetchedAt],
      ['hk-marine-department', true, fetchedAt],
      ['tipc-taiwan', false, fetchedAt],
      ['us-census-trade', false, fetchedAt],
    ]);
  });

  it('are the same bytes where the same tables are released again', async () => {
    const again = await release(join(root, 'again'));
    expect(again.manifest).toEqual(made.manifest);
  });

  it('leave out a port whose source nothing is known of', async () => {
    await release(join(root, 'others'), { tables: small });
    const rows = await read('trend', '', join(root, 'others'));
    expect([...new Set(rows.map(({ port }) => port))]).toEqual(['HKHKG']);
  });
});

describe('a release', () => {
  const LATEST = 'latest.json';
  const BESIDE = ['index.html', 'known-days.json', LATEST, 'record.json'];
  const latest = (folder: string) => JSON.parse(readFileSync(join(folder, LATEST), 'utf8')).release;

  it('is named by latest.json and listed by a page', () => {
    expect(latest(dataset)).toBe(DAY);
    const page = readFileSync(join(dataset, 'index.html'), 'utf8');
    for (const { path } of made.manifest.files) expect(page).toContain(`href="${path}"`);
  });

  it('describes each file as a Data Package with the columns of its table', async () => {
    const described = JSON.parse(readFileSync(join(dataset, HOME, 'datapackage.json'), 'utf8'));
    const { files, tables: columns, sources } = made.manifest;
    const fieldsOf = (table: string) => columns[table]?.map(({ name }) => name);
    expect(
      described.resources.map(
        ({ path, schema }: { path: string; schema: { fields: { name: string }[] } }) => [
          `${HOME}/${path}`,
          schema.fields.map(({ name }) => name),
        ],
      ),
    ).toEqual(files.map(({ path, table }) => [path, fieldsOf(table)]));
    const names = described.resources.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(described.sources.map(({ title }: { title: string }) => title)).toEqual(
      sources.map(({ attribution }) => attribution),
    );
  });

  it('describes itself on its page as a schema.org Dataset', () => {
    const page = readFileSync(join(dataset, 'index.html'), 'utf8');
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    const { files, sources } = made.manifest;
    expect(JSON.parse(text)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Dataset',
      version: DAY,
      license: sources.map(({ licence }) => ({ name: licence })),
      distribution: files.map(({ path, sha256 }) => ({ contentUrl: `${ADDRESS}${path}`, sha256 })),
    });
  });

  it('keeps a script on its page closed, whatever a source is called', () => {
    const [source] = made.manifest.sources;
    if (source === undefined) throw new Error('the release has no source');
    const page = indexPage({ ...made.manifest, sources: [{ ...source, licence: '</script><b>' }] });
    expect(page.match(/<\/script>/g)).toHaveLength(1);
  });

  it('does not change when it is there', async () => {
    const before = statSync(join(dataset, HOME, 'manifest.json')).mtimeMs;
    const again = await release(dataset);
    expect(again).toEqual({ manifest: made.manifest, written: false });
    expect(statSync(join(dataset, HOME, 'manifest.json')).mtimeMs).toBe(before);
  });

  it('that fails or is killed leaves the one before, and the next run completes it', async () => {
    const folder = join(root, 'killed');
    await release(folder, { tables: small, day: '2026-01-31' });
    const alerts = Object.assign(new MemoryTable('alerts'), {
      query: () => Promise.reject(new Error('store')),
    });
    await expect(release(folder, { tables: { ...small, alerts } })).rejects.toThrow('store');
    // What a killed process leaves.
    await createReleaseFolder(folder).draft(DAY);
    writeFileSync(join(folder, `.unfinished-${DAY}`, 'part-0.parquet'), 'PAR1');
    expect(latest(folder)).toBe('2026-01-31');
    expect(existsSync(join(folder, HOME))).toBe(false);
    await release(folder, { tables: small });
    expect(latest(folder)).toBe(DAY);
    expect(readdirSync(folder).sort()).toEqual([...BESIDE, 'release=2026-01-31', HOME]);
  });

  it('whose manifest is damaged is named with what to do, and stays readable', async () => {
    const folder = join(root, 'damaged');
    const { manifest } = await release(folder, { tables: small });
    const path = join(folder, HOME, 'manifest.json');
    const text = readFileSync(path, 'utf8');
    for (const [damaged, fault] of [
      [text.slice(0, 100), 'it is not JSON'],
      [text.replace('"files"', '"file"'), 'files is missing or wrong'],
      [text.replace(DAY, '2026-01-31'), 'it is of the release 2026-01-31'],
    ] as const) {
      writeFileSync(path, damaged);
      await expect(release(folder)).rejects.toThrow(`${HOME}/manifest.json is damaged: ${fault}.`);
    }
    expect(await read('trend', '', folder)).toHaveLength(
      manifest.files.find(({ table }) => table === 'trend')?.rows ?? 0,
    );
  });

  it.each(['', '{"release":', 'null'])('is named again where latest.json is %j', async (text) => {
    const folder = join(root, `damaged-${text.length}`);
    await release(folder, { tables: small });
    const whole = readFileSync(join(folder, LATEST), 'utf8');
    writeFileSync(join(folder, LATEST), text);
    rmSync(join(folder, 'index.html'));
    expect(await release(folder, { tables: small })).toMatchObject({ written: false });
    expect(readFileSync(join(folder, LATEST), 'utf8')).toBe(whole);
    expect(existsSync(join(folder, 'index.html'))).toBe(true);
  });

  it('is not written where no port has figures', async () => {
    const folder = join(root, 'empty');
    const nothing = memoryTables(RELEASE_READS);
    await expect(release(folder, { tables: nothing })).rejects.toThrow('nothing to release');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says that its folder cannot be written, and touches no other', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(release(file)).rejects.toThrow(
      `nothing can be written to the release folder ${file}: a part of its path is not a folder`,
    );
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  const isFull = existsSync('/dev/full') ? it : it.skip;
  isFull('that fills the disk says so, and leaves the one before', async () => {
    const folder = join(root, 'full');
    await release(folder, { tables: small, day: '2026-01-31' });
    const place = createReleaseFolder(folder);
    const full = {
      ...place,
      async draft(day: string) {
        const draft = await place.draft(day);
        mkdirSync(join(draft.folder, 'table=ports'));
        symlinkSync('/dev/full', join(draft.folder, 'table=ports', 'part-0.parquet'));
        return draft;
      },
    };
    await expect(release(folder, { tables: small, place: full })).rejects.toThrow(
      `nothing can be written to the release folder ${folder}: the disk is full`,
    );
    expect(latest(folder)).toBe('2026-01-31');
    expect(readdirSync(folder).sort()).toEqual([...BESIDE, 'release=2026-01-31']);
  });

  it.each([
    ['EACCES', 'it is not writable'],
    ['EROFS', 'its file system is read-only'],
  ])('that meets %s says that %s', async (code, reason) => {
    const place = createReleaseFolder(root);
    const refused = {
      ...place,
      draft: () => Promise.reject(folderFailure(root, Object.assign(new Error(), { code }))),
    };
    await expect(release(root, { tables: small, place: refused })).rejects.toThrow(`${root}: ${reason}`);
  });
});
