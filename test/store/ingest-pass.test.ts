import { afterEach, describe, expect, it } from '@jest/globals';
import type { PollObservation } from '../../core/calls/observation.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { FAILURES_BEFORE_PAUSE } from '../../core/upstream/fetch-client.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import { startTestIngest, type TestIngest } from '../builders/ingest.ts';
import { SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';
import { dumpOf } from '../builders/table-dump.ts';
import { simulatePort } from '../worlds/simulate-port.ts';
import { makePolls } from '../worlds/simulated-polls.ts';

const T0 = Date.UTC(2026, 2, 2);
const open: TestIngest[] = [];
afterEach(async () => {
  for (const ingest of open.splice(0)) await ingest.close();
});

async function start(): Promise<TestIngest> {
  const ingest = await startTestIngest({ nowAt: T0 });
  open.push(ingest);
  return ingest;
}

const truth = simulatePort(SCRIPTED_PORT, T0 - 5 * DAY_MS, T0 + 5 * DAY_MS, 7);
const [first] = makePolls(truth, { fromAt: T0, toAt: T0 + HOUR_MS }, { everyMinutes: 20, seed: 3 }) as [
  PollObservation,
];

/** One pass at the time of the poll, which is the upstream's reply. */
async function poll(ingest: TestIngest, pass: TestIngest['pass'], seen: PollObservation) {
  const source = scriptedSource();
  source.turns.push({ asOfAt: seen.observedAt, observations: [seen] });
  ingest.clock.nowAt = seen.observedAt;
  return pass(source);
}

describe('a pass', () => {
  it('brings freshness, snapshot and calls forward, and a second look at the same minute changes nothing', async () => {
    const ingest = await start();
    const outcome = await poll(ingest, ingest.pass, first);
    expect(outcome).toMatchObject({ state: 'ok', fetches: 1 });
    expect(outcome.changedRecords).toBeGreaterThanOrEqual(first.inPort?.length ?? Infinity);
    expect(await ingest.stores.statuses.all()).toMatchObject([
      { source: 'scripted', lastFetchAt: T0, failures: 0 },
    ]);
    expect((await ingest.stores.ports.get(SCRIPTED_PORT))?.snapshot).toMatchObject({
      asOfAt: T0,
      inPort: first.inPort?.length,
    });
    const calls = await dumpOf({ calls: ingest.tables.portCalls });
    await poll(ingest, ingest.pass, first);
    expect(await dumpOf({ calls: ingest.tables.portCalls })).toEqual(calls);
  });

  it('still serves the last good data when a reply is refused, and freshness does not change', async () => {
    const ingest = await start();
    await poll(ingest, ingest.pass, first);
    const source = scriptedSource();
    source.turns.push('garbage');
    ingest.clock.nowAt += 20 * MINUTE_MS;
    expect(await ingest.pass(source)).toMatchObject({ state: 'failed', reason: 'not-json' });
    expect(await ingest.stores.statuses.all()).toMatchObject([{ lastFetchAt: T0, failures: 1 }]);
    expect((await ingest.stores.ports.get(SCRIPTED_PORT))?.snapshot?.asOfAt).toBe(T0);
  });

  it.each([
    ['future-reply', 2 * DAY_MS],
    ['stale-reply', -HOUR_MS],
  ])('refuses a %s', async (reason, offsetMs) => {
    const ingest = await start();
    await poll(ingest, ingest.pass, first);
    const source = scriptedSource();
    const observedAt = T0 + offsetMs;
    source.turns.push({ asOfAt: observedAt, observations: [{ ...first, observedAt }] });
    ingest.clock.nowAt += 20 * MINUTE_MS;
    expect(await ingest.pass(source)).toMatchObject({ state: 'failed', reason });
  });

  it('pauses a source that keeps failing, fetches again after the pause, and recovers after one good reply', async () => {
    const ingest = await start();
    const source = scriptedSource();
    for (let i = 0; i <= FAILURES_BEFORE_PAUSE; i += 1) {
      source.turns.push(new UpstreamFailure('timed-out', 'no response'));
      expect(await ingest.pass(source)).toMatchObject({ state: 'failed', reason: 'timed-out' });
      ingest.clock.nowAt += MINUTE_MS;
    }
    expect(await ingest.pass(source)).toMatchObject({ state: 'paused' });
    ingest.clock.nowAt += 10 * MINUTE_MS;
    source.turns.push({ asOfAt: T0, observations: [first] });
    expect(await ingest.pass(source)).toMatchObject({ state: 'ok' });
    const [status] = await ingest.stores.statuses.all();
    expect(status).toMatchObject({ failures: 0 });
    expect(status).not.toHaveProperty('pausedUntilAt');
  });

  it('fetches changes since the time that the last reply stated, when that reply came from a cache', async () => {
    const ingest = await start();
    const asked: (number | undefined)[] = [];
    const source = scriptedSource();
    const { fetch } = source;
    source.fetch = (context) => {
      asked.push(context.lastFetchAt);
      return fetch(context);
    };
    const statedAt = T0 - 12 * HOUR_MS;
    source.turns.push({ asOfAt: statedAt, observations: [] }, { asOfAt: T0 + MINUTE_MS, observations: [] });
    for (let i = 0; i < 3; i += 1) {
      await ingest.pass(source);
      ingest.clock.nowAt += MINUTE_MS;
    }
    expect(asked).toEqual([undefined, statedAt, T0 + MINUTE_MS]);
    expect(await ingest.stores.statuses.all()).toMatchObject([{ lastFetchAt: T0 + MINUTE_MS }]);
  });
});
