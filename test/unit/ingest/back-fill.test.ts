/** The two steps of a back-fill, on an archive of three fetches of two ports. */
import { describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../../core/calls/observation.ts';
import { createBackFill } from '../../../core/ingest/back-fill.ts';
import { DAY_MS, dayOf, HOUR_MS, type Instant, MINUTE_MS, startOfDay } from '../../../core/reference/time.ts';
import type { Source } from '../../../core/upstream/source.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, replyFiles, scriptedSource } from '../../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 0, 5);
const NOW = T0 + 30 * DAY_MS;
const FETCHES = [T0, T0 + DAY_MS, T0 + 2 * DAY_MS];
const PORTS = ['HKHKG', 'SGSIN'];
const scripted = scriptedSource('ports', PORTS);
const SOURCE: Source = {
  ...scripted,
  declaration: { ...scripted.declaration, kind: 'events' },
  parse: (fetched) => ({
    ...scripted.parse(fetched),
    notices: [
      { reason: 'unknown-place', detail: 'PIER' },
      { reason: 'contradicted-call', detail: 'one' },
    ],
  }),
};

const batchOf = (port: string, at: Instant): CallsObservation => {
  const call = `${port} ${at}`;
  const stop = { zone: 'berth', place: 'QUAY', ataAt: at - 9 * HOUR_MS, atdAt: at - HOUR_MS } as const;
  const record = { callId: call, vesselId: call, traffic: 'cargo', recordedAt: at, stops: [stop] } as const;
  return batchAt(at, [record], { port });
};
const replyAt = (at: Instant) => ({
  asOfAt: at,
  observations: PORTS.map((port) => batchOf(port, at)),
  refusals: [{ reason: 'a-row', detail: 'was left out' }],
});

async function start(fetches: readonly Instant[] = FETCHES, source = SOURCE) {
  const ingest = startMemoryIngest({ nowAt: NOW });
  for (const at of fetches) await ingest.archive.write(source.declaration.id, at, replyFiles(replyAt(at)));
  const processOf = (owner: string) => createBackFill(ingest.dependencies({ owner }));
  const calls = async (port: string) => (await ingest.stores.portCalls.since(port, 0)).length;
  return { ...ingest, backFill: processOf('one'), processOf, calls };
}
describe('load', () => {
  it('covers the ports and keeps the source from passes', async () => {
    const { backFill, pass, stores } = await start([]);
    expect(await backFill.load(SOURCE, {})).toBeUndefined();
    expect(await stores.ports.get('SGSIN')).toMatchObject({ port: 'SGSIN', sources: ['ports'] });
    expect(await pass(SOURCE, { ask: false })).toMatchObject({ state: 'busy' });
  });
});

