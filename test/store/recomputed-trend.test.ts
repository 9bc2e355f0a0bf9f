/** The trend recomputed from the CSV of the waits alone, for every day of the recordings, by a program of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { addDays, type Day, dayOf, endOfDay } from '../../core/reference/time.ts';
import { fintrafficDigitraffic } from '../../core/sources/fintraffic-digitraffic/source.ts';
import { hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { type SpreadDay, waitHistory } from '../../portal/chart/wait-spread.ts';
import { extent, longIt } from '../builders/extent.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { readHandlers } from '../builders/read-handlers.ts';
import { recordedFetches } from '../builders/recordings.ts';

const PROGRAM = fileURLToPath(new URL('../recompute/trend-from-waits.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'recomputed-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Compares the trend of the 30 days up to `until` with what the program makes of the waits, and the delayed shares and
 * the flow terms with those behind the scores, and the averages that the portal draws. Returns the number of days compared.
 */
async function daysRecomputed(ingest: MemoryIngest, port: string, until: Day): Promise<number> {
  const reads = readHandlers(ingest.tables, () => ingest.clock.nowAt);
  const path = { UNLOCODE: port };
  const format = ['csv'];
  const trend = await reads.trend({ path, query: { window: ['30d'], until: [until], format } });
  const waits = await reads.waits({ path, query: { from: [addDays(until, -90)], to: [until], format } });
  expect([trend.status, waits.status]).toEqual([200, 200]);
  if (trend.body.trimEnd().split('\n').length === 1) return 0;
  const [waitsFile, trendFile] = [join(folder, 'waits.csv'), join(folder, 'trend.csv')];
  writeFileSync(waitsFile, waits.body);
  writeFileSync(trendFile, trend.body);
  const text = execFileSync(process.execPath, [PROGRAM, waitsFile, trendFile], { encoding: 'utf8' });
  const days = text.trimEnd().split('\n').slice(1);
  const inPortal = await reads.waits({ path, query: { from: [addDays(until, -90)], to: [until] } });
  const { spreads } = waitHistory(JSON.parse(inPortal.body) as SpreadDay[]);
  const stored = await ingest.stores.dailyMetrics.between(port, addDays(until, -30), until);
  const terms = new Map(stored.map((row) => [row.day, row]));
  for (const line of days) {
    const [day = '', average, share, flow] = line.split(',');
    expect([day, spreads.get(day)?.averageHours]).toEqual([day, Number(average)]);
    expect([day, Number(share)]).toEqual([day, terms.get(day)?.delayedShare]);
    // The running day's flow is that of 24 hours, which the waits do not state.
    const isOver = endOfDay(day) <= ingest.clock.nowAt;
    if (flow !== '' && isOver) expect([day, Number(flow)]).toEqual([day, terms.get(day)?.flowTerm]);
  }
  return days.length;
}

/** Applies the fetches one after another; `after` is called after each. */
async function applied(
  source: Source,
  fetches: Iterable<ArchivedFetch>,
  after: (ingest: MemoryIngest) => Promise<void> = async () => undefined,
): Promise<MemoryIngest> {
  let ingest: MemoryIngest | undefined;
  for (const { fetchedAt, files } of fetches) {
    ingest ??= startMemoryIngest({ nowAt: fetchedAt });
    ingest.clock.nowAt = fetchedAt;
    await ingest.pass({ ...source, fetch: async () => files });
    await after(ingest);
  }
  if (ingest === undefined) throw new Error('no fetch');
  return ingest;
}

const portsOf = async (ingest: MemoryIngest): Promise<string[]> =>
  (await ingest.stores.ports.all()).map(({ port }) => port);

describe('avg_wait_hours and the delayed share are what the waits give', () => {
  it('Hong Kong, at some polls of the recorded days', async () => {
    let [compared, polls] = [0, 0];
    for (const month of extent(['202510'], ['202508', '202510']))
      await applied(hkMarineDepartment, recordedFetches('hk-marine-department', month), async (ingest) => {
        if (polls++ % extent(13, 4) === 0)
          compared += await daysRecomputed(ingest, 'HKHKG', dayOf(ingest.clock.nowAt));
      });
    expect(compared).toBeGreaterThan(extent(0, 3));
  });

  it('Finland, on every day of every port that its recordings have', async () => {
    let compared = 0;
    for (const year of ['2019', '2026']) {
      const ingest = await applied(fintrafficDigitraffic, recordedFetches('fintraffic-digitraffic', year));
      for (const port of await portsOf(ingest))
        compared += await daysRecomputed(ingest, port, dayOf(ingest.clock.nowAt));
    }
    expect(compared).toBeGreaterThan(1);
  });

  it('twelve days of made-up polls', async () => {
    // Some hours between polls cover the days as well as twenty minutes.
    const polls = hkFetches(
      { seed: 5, startAt: Date.UTC(2026, 0, 5), days: 12, arrivalsPerDay: extent(20, 45) },
      extent(240, 120),
    );
    const ingest = await applied(hkMarineDepartment, polls);
    expect(await daysRecomputed(ingest, 'HKHKG', dayOf(ingest.clock.nowAt))).toBeGreaterThan(10);
  });

  longIt('forty days of the sample', async () => {
    const ingest = startMemoryIngest({ nowAt: Date.UTC(2026, 2, 20, 15) });
    const sample = createSampleSource({ seed: 9, firstDay: async () => '2026-02-10' });
    expect(await ingest.pass(sample)).toMatchObject({ state: 'ok' });
    for (const port of await portsOf(ingest))
      expect(await daysRecomputed(ingest, port, '2026-03-20')).toBe(30);
  });
});
