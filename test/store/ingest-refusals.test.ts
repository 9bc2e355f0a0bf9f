/** Faults that cost a pass a report, a fetch or its turn, and never stop the source. */

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../core/calls/observation.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { StoreFailure } from '../../core/store/table.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { faultyTable } from '../builders/faulty-table.ts';
import { altered, startMemoryIngest } from '../builders/memory-ingest.ts';
import { batchAt, replyFiles, SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';
import { dataOf, expectEqualRows } from '../faults/fault-run.ts';

const T0 = Date.UTC(2026, 2, 2);
const batch = (port: string, at = T0): CallsObservation => batchAt(at, [], { port });
const open = () => startMemoryIngest({ nowAt: T0 });
let release: (() => void) | undefined;
afterEach(() => release?.());

describe('a source', () => {
  it('with a port that the reference lacks continues with the others, and reports it', async () => {
    const ingest = open();
    const source = scriptedSource('scripted', ['XXXXX', SCRIPTED_PORT]);
    source.turns.push({ asOfAt: T0, observations: [batch(SCRIPTED_PORT), batch('XXXXX')] });
    const { state, refusals } = await ingest.pass(source);
    expect(state).toBe('ok');
    expect(refusals.first.map(({ reason }) => reason)).toEqual(['unknown-port', 'uncovered-port']);
    expect((await ingest.stores.ports.get(SCRIPTED_PORT))?.snapshot?.asOfAt).toBe(T0);
  });

  it('whose parser fails continues with the next reply', async () => {
    const ingest = open();
    const source = scriptedSource();
    const broken: Source = {
      ...source,
      parse: () => {
        throw new TypeError('x is not iterable');
      },
    };
    source.turns.push({ asOfAt: T0, observations: [] }, { asOfAt: T0 + HOUR_MS, observations: [] });
    expect(await ingest.pass(broken)).toMatchObject({
      state: 'failed',
      reason: 'parser-fault',
      // The reason is that of the whole reply; it is not counted again among the refusals.
      refusals: { count: 0 },
    });
    ingest.clock.nowAt += HOUR_MS;
    expect(await ingest.pass(source)).toMatchObject({ state: 'ok' });
  });

  it('whose step fails over one fetch refuses it once, and reads the next with the state before it', async () => {
    const ingest = open();
    const steps: string[] = [];
    const source: Source = {
      ...scriptedSource(),
      step({ fetchedAt, files }: ArchivedFetch, state: Uint8Array | undefined) {
        const hour = String((fetchedAt - T0) / HOUR_MS);
        steps.push(`${hour} after ${state === undefined ? 'nothing' : new TextDecoder().decode(state)}`);
        if (hour === '0' || hour === '2') throw new RangeError('Maximum call stack size exceeded');
        return { calls: files, state: new TextEncoder().encode(hour) };
      },
    };
    for (const hour of [0, 1, 2, 3]) {
      const at = T0 + hour * HOUR_MS;
      await ingest.archive.write('scripted', at, replyFiles({ asOfAt: at, observations: [batchAt(at)] }));
    }
    ingest.clock.nowAt = T0 + 4 * HOUR_MS;
    const fault = { reason: 'parser-fault', detail: 'scripted: Maximum call stack size exceeded' };
    const whole = { state: 'ok', fetches: 4, refusals: { first: [fault, fault] } };
    expect(await ingest.pass(source, { ask: false })).toMatchObject(whole);
    expect(steps).toEqual(['0 after nothing', '1 after nothing', '2 after 1', '3 after 1']);
    expect((await ingest.stores.ports.get(SCRIPTED_PORT))?.snapshot?.asOfAt).toBe(T0 + 3 * HOUR_MS);
    // Lost tables are made again without a step, and the same fetches are refused.
    const lost = { ...startMemoryIngest({ nowAt: ingest.clock.nowAt }).dependencies() };
    const { archive, steps: made } = ingest.dependencies();
    const again = createPass({ ...lost, archive, steps: made });
    expect(await again(source, { ask: false })).toMatchObject(whole);
    expect(steps).toHaveLength(4);
  });

  it('of days whose step fails counts the region, or refuses the day where every region fails', async () => {
    const ingest = open();
    const scripted = scriptedSource('scripted', [SCRIPTED_PORT, 'SGSIN']);
    const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
    const failing = new Map([
      ['2026-03-02', ['west']],
      ['2026-03-03', ['east', 'west']],
    ]);
    const source: Source = {
      ...scripted,
      declaration: {
        ...scripted.declaration,
        kind: 'events',
        regions: { east: [SCRIPTED_PORT], west: ['SGSIN'] },
      },
      days: {
        dayOf: (files) => text(files.get('day')),
        step({ region, files }) {
          if (failing.get(text(files.get('day')))?.includes(region)) throw new RangeError('too many rows');
          return { calls: new Map(), state: new Uint8Array([1]), digest: region };
        },
      },
    };
    for (const day of [1, 2, 3]) {
      const at = T0 + day * DAY_MS;
      const name = new TextEncoder().encode(dayOf(at - DAY_MS));
      const reply = replyFiles({ asOfAt: at, observations: [batchAt(at)] });
      await ingest.archive.write('scripted', at, new Map([['day', name], ...reply]));
    }
    ingest.clock.nowAt = T0 + 4 * DAY_MS;
    const upTo = (day: number) => ingest.pass(source, { ask: false, untilAt: T0 + day * DAY_MS });
    const fault = (region: string) => ({ reason: 'parser-fault', detail: `${region}: too many rows` });
    expect(await upTo(1)).toMatchObject({
      refusals: { first: [fault('west')] },
      status: { failures: 0, asOfAt: T0 + DAY_MS },
    });
    expect(await upTo(2)).toMatchObject({
      refusals: { first: [fault('east')] },
      status: { failures: 1, asOfAt: T0 + DAY_MS, checkpointAt: T0 + 2 * DAY_MS },
    });
    expect(await upTo(3)).toMatchObject({
      refusals: { count: 0 },
      status: { failures: 0, asOfAt: T0 + 3 * DAY_MS },
    });
  });

  it('whose fetch was cut off while it was archived passes over it', async () => {
    const ingest = open();
    const { archive } = ingest;
    await archive.write('scripted', T0 - HOUR_MS, new Map());
    const read = archive.read.bind(archive);
    archive.read = async (id, at) => (at === T0 - HOUR_MS ? undefined : read(id, at));
    const source = scriptedSource();
    source.turns.push({ asOfAt: T0, observations: [batch(SCRIPTED_PORT)] });
    expect(await ingest.pass(source)).toMatchObject({
      state: 'ok',
      fetches: 2,
      refusals: {
        first: [
          { reason: 'cut-off', detail: expect.stringMatching(/^the fetch of .* is incomplete or damaged$/) },
        ],
      },
    });
  });
});

it('without its key reports that it is off, sends no request, and still applies archived fetches', async () => {
  const ingest = open();
  const scripted = scriptedSource();
  const keyed: Source = { ...scripted, declaration: { ...scripted.declaration, secret: 'SOME_API_KEY' } };
  scripted.turns.push({ asOfAt: T0, observations: [batch(SCRIPTED_PORT)] });
  expect(await ingest.pass(keyed)).toMatchObject({
    state: 'off',
    fetches: 0,
    detail: 'SOME_API_KEY is not configured',
  });
  expect(scripted.turns).toHaveLength(1);
  await ingest.archive.write(
    'scripted',
    T0 - HOUR_MS,
    replyFiles({ asOfAt: T0, observations: [batchAt(T0)] }),
  );
  expect(await ingest.pass(keyed, { ask: false })).toMatchObject({ state: 'ok', fetches: 1 });
});

it('refuses a reply of the future in a replay years later as it did at its time', async () => {
  const live = open();
  const source = scriptedSource();
  source.turns.push({ asOfAt: T0 + 2 * DAY_MS, observations: [batch(SCRIPTED_PORT, T0 + 2 * DAY_MS)] });
  expect(await live.pass(source)).toMatchObject({ state: 'failed', reason: 'future-reply' });
  const replay = open();
  await replay.archive.write('scripted', T0, (await live.archive.read('scripted', T0)) ?? new Map());
  replay.clock.nowAt += 1000 * DAY_MS;
  expect(await replay.pass(source, { ask: false })).toMatchObject({
    fetches: 1,
    changedRecords: 0,
    refusals: { first: [{ reason: 'future-reply' }] },
  });
});

describe('one process', () => {
  it('does not run beside itself on one source', async () => {
    const ingest = open();
    const source = scriptedSource();
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Source = {
      ...source,
      async fetch(context) {
        await waiting;
        return source.fetch(context);
      },
    };
    source.turns.push({ asOfAt: T0, observations: [] });
    const first = ingest.pass(slow);
    expect(await ingest.pass(slow)).toMatchObject({ state: 'busy' });
    release?.();
    expect(await first).toMatchObject({ state: 'ok' });
  });

  it('is busy when another pass makes the same step meanwhile, and both end in the tables of one', async () => {
    const source: Source = {
      ...scriptedSource(),
      step: ({ fetchedAt, files }: ArchivedFetch) => ({
        calls: files,
        state: new TextEncoder().encode(String(fetchedAt)),
      }),
    };
    const archived = async () => {
      const ingest = open();
      for (const at of [T0 - HOUR_MS, T0]) {
        const files = replyFiles({ asOfAt: at, observations: [batchAt(at)] });
        await ingest.archive.write('scripted', at, files);
      }
      return ingest;
    };
    const ingest = await archived();
    const dependencies = ingest.dependencies();
    const { calls, states } = dependencies.steps;
    const waits = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isWaiting = (): void => {};
    const reached = new Promise<void>((resolve) => {
      isWaiting = resolve;
    });
    const slow = altered(calls, {
      async write(...args) {
        isWaiting();
        await waits;
        await calls.write(...args);
      },
    });
    const first = createPass({ ...dependencies, steps: { calls: slow, states } })(source, { ask: false });
    await reached;
    expect(await ingest.pass(source, { ask: false })).toMatchObject({ state: 'ok', fetches: 2 });
    release?.();
    expect(await first).toMatchObject({ state: 'busy', fetches: 0 });
    expect(await ingest.pass(source, { ask: false })).toMatchObject({ state: 'ok', fetches: 0 });
    const alone = await archived();
    await alone.pass(source, { ask: false });
    expectEqualRows('overlapping steps', await dataOf(ingest), await dataOf(alone));
  });
});

it('a poll is archived when the store is down, unless the upstream asked for a pause', async () => {
  const ingest = open();
  let isDown = true;
  const pass = ingest.restarted({
    wrap: (table, name) => faultyTable(table, name, () => (isDown ? 'refused' : undefined)),
  });
  const source = scriptedSource();
  source.turns.push({ asOfAt: T0, observations: [batch(SCRIPTED_PORT)] });
  await expect(pass(source)).rejects.toThrow(StoreFailure);
  expect(await ingest.archive.fetches('scripted', undefined, T0)).toEqual([T0]);
  isDown = false;
  expect(await pass(source, { ask: false })).toMatchObject({ state: 'ok', fetches: 1 });

  source.turns.push(new UpstreamFailure('refused', '429', 1800), { asOfAt: T0 + HOUR_MS, observations: [] });
  ingest.clock.nowAt += MINUTE_MS;
  await pass(source);
  isDown = true;
  ingest.clock.nowAt += MINUTE_MS;
  await expect(pass(source)).rejects.toThrow(StoreFailure);
  expect(source.turns).toHaveLength(1);
});