describe('apply', () => {
  it('applies the archive in order of time and gives the source back to passes', async () => {
    const { backFill, calls, pass, stores } = await start();
    await backFill.load(SOURCE, {});
    const progress: number[][] = [];
    const onProgress = (...counts: number[]) => progress.push(counts);
    const applied = await backFill.apply(SOURCE, { onProgress });
    expect(applied).toMatchObject({
      source: 'ports',
      state: 'ok',
      fetches: 3,
      changedRecords: 6,
      unfinished: false,
    });
    expect(applied.refusals.first[0]).toEqual({ reason: 'a-row', detail: 'was left out' });
    expect([await calls('HKHKG'), await calls('SGSIN')]).toEqual([3, 3]);
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(await stores.statuses.all()).toMatchObject([{ source: 'ports', checkpointAt: T0 + 2 * DAY_MS }]);
    expect(await pass(SOURCE, { ask: false })).toMatchObject({ state: 'ok', fetches: 0 });
  });

  it('marks the rows as made afterwards', async () => {
    const { backFill, stores } = await start();
    await backFill.load(SOURCE, {});
    await backFill.apply(SOURCE);
    const day = await stores.dailyMetrics.asOf('HKHKG', dayOf(NOW));
    expect(day.backfilled).toBe(true);
  });

  it('takes a fetch up to ten minutes ahead of the clock, because clocks differ', async () => {
    const fetchesAt = async (at: Instant) => (await (await start([at])).backFill.apply(SOURCE)).fetches;
    expect(await fetchesAt(NOW + 10 * MINUTE_MS)).toBe(1);
    expect(await fetchesAt(NOW + 11 * MINUTE_MS)).toBe(0);
  });

  it('begins with the fetch of the time that is asked for, and ends with that of the other', async () => {
    const applied = async (span: { sinceAt?: Instant; untilAt?: Instant }) => {
      const { backFill } = await start();
      return (await backFill.apply(SOURCE, span)).fetches;
    };
    expect(await applied({ sinceAt: T0 + DAY_MS })).toBe(2);
    expect(await applied({ sinceAt: T0 + DAY_MS + 1000 })).toBe(1);
    expect(await applied({ untilAt: T0 + DAY_MS })).toBe(2);
    expect(await applied({ untilAt: T0 + DAY_MS - 1000 })).toBe(1);
  });

  it('goes on where it ran out of time, in any process', async () => {
    const { backFill, pass, processOf } = await start();
    let left = 2;
    const outOfTime = () => --left < 0;
    expect(await backFill.apply(SOURCE, { outOfTime })).toMatchObject({ fetches: 2, unfinished: true });
    expect(await pass(SOURCE, { ask: false })).toMatchObject({ state: 'busy' });
    expect(await processOf('two').apply(SOURCE)).toMatchObject({ fetches: 1, unfinished: false });
    expect(await backFill.apply(SOURCE)).toMatchObject({ fetches: 0 });
  });

  it('is refused while another process has the source', async () => {
    const { backFill, stores, clock } = await start();
    await stores.statuses.lease('ports', 'a pass', 15 * MINUTE_MS);
    await expect(backFill.apply(SOURCE)).rejects.toThrow(
      'another pass has the lease of ports: try again when it is done',
    );
    clock.nowAt += 16 * MINUTE_MS;
    await expect(backFill.apply(SOURCE)).resolves.toMatchObject({ fetches: 3 });
  });

  it('stops when another process has taken the source over', async () => {
    const { backFill, calls, clock, stores } = await start();
    await backFill.load(SOURCE, {});
    let taken: Promise<unknown> = Promise.resolve();
    const onProgress = (done: number) => {
      if (done > 1) return;
      clock.nowAt += 16 * MINUTE_MS;
      taken = stores.statuses.lease('ports', 'another', HOUR_MS);
    };
    await expect(backFill.apply(SOURCE, { onProgress })).rejects.toThrow('another process works on ports');
    await expect(taken).resolves.toBeDefined();
    expect(await calls('HKHKG')).toBe(1);
  });

  it('has the lease as long as it makes progress', async () => {
    const { backFill, clock, stores } = await start();
    const others: Promise<unknown>[] = [];
    // Two fetches of eleven minutes each are longer than the lease.
    const onProgress = () => {
      clock.nowAt += 11 * MINUTE_MS;
    };
    const outOfTime = () => {
      others.push(stores.statuses.lease('ports', 'another', MINUTE_MS));
      return false;
    };
    expect(await backFill.apply(SOURCE, { onProgress, outOfTime })).toMatchObject({
      state: 'ok',
      fetches: 3,
    });
    expect(await Promise.all(others)).toEqual([undefined, undefined, undefined]);
  });
});

it('a back-fill that is given up leaves the source to passes where it was', async () => {
  const { backFill, pass } = await start();
  let left = 1;
  await backFill.apply(SOURCE, { outOfTime: () => --left < 0 });
  await backFill.giveUp(SOURCE);
  expect(await pass(SOURCE, { ask: false })).toMatchObject({ state: 'ok', fetches: 2 });
});

it('does not take rows of unfinished back-fills of an earlier version for sources', async () => {
  const { stores, tables } = await start();
  await tables.sourceStatus.put({ source: 'ports#HKHKG', failures: 0, lastFetchAt: T0 });
  expect(await stores.statuses.all()).toEqual([]);
});

