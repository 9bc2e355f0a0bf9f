/** The trend recomputed from the CSV of the waits alone, for every day of the recordings, by a program of its own. */
import { describe, expect, it } from '@jest/globals';
import { dayOf } from '../../core/reference/time.ts';
import { source as fintrafficDigitraffic } from '../../core/sources/fintraffic-digitraffic/source.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { extent, longIt } from '../builders/extent.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { daysRecomputed } from '../builders/recomputed-trend.ts';
import { recordedFetches } from '../builders/recordings.ts';

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
    for (const month of extent(['202510'], ['202508', '202510'])) {
      const fetches = recordedFetches('hk-marine-department', month);
      const taken = fetches.filter((_, poll) => poll % extent(3, 1) === 0);
      await applied(hkMarineDepartment, taken, async (ingest) => {
        if (polls++ % 4 === 0) compared += await daysRecomputed(ingest, 'HKHKG', dayOf(ingest.clock.nowAt));
      });
    }
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
