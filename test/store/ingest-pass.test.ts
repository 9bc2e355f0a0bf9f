import { afterEach, describe, expect, it } from '@jest/globals';
import type { PortPoll } from '../../core/calls/observation.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { UpstreamFailure } from '../../core/upstream/http/http-client.ts';
import { FAILURES_BEFORE_PAUSE } from '../../core/upstream/http/retry.ts';
import { makePolls } from '../../studies/accuracy/ground-truth/simulated-polls.ts';
import { simulatePort } from '../../studies/worlds/simulate-port.ts';
import { metered, type WriteMeter } from '../builders/failing-table.ts';
import { startTestIngest, type TestIngest } from '../builders/ingest.ts';
import { SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';
import { dumpOf } from '../builders/table-dump.ts';

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
const polls = (hours: number, everyMinutes: number): PortPoll[] =>
  makePolls(truth, { fromAt: T0, toAt: T0 + hours * HOUR_MS }, { everyMinutes, seed: 3 });

/** One pass at the time of the poll, which is the upstream's reply. */
async function poll(ingest: TestIngest, pass: TestIngest['pass'], seen: PortPoll) {
  const source = scriptedSource();
  source.turns.push({ asOfAt: seen.observedAt, reports: [seen] });
  ingest.clock.nowAt = seen.observedAt;
  return pass(source);
}

describe('a pass', () => {
  it('brings freshness, snapshot and calls forward, and a second look at the same minute changes nothing', async () => {
    const ingest = await start();
    const [first] = polls(1, 20);
    if (first === undefined) throw new Error('no poll');
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

  it('writes at most five times for a poll that changed nothing', async () => {
    const ingest = await start();
    const meter: WriteMeter = { writes: 0 };
    const pass = ingest.restarted({ wrap: (table) => metered(table, meter) });
    const [first] = polls(1, 20);
    if (first === undefined) throw new Error('no poll');
    await poll(ingest, pass, first);
    await poll(ingest, pass, { ...first, observedAt: T0 + 20 * MINUTE_MS });
    meter.writes = 0;
    await poll(ingest, pass, { ...first, observedAt: T0 + 40 * MINUTE_MS });
    expect(meter.writes).toBeLessThanOrEqual(5);
    expect(meter.writes).toBeGreaterThan(0);
  });

  it('is refused while another process has the lease of the source, and not when that one died long ago', async () => {
    const ingest = await start();
    const [first, second] = polls(1, 20);
    if (first === undefined || second === undefined) throw new Error('no poll');
    await ingest.stores.statuses.lease('scripted', 'somebody', HOUR_MS / 4);
    expect(await poll(ingest, ingest.pass, first)).toMatchObject({ state: 'busy', fetches: 0 });
    expect(await poll(ingest, ingest.pass, second)).toMatchObject({ state: 'ok' });
  });

  it('still serves the last good data when a reply is refused, and freshness does not change', async () => {
    const ingest = await start();
    const [first] = polls(1, 20);
    if (first === undefined) throw new Error('no poll');
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
    const [first] = polls(1, 20);
    if (first === undefined) throw new Error('no poll');
    await poll(ingest, ingest.pass, first);
    const source = scriptedSource();
    const observedAt = T0 + offsetMs;
    source.turns.push({ asOfAt: observedAt, reports: [{ ...first, observedAt }] });
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
    const [seen] = polls(1, 20);
    if (seen === undefined) throw new Error('no poll');
    source.turns.push({ asOfAt: T0, reports: [seen] });
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
    source.turns.push({ asOfAt: statedAt, reports: [] }, { asOfAt: T0 + MINUTE_MS, reports: [] });
    for (let i = 0; i < 3; i += 1) {
      await ingest.pass(source);
      ingest.clock.nowAt += MINUTE_MS;
    }
    expect(asked).toEqual([undefined, statedAt, T0 + MINUTE_MS]);
    expect(await ingest.stores.statuses.all()).toMatchObject([{ lastFetchAt: T0 + MINUTE_MS }]);
  });

  it.each([8, 30])(
    'keeps the order of fetches when a clock %i minutes ahead is put back',
    async (minutes) => {
      const ingest = await start();
      const seen = polls(2, 20);
      const truth = scriptedSource();
      const ask = async (at: number, pass = ingest.pass) => {
        const asked = seen[at];
        if (asked === undefined) throw new Error('no poll');
        truth.turns.splice(0, Infinity, { asOfAt: asked.observedAt, reports: [asked] });
        return pass(truth);
      };
      await ask(0);
      ingest.clock.nowAt = T0 + (20 + minutes) * MINUTE_MS;
      // The poll is archived, and the store fails before it is applied.
      const dying = ingest.restarted({ wrap: (table) => metered(table, { writes: 0, diesAt: 2 }) });
      await expect(ask(1, dying)).rejects.toThrow('killed');
      ingest.clock.nowAt = T0 + 25 * MINUTE_MS;
      const put = await ask(2);
      expect(put).toMatchObject(minutes === 8 ? { state: 'ok', fetches: 2 } : { reason: 'clock-behind' });
      ingest.clock.nowAt = T0 + 60 * MINUTE_MS;
      expect(await ask(3)).toMatchObject({ state: 'ok', refusals: { count: 0 } });
      const { snapshot } = (await ingest.stores.ports.get(SCRIPTED_PORT)) ?? {};
      const { clocks } = (await ingest.stores.portClocks.get(SCRIPTED_PORT)) ?? {};
      expect(snapshot?.asOfAt).toBe(seen[3]?.observedAt);
      expect(clocks?.coverage).toEqual([{ fromAt: T0, toAt: seen[3]?.observedAt }]);
      const fetches = await ingest.archive.fetches('scripted', undefined, Infinity);
      const asOf = await Promise.all(
        fetches.map(
          async (at) =>
            truth.parse({ fetchedAt: at, files: (await ingest.archive.read('scripted', at)) ?? new Map() })
              .asOfAt,
        ),
      );
      expect(asOf).toEqual([...asOf].sort((a, b) => a - b));
    },
  );
});

describe('import values', () => {
  const months = Array.from(
    { length: 15 },
    (_, i) => `${2025 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  );
  const report = (value: number, changed?: [string, number]) => ({
    kind: 'trade' as const,
    measure: 'GEN_VAL_MO',
    observedAt: 0,
    values: months.map((month) => ({
      code: '85',
      month,
      value: changed?.[0] === month ? changed[1] : value,
    })),
  });

  it('keep every vintage, and a revision recomputes what it touches', async () => {
    const ingest = await start();
    const publish = async (body: ReturnType<typeof report>) => {
      ingest.clock.nowAt += DAY_MS;
      const source = scriptedSource();
      const observedAt = ingest.clock.nowAt;
      source.turns.push({ asOfAt: observedAt, reports: [{ ...body, observedAt }] });
      return ingest.pass(source);
    };
    expect(await publish(report(1_000_000))).toMatchObject({ changedRecords: 1 });
    const before = await ingest.stores.importIndex.get('85');
    expect(before?.points).toEqual(months.slice(13).map((month) => ({ month, index: 100 })));
    expect(await publish(report(1_000_000))).toMatchObject({ changedRecords: 0 });
    expect(await publish(report(1_000_000, ['2026-03', 4_000_000]))).toMatchObject({ changedRecords: 1 });
    expect((await ingest.stores.importIndex.get('85'))?.points.at(-1)).toEqual({
      month: '2026-03',
      index: 200,
    });
    const vintages = await ingest.stores.importValues.vintages('85', 'GEN_VAL_MO');
    expect(vintages.map(({ values }) => Object.keys(values).length)).toEqual([15, 1]);
  });

  it('of two measures are never one series', async () => {
    const ingest = await start();
    const source = scriptedSource();
    source.turns.push(
      { asOfAt: T0, reports: [{ ...report(5), observedAt: T0 }] },
      { asOfAt: T0 + 1000, reports: [{ ...report(9), measure: 'CON_VAL_MO', observedAt: T0 + 1000 }] },
    );
    await ingest.pass(source);
    ingest.clock.nowAt += MINUTE_MS;
    await ingest.pass(source);
    expect(await ingest.stores.importValues.vintages('85', 'CON_VAL_MO')).toHaveLength(1);
    expect((await ingest.stores.importIndex.get('85'))?.measure).toBe('GEN_VAL_MO');
  });
});
