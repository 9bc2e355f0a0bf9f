/** Section 8: limits. Each test has keys of its own; where time matters, the service's clock is set. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { longIt } from '../builders/extent.ts';
import { exchange, type Reply } from './exchange.ts';
import { type PreparedService, startPreparedService } from './prepared-service.ts';
import { get, isDeployed, keyOf, serviceUrl } from './service.ts';
import { expectError } from './statements.ts';

const PATH = '/v1/meta/sources';
const T0 = Date.UTC(2026, 5, 1, 12);
const local = isDeployed ? describe.skip : describe;

local('8. Limits', () => {
  let prepared: PreparedService;
  /** Another process's service on the same store. */
  let other: PreparedService;
  beforeAll(async () => {
    prepared = await startPreparedService();
    await prepared.cover('USLAX');
    other = await startPreparedService({ storeEndpoint: prepared.service.storeEndpoint });
  });
  afterAll(async () => {
    await other?.close();
    await prepared?.close();
  });

  const read = (key: string, path = PATH, sending = {}): Promise<Reply> =>
    prepared.get(path, { key, ...sending });
  const readMany = (key: string, count: number, path = PATH, sending = {}): Promise<Reply[]> =>
    Promise.all(Array.from({ length: count }, () => read(key, path, sending)));
  const admittedOf = (replies: readonly Reply[]): number =>
    replies.filter(({ status }) => status === 200).length;
  /** A key whose burst is so small that few requests empty it. */
  const SMALL_BURST = 15;
  const keyOfSmallBurst = (): Promise<string> =>
    prepared.newKey('lite', { limits: { ratePerSecond: 1, burst: SMALL_BURST } });
  const figures = ({ headers }: Reply) => ({
    remaining: Number(headers['ratelimit-remaining']),
    reset: Number(headers['ratelimit-reset']),
  });
  /** Stops the service's clock during `work`. */
  async function atStoppedClock<T>(work: (setTo: (at: number) => void) => Promise<T>): Promise<T> {
    const setTo = (at: number): void => {
      prepared.clock.at = at;
    };
    setTo(T0);
    try {
      return await work(setTo);
    } finally {
      prepared.clock.at = undefined;
    }
  }

  it('[S4.56] [S4.57] "requests left in the current window" and "UTC epoch seconds when the window resets"', async () => {
    const key = await prepared.newKey('starter');
    await atStoppedClock(async (setTo) => {
      const spend = async (spent: number): Promise<void> =>
        expect(figures(await read(key))).toEqual({
          remaining: Math.max(0, 60 - spent),
          reset: T0 / 1000 + spent,
        });
      for (const spent of [1, 2, 3]) await spend(spent);
      await readMany(key, 55);
      for (const spent of [59, 60, 61, 62]) await spend(spent);
      setTo(T0 + 12_000);
      expect(figures(await read(key)).remaining).toBe(9);
      setTo(T0 + 63_000);
      expect(figures(await read(key)).remaining).toBe(59);
    });
  });

  it('[S8.01] "Baseline rate about 60 requests per minute": one a second for ever, half of two a second', async () => {
    const key = await keyOfSmallBurst();
    await atStoppedClock(async (setTo) => {
      await readMany(key, SMALL_BURST);
      for (let second = 1; second <= 10; second += 1) {
        setTo(T0 + second * 1050);
        expect((await read(key)).status).toBe(200);
      }
      const replies: Reply[] = [];
      for (let half = 1; half <= 20; half += 1) {
        setTo(T0 + 10_500 + half * 500);
        replies.push(await read(key));
      }
      // A token for each of the ten seconds, and what ten times 50 ms have left.
      expect(Math.abs(admittedOf(replies) - 10)).toBeLessThanOrEqual(1);
    });
  });

  it('[S8.02] [S8.05] "Burst headroom about 5 times the baseline"; one token a second, 300 at most', async () => {
    const [key, small] = [await prepared.newKey('starter'), await keyOfSmallBurst()];
    await atStoppedClock(async (setTo) => {
      expect(admittedOf(await readMany(key, 301))).toBe(300);
      await readMany(small, SMALL_BURST);
      setTo(T0 + 10_000);
      expect(admittedOf(await readMany(key, 11))).toBe(10);
      setTo(T0 + 3_600_000);
      expect(admittedOf(await readMany(small, SMALL_BURST + 1))).toBe(SMALL_BURST);
    });
  });

  it('[S8.03] the limit is exact under concurrency, over instances that share only the table', async () => {
    const key = await keyOfSmallBurst();
    const startedAt = Date.now();
    const asked = Array.from({ length: 4 * SMALL_BURST }, (_, turn) =>
      (turn % 2 === 0 ? prepared : other).get(PATH, { key }),
    );
    const admitted = admittedOf(await Promise.all(asked));
    const seconds = Math.ceil((Date.now() - startedAt) / 1000);
    expect(admitted).toBeGreaterThanOrEqual(SMALL_BURST);
    expect(admitted).toBeLessThanOrEqual(SMALL_BURST + seconds);
  });

  longIt('[S8.04] "Window: sliding 60 seconds": at most 360 admitted in any 60 seconds', async () => {
    const key = await prepared.newKey('starter');
    await atStoppedClock(async (setTo) => {
      const admittedAt: number[] = [];
      for (let at = 0; at < 70_000; at += 150) {
        setTo(T0 + at);
        if ((await read(key)).status === 200) admittedAt.push(at);
      }
      const within = (at: number): number =>
        admittedAt.filter((other) => other >= at && other < at + 60_000).length;
      expect(Math.max(...admittedAt.map(within))).toBeLessThanOrEqual(360);
      expect(admittedAt.length).toBeGreaterThanOrEqual(365);
    });
  });

  it('[S8.06] [S8.09] [S7.11] "Scope: per API key"; an empty bucket is 429 with Retry-After, the other key is untouched', async () => {
    const [empty, untouched] = [await keyOfSmallBurst(), await keyOfSmallBurst()];
    await atStoppedClock(async () => {
      await readMany(empty, SMALL_BURST);
      const reply = await read(empty);
      expectError(reply, 429, 'rate_limited');
      expect(reply.headers['ratelimit-remaining']).toBe('0');
      expect(reply.headers['retry-after']).toBe('1');
      expect((await read(untouched)).status).toBe(200);
      expectError(await read(empty, '/v1/ports/USLAX/trend?window=7d&format=csv'), 429, 'rate_limited');
      expectError(await read(empty, '/v1/ports/USLAX/trend'), 429, 'rate_limited');
    });
  });

  it('[S8.07] "shared across IPs and services using that key"', async () => {
    const key = await keyOfSmallBurst();
    const from = (localAddress: string, agent: string) =>
      readMany(key, SMALL_BURST - 5, PATH, { localAddress, headers: { 'User-Agent': agent } });
    await atStoppedClock(async () => {
      const replies = await Promise.all([from('127.0.0.1', 'one'), from('127.0.0.2', 'two')]);
      expect(admittedOf(replies.flat())).toBe(SMALL_BURST);
    });
  });

  it('[S8.08] "CSV and JSON requests count equally", every endpoint and every response', async () => {
    const key = await prepared.newKey('starter');
    const paths = [
      '/v1/meta/sources',
      '/v1/sources',
      '/v1/ports/USLAX/trend?window=7d',
      '/v1/ports/USLAX/trend?window=7d&format=csv',
      '/v1/ports/USLAX/snapshot',
      '/v1/ports/USLAX/dwell',
      '/v1/ports/USLAX/alerts',
      '/v1/hs/85/imports',
      '/v1/hs/85/imports?format=csv',
      '/v1/ports/USLAX/trend',
      '/v1/ports/ZZZZZ/dwell',
      '/v1/ports/USLAX/trend?window=7d&days=7',
    ];
    await atStoppedClock(async () => {
      let left = 60;
      for (const path of paths) {
        left -= 1;
        expect([path, figures(await read(key, path)).remaining]).toEqual([path, left]);
      }
      const { headers } = await read(key);
      expect(figures(await read(key, PATH, { headers: { 'If-None-Match': headers.etag } })).remaining).toBe(
        left - 2,
      );
    });
  });

  it('[S8.10] Retry-After is exact: waiting that long succeeds, a second less does not', async () => {
    const key = await keyOfSmallBurst();
    await atStoppedClock(async (setTo) => {
      await readMany(key, SMALL_BURST);
      setTo(T0 + 400);
      const waitSeconds = Number((await read(key)).headers['retry-after']);
      setTo(T0 + 400 + (waitSeconds - 1) * 1000);
      expect((await read(key)).status).toBe(429);
      setTo(T0 + 400 + waitSeconds * 1000);
      expect((await read(key)).status).toBe(200);
    });
  });

  it('[S8.13] [S9.05] "custom baselines and burst windows can be granted": an edit of the plan changes both, and no other plan', async () => {
    const [pro, starter] = [await prepared.newKey('pro'), await prepared.newKey('starter')];
    // What the reconciliation writes after an edit of the plan.
    const row = await prepared.rowOf(pro);
    await prepared.service.keyStore.change([{ ...row, limits: { ratePerSecond: 2, burst: 40 } }], []);
    await atStoppedClock(async () => {
      const replies = await readMany(pro, 41);
      expect(admittedOf(replies)).toBe(40);
      expect(replies[0]?.headers['ratelimit-limit']).toBe('120');
      expect((await read(starter)).headers['ratelimit-limit']).toBe('60');
      expect(admittedOf(await readMany(starter, 50))).toBe(50);
    });
  });

  it('[S8.14] the monthly quota: 429 that says so, and a new month starts a new quota', async () => {
    const key = await prepared.newKey('lite');
    const row = await prepared.rowOf(key);
    await atStoppedClock(async (setTo) => {
      prepared.service.usage.setUsed(row, T0, 499_999);
      expect((await read(key)).status).toBe(200);
      const reply = await read(key);
      const { hint } = expectError(reply, 429, 'rate_limited');
      expect(hint).toMatch(/monthly quota/);
      expect(reply.headers['retry-after']).toBe('3600');
      expect(reply.headers['ratelimit-limit']).toBe('60');
      expect(reply.headers['ratelimit-remaining']).toBe('0');
      // On AWS the gateway refuses before the function can.
      expectError(await read(key, '/v1/hs/85/imports'), 403, 'auth_forbidden');
      setTo(Date.UTC(2026, 6, 1));
      expect((await read(key)).status).toBe(200);
    });
  });
});

