/** What a pass gives its source, and what it does when the upstream, the store or the clock fails. */
import { expect, it } from '@jest/globals';
import type { PollObservation, TradeObservation } from '../../../core/calls/observation.ts';
import { createPass } from '../../../core/ingest/pass.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { StoreFailure } from '../../../core/store/table.ts';
import { UpstreamFailure } from '../../../core/upstream/http-client.ts';
import type { FetchedFiles, Source } from '../../../core/upstream/source.ts';
import { faultyTable } from '../../builders/faulty-table.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, replyFiles, SCRIPTED_PORT, scriptedSource } from '../../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 2, 2);
const replyAt = (asOfAt: number) => ({ asOfAt, observations: [batchAt(asOfAt)] });
const filesAt = (asOfAt: number) => replyFiles(replyAt(asOfAt));
const start = () => ({ ingest: startMemoryIngest({ nowAt: T0 }), source: scriptedSource() });

it('a source can read the files of its last fetch', async () => {
  const { ingest, source } = start();
  const last: (FetchedFiles | undefined)[] = [];
  const reading: Source = {
    ...source,
    async fetch(context) {
      last.push(await context.lastFiles?.());
      return source.fetch(context);
    },
  };
  source.turns.push(replyAt(T0), replyAt(T0 + HOUR_MS));
  await ingest.pass(reading);
  ingest.clock.nowAt += HOUR_MS;
  await ingest.pass(reading);
  expect(last).toEqual([undefined, filesAt(T0)]);
});

it('a source that needs a key gets it', async () => {
  const { ingest, source } = start();
  const given: unknown[] = [];
  const keyed: Source = {
    ...source,
    declaration: { ...source.declaration, secret: 'SOME_API_KEY' },
    fetch(context) {
      given.push(context.secret);
      return source.fetch(context);
    },
  };
  source.turns.push(replyAt(T0));
  await createPass({ ...ingest.dependencies(), secretFor: async () => 'key' })(keyed, { ask: true });
  expect(given).toEqual(['key']);
});

it('a pass counts vessels of unknown type for operators, in polls and in records', async () => {
  const { ingest, source } = start();
  const vessel = { vesselId: 'V', ataAt: T0, zone: 'berth', place: 'BERTH' } as const;
  const poll: PollObservation = {
    kind: 'poll',
    port: SCRIPTED_PORT,
    observedAt: T0,
    inPort: [vessel, { ...vessel, vesselId: 'W', traffic: 'unknown' }],
  };
  const record = { vesselId: 'X', recordedAt: T0, stops: [] };
  const records = (['unknown', 'cargo'] as const).map((traffic) => ({ ...record, callId: traffic, traffic }));
  const trade: TradeObservation = { kind: 'trade', measure: 'value', observedAt: T0, values: [] };
  source.turns.push(
    { asOfAt: T0, observations: [trade] },
    { asOfAt: T0, observations: [poll, batchAt(T0, records)] },
  );
  expect((await ingest.pass(source)).counts).toBeUndefined();
  ingest.clock.nowAt += HOUR_MS;
  expect((await ingest.pass(source)).counts).toEqual({ unknownTypes: 2 });
});

it('a good fetch after a gap of more than three intervals ends an outage', async () => {
  const { ingest, source } = start();
  const { everyMinutes } = source.declaration;
  source.turns.push(replyAt(T0), replyAt(T0 + 4 * everyMinutes * MINUTE_MS));
  await ingest.pass(source);
  ingest.clock.nowAt += 4 * everyMinutes * MINUTE_MS;
  const { status } = await ingest.pass(source);
  expect(status).toMatchObject({
    knownSinceAt: T0,
    outages: [{ fromAt: T0 + everyMinutes * MINUTE_MS, toAt: T0 + 4 * everyMinutes * MINUTE_MS }],
  });
});

it('a pass that finds its source busy has done nothing', async () => {
  const { ingest, source } = start();
  await ingest.stores.statuses.lease('scripted', 'another', HOUR_MS);
  expect(await ingest.pass(source)).toEqual({
    source: 'scripted',
    state: 'busy',
    fetches: 0,
    changedRecords: 0,
    refusals: { count: 0, byReason: {}, first: [] },
    notices: [],
    unfinished: false,
    status: undefined,
  });
});

it('a pass that loses its lease while it fetches archives nothing', async () => {
  const { ingest, source } = start();
  const slow: Source = {
    ...source,
    async fetch(context) {
      const files = await source.fetch(context);
      ingest.clock.nowAt += DAY_MS;
      await ingest.stores.statuses.lease('scripted', 'another', HOUR_MS);
      return files;
    },
  };
  source.turns.push(replyAt(T0));
  await ingest.pass(slow).catch(() => undefined);
  expect(await ingest.archive.fetches('scripted', -Infinity, Infinity)).toEqual([]);
});

it('a pass that has no time for all archived fetches is ok, unfinished, and does not fetch', async () => {
  const { ingest, source } = start();
  await ingest.archive.write('scripted', T0 - HOUR_MS, filesAt(T0 - HOUR_MS));
  source.turns.push(replyAt(T0));
  expect(await ingest.pass(source, { outOfTime: () => true })).toMatchObject({
    state: 'ok',
    fetches: 0,
    unfinished: true,
  });
  expect(source.turns).toHaveLength(1);
});

