/** The three steps of a back-fill, on an archive of three fetches of two ports. */
import { describe, expect, it } from '@jest/globals';
import type { CallBatch } from '../../../core/calls/observation.ts';
import { createBackFill } from '../../../core/ingest/back-fill.ts';
import {
  DAY_MS,
  formatInstant,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  startOfDay,
} from '../../../core/reference/time.ts';
import { verdictName } from '../../../core/store/raw-archive.ts';
import { partitionKey } from '../../../core/store/source-status.ts';
import { ACCEPTED } from '../../../core/upstream/judgement.ts';
import type { Source } from '../../../core/upstream/source.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, replyFiles, scriptedSource } from '../../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 0, 5);
const NOW = T0 + 30 * DAY_MS;
const FETCHES = [T0, T0 + DAY_MS, T0 + 2 * DAY_MS];
const PORTS = ['HKHKG', 'SGSIN'];
const scripted = scriptedSource('parted', PORTS);
const SOURCE: Source = {
  ...scripted,
  declaration: { ...scripted.declaration, kind: 'events', partitionedBy: 'port' },
  parse: (fetched) => ({
    ...scripted.parse(fetched),
    notices: [
      { reason: 'unknown-place', detail: 'PIER' },
      { reason: 'contradicted-call', detail: 'one' },
    ],
  }),
};

const batchOf = (port: string, at: Instant): CallBatch => {
  const call = `${port} ${at}`;
  const stop = { zone: 'berth', place: 'QUAY', ataAt: at - 9 * HOUR_MS, atdAt: at - HOUR_MS } as const;
  const record = { callId: call, vesselId: call, traffic: 'cargo', recordedAt: at, stops: [stop] } as const;
  return batchAt(at, [record], { port });
};
const replyAt = (at: Instant) => ({
  asOfAt: at,
  reports: PORTS.map((port) => batchOf(port, at)),
  refusals: [{ reason: 'a-row', detail: 'was left out' }],
});

async function start(fetches: readonly Instant[] = FETCHES, source = SOURCE) {
  const ingest = startMemoryIngest({ nowAt: NOW });
  for (const at of fetches) {
    await ingest.archive.write(source.declaration.id, at, replyFiles(replyAt(at)));
    // Only fetches that are judged are divided.
    await ingest.archive.writeNote(source.declaration.id, verdictName(at), ACCEPTED);
  }
  const processOf = (owner: string) => createBackFill(ingest.dependencies({ owner }));
  const calls = async (port: string) => (await ingest.stores.portCalls.since(port, 0)).length;
  return { ...ingest, backFill: processOf('one'), processOf, calls };
}
const partition = (part: string, more = {}) => ({ source: 'parted', part, ...more });

describe('open', () => {
  it('has the partitions of the archive up to its newest fetch', async () => {
    const { backFill } = await start();
    const until = formatInstant(T0 + 2 * DAY_MS);
    expect(await backFill.open(SOURCE, {})).toEqual({
      partitions: [partition('HKHKG', { until }), partition('SGSIN', { until })],
    });
  });

  it('keeps to the span that is asked for', async () => {
    const { backFill } = await start();
    const sinceAt = T0 + 1000;
    const span = { since: formatInstant(sinceAt), until: formatInstant(T0 + DAY_MS) };
    const request = { sinceAt, untilAt: T0 + 2 * DAY_MS - 1000 };
    expect((await backFill.open(SOURCE, request)).partitions[0]).toEqual(partition('HKHKG', span));
  });

  it('takes a fetch up to ten minutes ahead of the clock, because clocks differ', async () => {
    const ahead = await start([NOW + 10 * MINUTE_MS]);
    expect((await ahead.backFill.open(SOURCE, {})).partitions).toHaveLength(2);
    const tooFar = await start([NOW + 11 * MINUTE_MS]);
    expect(await tooFar.backFill.open(SOURCE, {})).toEqual({ partitions: [] });
  });

  it('has nothing to do on an empty archive, and covers the ports all the same', async () => {
    const { backFill, stores } = await start([]);
    expect(await backFill.open(SOURCE, {})).toEqual({ partitions: [] });
    expect(await stores.ports.get('SGSIN')).toMatchObject({ port: 'SGSIN', sources: ['parted'] });
  });
});