describe('the history', () => {
  const days: string[] = [];
  const read: unknown[] = [];
  const hosts: (readonly string[])[] = [];
  const PAST: Source = {
    ...SOURCE,
    history: {
      hosts: ['past.example'],
      async fetchDay(_http, past, day) {
        const fetchedAt = startOfDay(day);
        read.push(await past.read?.(fetchedAt));
        if (await past.has(fetchedAt)) return;
        days.push(day);
        await past.write({ fetchedAt, files: replyFiles(replyAt(fetchedAt)) });
      },
    },
  };
  const history = { fromDay: '2026-01-05', toDay: '2026-01-07' } as const;
  const startPast = async (fetches: readonly Instant[]) => {
    const ingest = await start(fetches, PAST);
    days.splice(0);
    read.splice(0);
    hosts.splice(0);
    const dependencies = ingest.dependencies();
    const backFill = createBackFill({
      ...dependencies,
      httpFor: (declaration) => {
        hosts.push(declaration.hosts);
        return dependencies.httpFor(declaration);
      },
    });
    return { ...ingest, backFill };
  };

  it('is fetched day by day, the last one included, without the fetches that the archive has', async () => {
    const { archive, backFill } = await startPast([T0 + DAY_MS]);
    const done: string[] = [];
    expect(await backFill.load(PAST, { history, onDay: (day) => done.push(day) })).toBeUndefined();
    expect(days).toEqual(['2026-01-05', '2026-01-07']);
    expect(read).toEqual([undefined, await archive.read('ports', T0 + DAY_MS), undefined]);
    expect(done).toEqual(['2026-01-05', '2026-01-06', '2026-01-07']);
    expect(hosts).toEqual([['past.example']]);
  });

  it('stops between two days when time is out, and names the day to go on from', async () => {
    const { backFill } = await startPast([]);
    const outOfTime = () => days.length >= 2;
    expect(await backFill.load(PAST, { history, outOfTime })).toBe('2026-01-07');
    expect(days).toEqual(['2026-01-05', '2026-01-06']);
  });

  it('that stops within a day goes on with that day, and never asks for the future', async () => {
    const asked: (readonly [string, number])[] = [];
    const long: Source = {
      ...PAST,
      history: {
        hosts: [],
        async fetchDay(_http, _past, day, { now, outOfTime }) {
          asked.push([day, now()]);
          return !outOfTime();
        },
      },
    };
    const { backFill, dependencies } = await startPast([]);
    const done: string[] = [];
    let checks = 0;
    // Time runs out within the second day.
    const outOfTime = () => ++checks > 3;
    const onDay = (day: string) => done.push(day);
    expect(await backFill.load(long, { history, outOfTime, onDay })).toBe('2026-01-06');
    expect(done).toEqual(['2026-01-05']);
    const nowAt = dependencies().now();
    expect(asked).toEqual([
      ['2026-01-05', nowAt],
      ['2026-01-06', nowAt],
    ]);
  });

  it('is refused where the tables are ahead of it, which gives the source back', async () => {
    const { backFill, pass } = await startPast([T0 + 1000]);
    await pass(PAST, { ask: false });
    await expect(backFill.load(PAST, { history })).rejects.toThrow(
      'the tables have applied ports up to 2026-01-05T00:00:01Z, and older fetches are not applied: ' +
        'back-fill into empty tables, or start after that time',
    );
    expect(await pass(PAST, { ask: false })).toMatchObject({ state: 'ok' });
    const exact = await startPast([T0]);
    await exact.pass(PAST, { ask: false });
    expect(await exact.backFill.load(PAST, { history })).toBeUndefined();
  });

  it('is refused to a source without one', async () => {
    const { backFill } = await startPast([]);
    await expect(backFill.load(SOURCE, { history })).rejects.toThrow('ports serves no past fetches');
  });

  it('that fails keeps the source, so that no pass moves past it', async () => {
    const { backFill, pass } = await startPast([]);
    const failing: Source = {
      ...PAST,
      history: { hosts: [], fetchDay: () => Promise.reject(new Error('no response')) },
    };
    await expect(backFill.load(failing, { history })).rejects.toThrow('no response');
    expect(await pass(PAST, { ask: false })).toMatchObject({ state: 'busy' });
  });
});
