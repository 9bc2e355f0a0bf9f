/** Positions through the ingest: archived, stepped, applied. `faults.test.ts` kills it at its writes. */

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createPass } from '../../core/ingest/pass.ts';
import { DAY_MS, HOUR_MS } from '../../core/reference/time.ts';
import { type RawArchive, verdictName } from '../../core/store/raw-archive.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { extent } from '../builders/extent.ts';
import { altered, memorySteps, startMemoryIngest } from '../builders/memory-ingest.ts';
import { openWatersAround } from '../builders/narrowed-sources.ts';
import { polledHarbour } from '../faults/position-sources.ts';
import { livePolls } from '../worlds/traffic/live-polls.ts';
import { roadsteadWorld } from '../worlds/traffic/roadstead-world.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 1;
const END = START + DAYS * DAY_MS;
const PORTS = ['USLAX', 'USLGB', 'USHOU', 'USNYC'];
const { source: openWaters, boxes } = openWatersAround(PORTS);
const ID = openWaters.declaration.id;
let polls: readonly ArchivedFetch[];

beforeAll(() => {
  const world = roadsteadWorld({
    seed: 5,
    startAt: START,
    days: DAYS,
    vessels: extent(16, 40),
    ports: PORTS,
    fixSeconds: extent(120, 60),
    hard: false,
  });
  polls = [...livePolls(world, { startAt: START, days: DAYS, everyMinutes: 20, boxes })];
});

type Ingest = ReturnType<typeof startMemoryIngest>;

async function archived(): Promise<Ingest> {
  const ingest = startMemoryIngest({ nowAt: END + HOUR_MS });
  for (const { fetchedAt, files } of polls) await ingest.archive.write(ID, fetchedAt, files);
  return ingest;
}

const rowsIn = (fetches: readonly ArchivedFetch[]): number =>
  fetches
    .flatMap(({ files }) => [...files].filter(([name]) => name.endsWith('.geojson')))
    .reduce((sum, [, bytes]) => sum + JSON.parse(Buffer.from(bytes).toString()).features.length, 0);

/** Everything in the tables but leases and the times of writing. */
const snapshotOf = async (ingest: Ingest) => {
  const ports = await Promise.all(PORTS.map((port) => ingest.stores.ports.get(port)));
  const status = (await ingest.stores.statuses.all()).find(({ source }) => source === ID);
  return JSON.stringify([ports, status?.checkpointAt, status?.lastFetchAt, status?.asOfAt]);
};

describe('archived positions', () => {
  it('fill the tables with ports, calls and freshness, and a second pass changes nothing', async () => {
    const ingest = await archived();
    const outcome = await ingest.pass(openWaters, { ask: false });
    expect(outcome).toMatchObject({ state: 'ok', fetches: polls.length });
    expect(outcome.changedRecords).toBeGreaterThan(20);
    const { unknownTypes, ...rowCounts } = outcome.counts ?? {};
    expect(unknownTypes).toBeGreaterThanOrEqual(0);
    // Each archived row is counted once, and none of them vanishes.
    expect(Object.values(rowCounts).reduce((sum, count) => sum + count, 0)).toBe(rowsIn(polls));
    expect(outcome.counts?.taken).toBeGreaterThan(extent(500, 1000));
    const once = await snapshotOf(ingest);
    expect(once).toContain('USLAX');
    expect(await ingest.pass(openWaters, { ask: false })).toMatchObject({ fetches: 0, changedRecords: 0 });
    expect(await snapshotOf(ingest)).toBe(once);
  });

  it('that come behind the state are refused and change nothing', async () => {
    const ingest = await archived();
    const steps = memorySteps();
    const dependencies = { ...ingest.dependencies(), steps };
    await createPass(dependencies)(openWaters, { ask: false });
    const empty = { ...startMemoryIngest({ nowAt: END + HOUR_MS }).dependencies(), steps };
    const late = START + HOUR_MS + 1000;
    await empty.archive.write(ID, late, polls[3]?.files ?? new Map());
    const outcome = await createPass(empty)(openWaters, { ask: false });
    expect(outcome.refusals.first.map(({ reason }) => reason)).toEqual(['behind-state']);
  });
});

