/** Vintages: with `as_of` a response is, byte for byte, that of a service whose archive ends with that day. */

import { expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../core/reference/time.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { extent } from '../builders/extent.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { openWatersAround } from '../builders/narrowed-sources.ts';
import { recordedFetches } from '../builders/recordings.ts';
import { proveVintages, type ReplayedArchive } from '../builders/vintage-proof.ts';
import { callSource, importSource, portFetches, tradeFetches, WORLD } from '../faults/many-replies.ts';
import { livePolls } from '../worlds/traffic/live-polls.ts';
import { roadsteadWorld } from '../worlds/traffic/roadstead-world.ts';

const START = Date.UTC(2026, 0, 5);

const sample = createSampleSource({ seed: 4, firstDay: async () => '2025-12-01' });

/** Fetches of the simulator, some hours apart. */
async function sampleFetches(days: number, everyHours: number): Promise<ArchivedFetch[]> {
  const { archive, clock, pass } = startMemoryIngest({ nowAt: START });
  const { id } = sample.declaration;
  for (
    clock.nowAt = START + HOUR_MS;
    clock.nowAt < START + days * DAY_MS;
    clock.nowAt += everyHours * HOUR_MS
  )
    await pass(sample);
  const times = await archive.fetches(id, undefined, Infinity);
  return Promise.all(
    times.map(async (fetchedAt) => ({ fetchedAt, files: (await archive.read(id, fetchedAt)) ?? new Map() })),
  );
}

function generatedPositions(days: number, vessels: number): ReplayedArchive {
  const ports = ['USLAX', 'USLGB', 'USHOU', 'USNYC'];
  const { source, boxes } = openWatersAround(ports);
  const world = roadsteadWorld({
    seed: 5,
    startAt: START,
    days,
    vessels,
    ports,
    fixSeconds: 300,
    hard: false,
  });
  return { source, fetches: livePolls(world, { startAt: START, days, everyMinutes: 60, boxes }), ports };
}

const ARCHIVES: Readonly<Record<string, () => Promise<ReplayedArchive>>> = {
  "Hong Kong's recorded polls": async () => ({
    source: hkMarineDepartment,
    fetches: extent(
      (all: ArchivedFetch[]) => all.filter((_, n) => n % 5 === 0),
      (all: ArchivedFetch[]) => all,
    )(recordedFetches('hk-marine-department').sort((a, b) => a.fetchedAt - b.fetchedAt)),
    ports: ['HKHKG'],
  }),
  'generated polls': async () => ({
    source: hkMarineDepartment,
    fetches: hkFetches({ seed: 3, startAt: START, days: 40, arrivalsPerDay: 45 }, 180),
    ports: ['HKHKG'],
  }),
  'the sample': async () => ({
    source: sample,
    fetches: await sampleFetches(60, 12),
    ports: sample.declaration.ports,
  }),
  'late and corrected replies': async () => ({
    source: callSource,
    fetches: portFetches(extent(16, 300), 2),
    ports: WORLD.ports,
  }),
  'Census vintages': async () => ({
    source: importSource,
    fetches: tradeFetches(extent(8, 40), 3),
    ports: [],
    codes: WORLD.codes,
  }),
  'generated positions': async () => generatedPositions(5, 20),
};

/** What `npm test` takes of them; the others are read with `as_of` in test/unit/release as well. */
const SLICE = ["Hong Kong's recorded polls", 'late and corrected replies', 'Census vintages'];

let triples = 0;

it.each(Object.keys(ARCHIVES).filter((name) => extent(SLICE.includes(name), true)))(
  'of %s',
  async (name) => {
    const archive = await ARCHIVES[name]?.();
    if (archive === undefined) throw new Error('no archive');
    const proof = await proveVintages(archive, extent(8, 400));
    expect(proof.unequal.slice(0, 1)).toEqual([]);
    expect(proof.changedSince).toBeGreaterThan(0);
    triples += proof.triples;
  },
  900_000,
);

it('of all archives together: in the whole run a thousand of source, port and day', () => {
  expect(triples).toBeGreaterThanOrEqual(extent(15, 1_000));
});
