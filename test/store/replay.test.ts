import { afterEach, describe, expect, it } from '@jest/globals';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { loadSource } from '../../core/sources/load-sources.ts';
import type { Source } from '../../core/upstream/source.ts';
import { startTestIngest, type TestIngest } from '../builders/ingest.ts';
import { everyResponse, readHandlers } from '../builders/read-handlers.ts';
import { AUGUST_2025, RECORDINGS } from '../builders/recordings.ts';
import { dumpOf, valuesOf } from '../builders/table-dump.ts';

const open: TestIngest[] = [];
afterEach(async () => {
  for (const ingest of open.splice(0)) await ingest.close();
});

/** An ingest over empty tables that has applied the fetches of `sources` in the folder up to `nowAt`. */
async function replayed(
  archiveRoot: string,
  sources: readonly Source[],
  nowAt: Instant,
): Promise<TestIngest> {
  const ingest = await startTestIngest({ nowAt, archiveRoot });
  open.push(ingest);
  for (const source of sources) {
    const outcome = await ingest.pass(source);
    expect(outcome).toMatchObject({ state: 'ok', refusals: { count: 0 } });
    expect(outcome.fetches).toBeGreaterThan(0);
  }
  return ingest;
}

/** The same as a back-fill does it. */
async function filledBack(
  archiveRoot: string,
  sources: readonly Source[],
  nowAt: Instant,
): Promise<TestIngest> {
  const ingest = await startTestIngest({ nowAt, archiveRoot });
  open.push(ingest);
  const backFill = createBackFill(ingest.dependencies());
  for (const source of sources) {
    await backFill.load(source, {});
    await backFill.apply(source);
  }
  return ingest;
}

const readsOf = (ingest: TestIngest) => readHandlers(ingest.tables, () => ingest.clock.nowAt);

/** Two replays and a back-fill give the same rows, responses and tags. */
async function expectEqualReplays(
  root: string,
  sources: readonly Source[],
  nowAt: Instant,
  codes: readonly string[],
): Promise<void> {
  const others = [await replayed(root, sources, nowAt), await filledBack(root, sources, nowAt)];
  const first = await replayed(root, sources, nowAt);
  const ports = (await first.stores.ports.all()).map(({ port }) => port);
  const responses = await everyResponse(readsOf(first), ports, codes);
  expect(await dumpOf(others[0]?.tables ?? {})).toEqual(await dumpOf(first.tables));
  for (const again of others) {
    expect(await valuesOf(again.tables)).toEqual(await valuesOf(first.tables));
    expect(await everyResponse(readsOf(again), ports, codes)).toEqual(responses);
  }
  const good = Object.values(responses).filter(({ status }) => status === 200);
  expect(good.every(({ etag }) => etag !== undefined)).toBe(true);
  const withRows = Object.values(responses).filter(({ status, body }) => status === 200 && body.length > 30);
  expect(withRows.length).toBeGreaterThan(1);
}

async function knownSource(id: string): Promise<Source> {
  const source = await loadSource(id);
  if (source === undefined) throw new Error(`no source ${id}`);
  return source;
}

const [digitraffic, census] = (await Promise.all(
  ['fintraffic-digitraffic', 'us-census-trade'].map(knownSource),
)) as [Source, Source];

describe('the recorded replies', () => {
  it.each([
    ['Hong Kong', hkMarineDepartment, AUGUST_2025, Date.UTC(2025, 7, 19), []],
    ['Finland', digitraffic, RECORDINGS, Date.UTC(2026, 3, 8, 12, 1), []],
    ['US imports', census, RECORDINGS, Date.UTC(2021, 7, 6), ['85', '94']],
  ])('of %s give equal tables and equal tags', async (_name, source, root, nowAt, codes) => {
    await expectEqualReplays(root, [source], nowAt, codes);
  });

  it.each([
    // Of 54 and 47 vessels that are not laid up: without passenger, fishing and work vessels.
    ['2025-08-17T05:30:00Z', { arrivals_24h: 58, departures_24h: 58, at_anchor: 16, in_port: 43 }],
    ['2025-08-18T12:25:00Z', { arrivals_24h: 53, departures_24h: 44, at_anchor: 12, in_port: 41 }],
  ])('serve the counts that the Hong Kong files of %s say themselves', async (as_of, vessels) => {
    const ingest = await replayed(AUGUST_2025, [hkMarineDepartment], Date.parse(as_of) + MINUTE_MS);
    const { body } = await readsOf(ingest).snapshot({ path: { UNLOCODE: 'HKHKG' } });
    expect(JSON.parse(body)).toMatchObject({ port: 'HKHKG', as_of, vessels });
  });

  it('serve the counts of Rauma on 23 October 2019', async () => {
    const ingest = await replayed(RECORDINGS, [digitraffic], Date.UTC(2019, 9, 23, 12, 43));
    const { body } = await readsOf(ingest).snapshot({ path: { UNLOCODE: 'FIRAU' } });
    expect(JSON.parse(body)).toMatchObject({
      as_of: '2019-10-23T12:41:00Z',
      vessels: { arrivals_24h: 1, departures_24h: 6, at_anchor: 0, in_port: 1 },
    });
  });

  it.each(['85', '94'])('serve the import index of HS %s up to June 2021, 36 months of it', async (code) => {
    const ingest = await replayed(RECORDINGS, [census], Date.UTC(2021, 7, 6));
    const { body } = await readsOf(ingest).hsImports({ path: { code } });
    const points = JSON.parse(body) as { month: string; index: number }[];
    expect(points).toHaveLength(36);
    expect(points.at(-1)?.month).toBe('2021-06');
    expect(points.every(({ index }) => index > 20 && index < 500)).toBe(true);
  });
});