it('a source is fetched again at the minute at which its pause ends', async () => {
  const { ingest, source } = start();
  source.turns.push(new UpstreamFailure('refused', '429', 1800), replyAt(T0 + 30 * MINUTE_MS));
  await ingest.pass(source);
  ingest.clock.nowAt += 30 * MINUTE_MS - 1;
  expect(await ingest.pass(source)).toMatchObject({ state: 'paused' });
  ingest.clock.nowAt += 1;
  expect(await ingest.pass(source)).toMatchObject({ state: 'ok', fetches: 1 });
});

it('a clock up to ten minutes behind the last fetch is taken, and one further behind is named', async () => {
  const { ingest, source } = start();
  source.turns.push(replyAt(T0), replyAt(T0));
  await ingest.pass(source);
  ingest.clock.nowAt = T0 - 12 * MINUTE_MS;
  expect(await ingest.pass(source)).toMatchObject({
    state: 'failed',
    reason: 'clock-behind',
    detail: 'the clock is 12 minutes behind the last fetch',
  });
  ingest.clock.nowAt = T0 - 10 * MINUTE_MS;
  expect(await ingest.pass(source)).toMatchObject({ state: 'ok', fetches: 1 });
  // The fetch is a second after the last one, whatever the clock says.
  expect(await ingest.archive.fetches('scripted', undefined, T0 + DAY_MS)).toEqual([T0, T0 + 1000]);
});

it.each([
  [8, { state: 'ok', fetches: 2 }],
  [30, { state: 'failed', reason: 'clock-behind', fetches: 0 }],
])(
  'an archived fetch of a clock that was %i minutes ahead comes before the next',
  async (minutes, outcome) => {
    const { ingest, source } = start();
    await ingest.archive.write('scripted', T0 + minutes * MINUTE_MS, filesAt(T0));
    source.turns.push(replyAt(T0 + 1));
    expect(await ingest.pass(source)).toMatchObject(outcome);
  },
);

it('a poll that is archived while the store is down comes after every archived fetch', async () => {
  const { ingest, source } = start();
  const aheadAt = T0 + 5 * MINUTE_MS;
  await ingest.archive.write('scripted', aheadAt, filesAt(T0));
  const pass = ingest.restarted({ wrap: (table, name) => faultyTable(table, name, () => 'refused') });
  source.turns.push(replyAt(T0));
  await expect(pass(source)).rejects.toThrow(StoreFailure);
  expect(await ingest.archive.fetches('scripted', undefined, Infinity)).toEqual([aheadAt, aheadAt + 1000]);
});

it('two fetches within a second get times of their own', async () => {
  const { ingest, source } = start();
  source.turns.push(replyAt(T0), replyAt(T0));
  await ingest.pass(source);
  await ingest.pass(source);
  expect(await ingest.archive.fetches('scripted', undefined, T0 + DAY_MS)).toEqual([T0, T0 + 1000]);
});

it('throws a fault of the code that fetches instead of counting it as a failure of the upstream', async () => {
  const { ingest, source } = start();
  const broken: Source = { ...source, fetch: () => Promise.reject(new TypeError('x is undefined')) };
  await expect(ingest.pass(broken)).rejects.toThrow('x is undefined');
  expect(await ingest.stores.statuses.all()).not.toMatchObject([{ failures: 1 }]);
});

it.each(['portCalls', 'portClocks'])(
  'a reply that is archived is not fetched again when the store fails at %s',
  async (id) => {
    const { ingest, source } = start();
    const pass = ingest.restarted({
      wrap: (table, name) =>
        faultyTable(table, name, ({ operation }) =>
          name === id && (operation === 'put' || operation === 'query') ? 'refused' : undefined,
        ),
    });
    source.turns.push(replyAt(T0), replyAt(T0 + HOUR_MS));
    await expect(pass(source)).rejects.toThrow(StoreFailure);
    expect(source.turns).toHaveLength(1);
    expect(await ingest.archive.fetches('scripted', undefined, T0 + DAY_MS)).toEqual([T0]);
  },
);

it('an upstream that failed is not fetched again when the store then fails', async () => {
  const { ingest, source } = start();
  let isDown = false;
  const pass = ingest.restarted({
    wrap: (table, name) => faultyTable(table, name, () => (isDown ? 'refused' : undefined)),
  });
  const failing: Source = {
    ...source,
    async fetch(context) {
      isDown = true;
      return source.fetch(context);
    },
  };
  source.turns.push(new UpstreamFailure('timed-out', 'no response'), replyAt(T0));
  await expect(pass(failing)).rejects.toThrow(StoreFailure);
  expect(source.turns).toHaveLength(1);
});

it('events, which the upstream still has later, are not fetched while the store is down', async () => {
  const { ingest, source } = start();
  const events: Source = { ...source, declaration: { ...source.declaration, kind: 'events' } };
  const pass = ingest.restarted({ wrap: (table, name) => faultyTable(table, name, () => 'refused') });
  source.turns.push(replyAt(T0));
  await expect(pass(events)).rejects.toThrow(StoreFailure);
  expect(source.turns).toHaveLength(1);
});