describe('a poll that the judgement refuses, whose process dies', () => {
  const POLLS = 30;
  let ingest: Ingest;
  let before: string;
  let dies: () => void;
  let poll: ArchivedFetch;

  const dependencies = () => {
    const made = ingest.dependencies();
    const { states } = made.steps;
    const write: typeof states.write = async (id, ...state) => {
      dies();
      return states.write(id, ...state);
    };
    const writeNote: RawArchive['writeNote'] = async (id, name, note) => {
      if (name === verdictName(poll.fetchedAt)) dies();
      return made.archive.writeNote(id, name, note);
    };
    const steps = { ...made.steps, states: { read: states.read.bind(states), write } };
    return { ...made, steps, archive: altered(made.archive, { writeNote }) };
  };
  /** The state without the time of the step that left it. */
  const stateOf = async (): Promise<string> => {
    const { bytes } = (await ingest.dependencies().steps.states.read(ID)) ?? {};
    return Buffer.from(bytes ?? [])
      .toString('latin1')
      .replace(/^.*\n/, '');
  };

  beforeAll(async () => {
    ingest = startMemoryIngest({ nowAt: START });
    for (const { fetchedAt, files } of polls.slice(0, POLLS)) {
      await ingest.archive.write(ID, fetchedAt, files);
      ingest.clock.nowAt = fetchedAt;
    }
    dies = () => {};
    const [good] = polls.slice(POLLS);
    const text = Buffer.from(good?.files.get('vessels-1.geojson') ?? []).toString();
    const untyped = new TextEncoder().encode(text.replaceAll(/,"type":\d+/g, ''));
    poll = { fetchedAt: good?.fetchedAt ?? 0, files: new Map([['vessels-1.geojson', untyped]]) };
    await ingest.pass(openWaters, { ask: false });
    before = await stateOf();
  });

  it.each([
    ['as it keeps the state before', 1],
    ['as it writes the state', 2],
    ['as it restores the state', 3],
    ['as it writes the verdict', 4],
  ])('%s, leaves the state of the poll before', async (_, at) => {
    const restore = ingest.save();
    await ingest.archive.write(ID, poll.fetchedAt, poll.files);
    ingest.clock.nowAt = poll.fetchedAt;
    let writes = 0;
    dies = () => {
      writes += 1;
      if (writes === at) throw new Error('the process dies');
    };
    await expect(createPass(dependencies())(openWaters, { ask: false })).rejects.toThrow('the process dies');
    dies = () => {};
    const { status } = await createPass(dependencies())(openWaters, { ask: false });
    expect(status?.doubt).toMatchObject({ fetchedAt: poll.fetchedAt });
    expect(await stateOf()).toBe(before);
    restore();
  });
});

it.each([
  ['yesterday again and again', 'silent-upstream'],
  ['a web page', 'html'],
])(
  '%s in the place of a poll is refused, the last figures stay, and the next good poll is read',
  async (what, reason) => {
    const ingest = startMemoryIngest({ nowAt: START + 12 * HOUR_MS });
    const { source, fetches } = polledHarbour(() => ingest.clock.nowAt, START, DAYS, 5);
    for (const [at, files] of fetches)
      if (at <= ingest.clock.nowAt) await ingest.archive.write(ID, at, files);
    await ingest.pass(source, { ask: false });
    const before = await ingest.stores.ports.get('USLAX');
    expect(before?.snapshot?.asOfAt).toBe(START + 12 * HOUR_MS);
    const page = new Map([['vessels-1.geojson', new TextEncoder().encode('<!doctype html><html></html>')]]);
    const bad = what === 'a web page' ? page : fetches.get(ingest.clock.nowAt);
    for (let failures = 1; failures <= 2; failures += 1) {
      ingest.clock.nowAt += HOUR_MS;
      const outcome = await ingest.pass({ ...source, fetch: async () => bad ?? new Map() });
      expect(outcome).toMatchObject({ state: 'failed', reason, status: { failures } });
      expect(await ingest.stores.ports.get('USLAX')).toEqual(before);
    }
    ingest.clock.nowAt += HOUR_MS;
    expect(await ingest.pass(source)).toMatchObject({ state: 'ok', status: { failures: 0 } });
    expect((await ingest.stores.ports.get('USLAX'))?.snapshot?.asOfAt).toBe(START + 15 * HOUR_MS);
  },
);