describe('walk', () => {
  it('applies the reports of its port alone', async () => {
    const { backFill, calls } = await start();
    await backFill.open(SOURCE, {});
    const progress: number[][] = [];
    const onProgress = (...counts: number[]) => progress.push(counts);
    expect(await backFill.walk(SOURCE, partition('SGSIN'), { onProgress })).toMatchObject({
      source: 'parted',
      state: 'ok',
      fetches: 3,
      changedRecords: 3,
      unfinished: false,
    });
    expect([await calls('HKHKG'), await calls('SGSIN')]).toEqual([0, 3]);
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('reports what was left out of whole replies with the first partition alone', async () => {
    const { backFill } = await start([T0]);
    await backFill.open(SOURCE, {});
    const first = await backFill.walk(SOURCE, partition('HKHKG'));
    expect(first.refusals.first).toEqual([{ reason: 'a-row', detail: 'was left out' }]);
    expect(first.notices.map(({ reason }) => reason)).toEqual(['unknown-place', 'contradicted-call']);
    const second = await backFill.walk(SOURCE, partition('SGSIN'));
    expect(second).toMatchObject({ source: 'parted', state: 'ok', refusals: { count: 0 } });
    expect(second.notices.map(({ reason }) => reason)).toEqual(['contradicted-call']);
  });

  it('begins with the fetch of the time that is asked for, and ends with that of the other', async () => {
    const walked = async (span: object) => {
      const { backFill } = await start();
      return (await backFill.walk(SOURCE, partition('HKHKG', span))).fetches;
    };
    expect(await walked({ since: formatInstant(T0 + DAY_MS) })).toBe(2);
    expect(await walked({ since: formatInstant(T0 + DAY_MS + 1000) })).toBe(1);
    expect(await walked({ until: formatInstant(T0 + DAY_MS) })).toBe(2);
    expect(await walked({ until: formatInstant(T0 + DAY_MS - 1000) })).toBe(1);
  });

  it('goes on where it ran out of time', async () => {
    const { backFill } = await start();
    let left = 2;
    const outOfTime = () => --left < 0;
    const first = await backFill.walk(SOURCE, partition('HKHKG'), { outOfTime });
    expect(first).toMatchObject({ fetches: 2, unfinished: true });
    expect(await backFill.walk(SOURCE, partition('HKHKG'))).toMatchObject({ fetches: 1, unfinished: false });
    expect(await backFill.walk(SOURCE, partition('HKHKG'))).toMatchObject({ fetches: 0 });
  });

  it('begins where the source is, when the row of an earlier back-fill is behind that', async () => {
    const { backFill, pass } = await start();
    await backFill.walk(SOURCE, partition('HKHKG', { until: formatInstant(T0) }));
    await backFill.walk(SOURCE, partition('SGSIN', { until: formatInstant(T0 + 2 * DAY_MS) }));
    await backFill.close(SOURCE);
    expect(await pass(SOURCE, { ask: false })).toMatchObject({ fetches: 2 });
    await backFill.open(SOURCE, {});
    expect(await backFill.walk(SOURCE, partition('HKHKG'))).toMatchObject({ fetches: 0 });
    expect(await backFill.walk(SOURCE, partition('SGSIN'))).toMatchObject({ fetches: 0 });
  });

  it('is refused while another process has the source or the partition', async () => {
    const { backFill, stores, clock } = await start();
    await stores.statuses.lease('parted', 'a pass', 15 * MINUTE_MS);
    await expect(backFill.walk(SOURCE, partition('HKHKG'))).rejects.toThrow(
      'another pass has the lease of parted: try again when it is done',
    );
    clock.nowAt += 16 * MINUTE_MS;
    await expect(backFill.walk(SOURCE, partition('HKHKG'))).resolves.toMatchObject({ fetches: 3 });
  });

  it('is refused while another process walks the partition', async () => {
    const { backFill, processOf, stores } = await start();
    await stores.statuses.lease(partitionKey('parted', 'HKHKG'), 'another', 15 * MINUTE_MS);
    await expect(backFill.walk(SOURCE, partition('HKHKG'))).rejects.toThrow(
      'another process walks parted#HKHKG',
    );
    await expect(processOf('two').walk(SOURCE, partition('SGSIN'))).resolves.toMatchObject({ fetches: 3 });
  });

  it.each([
    ['the partition', partitionKey('parted', 'HKHKG'), 16],
    ['the source', 'parted', 31],
  ])('stops when another process has taken %s over', async (_, key, minutes) => {
    const { backFill, calls, clock, stores } = await start();
    await backFill.open(SOURCE, {});
    let taken: Promise<unknown> = Promise.resolve();
    const onProgress = (done: number) => {
      if (done > 1) return;
      clock.nowAt += minutes * MINUTE_MS;
      taken = stores.statuses.lease(key, 'another', HOUR_MS);
    };
    const walk = backFill.walk(SOURCE, partition('HKHKG'), { onProgress });
    await expect(walk).rejects.toThrow('another process walks parted#HKHKG');
    await expect(taken).resolves.toBeDefined();
    expect(await calls('HKHKG')).toBe(1);
  });

  it('has both leases as long as it makes progress', async () => {
    const { backFill, clock, stores } = await start();
    const others: Promise<unknown>[] = [];
    // Each fetch takes eleven minutes: two are longer than the lease of the partition, three than that of the source.
    const onProgress = () => {
      clock.nowAt += 11 * MINUTE_MS;
    };
    const outOfTime = () => {
      for (const key of ['parted', partitionKey('parted', 'HKHKG')])
        others.push(stores.statuses.lease(key, 'another', MINUTE_MS));
      return false;
    };
    const walked = await backFill.walk(SOURCE, partition('HKHKG'), { onProgress, outOfTime });
    expect(walked).toMatchObject({ state: 'ok', fetches: 3 });
    expect(await Promise.all(others)).toEqual(others.map(() => undefined));
  });
});

describe('close', () => {
  it('moves the source to the point that all partitions have reached, and forgets those that are no further', async () => {
    const { backFill, stores } = await start();
    await backFill.open(SOURCE, {});
    await backFill.walk(SOURCE, partition('HKHKG'));
    await backFill.walk(SOURCE, partition('SGSIN', { until: formatInstant(T0 + DAY_MS) }));
    expect(await backFill.close(SOURCE)).toMatchObject({
      source: 'parted',
      checkpointAt: T0 + DAY_MS,
      lastFetchAt: T0 + DAY_MS,
      asOfAt: T0 + DAY_MS,
    });
    const keys = ['HKHKG', 'SGSIN'].map((port) => partitionKey('parted', port));
    expect((await stores.statuses.listPartitions(keys)).map(({ source }) => source)).toEqual([keys[0]]);
    const again = await backFill.open(SOURCE, {});
    const fetches: number[] = [];
    for (const partition of again.partitions) fetches.push((await backFill.walk(SOURCE, partition)).fetches);
    expect(fetches).toEqual([0, 1]);
    expect(await backFill.close(SOURCE)).toMatchObject({ checkpointAt: T0 + 2 * DAY_MS });
    expect((await stores.statuses.all()).map(({ source }) => source)).toEqual(['parted']);
    expect(await stores.statuses.listPartitions(keys)).toEqual([]);
  });

  it('leaves the source where it is while a partition has not begun', async () => {
    const { backFill } = await start();
    await backFill.open(SOURCE, {});
    await backFill.walk(SOURCE, partition('HKHKG'));
    expect(await backFill.close(SOURCE)).toEqual({ source: 'parted', failures: 0 });
  });

  it('gives the source back to passes', async () => {
    const { backFill, pass, stores } = await start();
    await backFill.open(SOURCE, {});
    expect(await pass(SOURCE, { ask: false })).toMatchObject({ state: 'busy' });
    expect(await stores.statuses.lease('parted', 'back-fill', HOUR_MS)).toBeDefined();
    await backFill.close(SOURCE);
    expect(await pass(SOURCE, { ask: false })).toMatchObject({ state: 'ok', fetches: 3 });
  });
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
    const { partitions } = await backFill.open(PAST, { history, onDay: (day) => done.push(day) });
    expect(partitions[0]?.until).toBe('2026-01-07T00:00:00Z');
    expect(days).toEqual(['2026-01-05', '2026-01-07']);
    expect(read).toEqual([undefined, await archive.read('parted', T0 + DAY_MS), undefined]);
    expect(done).toEqual(['2026-01-05', '2026-01-06', '2026-01-07']);
    expect(hosts).toEqual([['past.example']]);
  });

  it('stops between two days when time is out, and names the day to go on from', async () => {
    const { backFill } = await startPast([]);
    const outOfTime = () => days.length >= 2;
    expect(await backFill.open(PAST, { history, outOfTime })).toEqual({
      nextDay: '2026-01-07',
      partitions: [],
    });
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
    expect(await backFill.open(long, { history, outOfTime, onDay })).toMatchObject({ nextDay: '2026-01-06' });
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
    await expect(backFill.open(PAST, { history })).rejects.toThrow(
      'the tables have applied parted up to 2026-01-05T00:00:01Z, and older fetches are not applied: ' +
        'back-fill into empty tables, or start after that time',
    );
    expect(await pass(PAST, { ask: false })).toMatchObject({ state: 'ok' });
    const exact = await startPast([T0]);
    await exact.pass(PAST, { ask: false });
    expect((await exact.backFill.open(PAST, { history })).partitions).toHaveLength(1);
  });

  it('is refused to a source without one', async () => {
    const { backFill } = await startPast([]);
    await expect(backFill.open(SOURCE, { history })).rejects.toThrow('parted serves no past fetches');
  });

  it('that fails keeps the source, so that no pass moves past it', async () => {
    const { backFill, pass } = await startPast([]);
    const failing: Source = {
      ...PAST,
      history: { hosts: [], fetchDay: () => Promise.reject(new Error('no response')) },
    };
    await expect(backFill.open(failing, { history })).rejects.toThrow('no response');
    expect(await pass(PAST, { ask: false })).toMatchObject({ state: 'busy' });
  });
});