const deployed = isDeployed ? describe : describe.skip;

deployed('8. Limits of a deployed stage', () => {
  // The rows share one key, in this order: each spends what the next one counts on.
  const ask = (): Promise<Reply> => exchange(serviceUrl(), PATH, { key: keyOf('small') });
  const BURST = 5;
  const MONTHLY_QUOTA = 20;
  let asked = 0;

  it('[S8.02] [S8.03] [S8.09] [S8.10] refuses what exceeds the burst with 429, until Retry-After', async () => {
    const startedAt = Date.now();
    const replies = await Promise.all(Array.from({ length: 2 * BURST }, ask));
    const seconds = Math.ceil((Date.now() - startedAt) / 1000);
    asked += replies.length;
    const refused = replies.filter(({ status }) => status !== 200);
    const admitted = replies.length - refused.length;
    expect(admitted).toBeGreaterThanOrEqual(BURST);
    expect(admitted).toBeLessThanOrEqual(BURST + seconds);
    for (const reply of refused) {
      expectError(reply, 429, 'rate_limited');
      expect(reply.headers['ratelimit-remaining']).toBe('0');
    }
    const waitSeconds = Math.max(0, ...refused.map(({ headers }) => Number(headers['retry-after'])));
    await delay(waitSeconds * 1000);
    expect((await ask()).status).toBe(200);
    asked += 1;
  });

  it('[S8.14] refuses what exceeds the monthly quota with 429, and no other key', async () => {
    let reply = await ask();
    for (asked += 1; asked <= 2 * MONTHLY_QUOTA; asked += 1) {
      if (/monthly quota/.test(reply.text)) break;
      await delay(1000);
      reply = await ask();
    }
    const { hint } = expectError(reply, 429, 'rate_limited');
    expect(hint).toMatch(/monthly quota/);
    expect(reply.headers['retry-after']).toBe('3600');
    expect((await get(PATH)).status).toBe(200);
  });
});
