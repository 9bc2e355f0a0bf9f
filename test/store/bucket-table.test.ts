/** The limiter on a real table: exact over instances that share nothing else, and no hole when the table fails. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type KeyContext, keyDigest } from '../../core/access/keys.ts';
import {
  type Admission,
  createLimiter,
  createTokenBuckets,
  type LimiterFailure,
} from '../../core/access/limiter.ts';
import {
  type BucketLimits,
  CLOCK_ALLOWANCE,
  CLOCK_JUMP,
  type Micros,
  toMicros,
} from '../../core/access/token-bucket.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { memoryTables } from '../builders/memory-table.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

const LIMITS: BucketLimits = { ratePerSecond: 1, burst: 300 };
const START = Date.UTC(2026, 10, 20, 12);

const newKey = (limits: BucketLimits | undefined = LIMITS): KeyContext => ({
  digest: keyDigest(randomUUID()),
  state: 'active',
  tier: 'starter',
  limits,
});

/** A table that counts requests and can be made to fail. */
function watched(table: Table) {
  const calls = { update: 0, get: 0 };
  const trouble = { fail: false };
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (trouble.fail) throw new StoreFailure('rate limits failed: test');
    return work();
  };
  const watching = Object.create(table) as Table;
  watching.update = (...given) => {
    calls.update += 1;
    return through(() => table.update(...given));
  };
  watching.get = (...given) => {
    calls.get += 1;
    return through(() => table.get(...given));
  };
  return { table: watching, calls, trouble };
}

let store: TestStore<'rateLimits'>;
beforeAll(async () => {
  store = await startTestStore(['rateLimits']);
});
afterAll(() => store.close());

/** A limiter as one function instance has it, on a clock that the test sets. */
function instance(
  clock: { readonly at: number },
  { clockAllowance = CLOCK_ALLOWANCE, table = store.anotherInstance().rateLimits } = {},
) {
  const seen = watched(table);
  const failures: LimiterFailure[] = [];
  const limiter = createLimiter({
    buckets: createTokenBuckets(seen.table, clockAllowance),
    now: () => clock.at,
    onFailure: (failure) => failures.push(failure),
    deadlineMs: 5000,
  });
  return { ...seen, failures, admit: (key: KeyContext) => limiter.admit(key) };
}

const countAdmitted = (admissions: readonly Admission[]): number =>
  admissions.filter(({ admitted }) => admitted).length;

describe('S8.03 under concurrency', () => {
  it('64 clients over 8 instances get the burst and what came back meanwhile, never one more', async () => {
    const clock = { at: START };
    const instances = Array.from({ length: 8 }, () => instance(clock));
    const key = newKey();
    const other = newKey();
    const admissions: Admission[] = [];
    // The clock moves on while the clients work, by 40 seconds in all.
    let asked = 0;
    const client = async (number: number): Promise<void> => {
      const mine = instances[number % instances.length];
      for (let request = 0; request < 12 && mine; request += 1) {
        asked += 1;
        if (asked % 16 === 0 && clock.at < START + 40_000) clock.at += 1000;
        admissions.push(await mine.admit(key));
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, number) => client(number)));
    clock.at = START + 40_000;
    for (const mine of instances) admissions.push(await mine.admit(key), await mine.admit(key));
    const elapsedSeconds = 40;
    expect(countAdmitted(admissions)).toBeLessThanOrEqual(300 + elapsedSeconds);
    expect(countAdmitted(admissions)).toBeGreaterThanOrEqual(Math.ceil(0.98 * (300 + elapsedSeconds)));
    expect(instances.flatMap(({ failures }) => failures)).toEqual([]);
    const untouched = await instances[0]?.admit(other);
    expect(untouched?.headers['RateLimit-Remaining']).toBe('59');
  });
});

describe('one request', () => {
  it('costs one conditional write as a rule, whether the bucket is full or being drained', async () => {
    const clock = { at: START };
    const mine = instance(clock);
    const key = newKey();
    for (let request = 0; request < 5; request += 1) await mine.admit(key);
    // The first finds no row and the second knows the row: neither needs a second try.
    expect(mine.calls).toEqual({ update: 5, get: 0 });
    clock.at += 3_600_000;
    await mine.admit(key);
    expect(mine.calls).toEqual({ update: 6, get: 0 });
  });

  it('costs a second write, and still no read, where another instance drained the bucket first', async () => {
    const clock = { at: START };
    const [first, second] = [instance(clock), instance(clock)];
    const key = newKey();
    await first.admit(key);
    const admission = await second.admit(key);
    expect(admission.headers['RateLimit-Remaining']).toBe('58');
    expect(second.calls).toEqual({ update: 2, get: 0 });
  });

  it('is refused without asking the table once the bucket is known to be empty', async () => {
    const clock = { at: START };
    const [first, second] = [instance(clock), instance(clock)];
    const key = newKey({ ratePerSecond: 1, burst: 10 });
    for (let request = 0; request < 10; request += 1) await first.admit(key);
    expect((await second.admit(key)).admitted).toBe(false);
    const asked = { ...second.calls };
    for (let request = 0; request < 20; request += 1) {
      clock.at += 49;
      expect((await second.admit(key)).admitted).toBe(false);
    }
    expect(second.calls).toEqual(asked);
    clock.at = START + 1000;
    expect((await second.admit(key)).admitted).toBe(true);
  });

  it('shares one write with the requests of its key that arrive at the same time', async () => {
    const mine = instance({ at: START });
    const key = newKey();
    const admissions = await Promise.all(Array.from({ length: 500 }, () => mine.admit(key)));
    expect(admissions.map(({ admitted }) => admitted)).toEqual([
      ...Array(300).fill(true),
      ...Array(200).fill(false),
    ]);
    expect(mine.calls).toEqual({ update: 1, get: 0 });
    const remaining = admissions.map(({ headers }) => Number(headers['RateLimit-Remaining']));
    expect(remaining.slice(0, 62)).toEqual([...Array.from({ length: 60 }, (_, index) => 59 - index), 0, 0]);
    const resets = admissions.slice(0, 300).map(({ headers }) => Number(headers['RateLimit-Reset']));
    expect(resets).toEqual(Array.from({ length: 300 }, (_, index) => START / 1000 + 1 + index));
    expect(new Set(admissions.slice(300).map(({ retryAfterSeconds }) => retryAfterSeconds))).toEqual(
      new Set([1]),
    );
  });

  it('never shares a write with requests that carry other limits of the same key', async () => {
    const mine = instance({ at: START });
    const key = newKey({ ratePerSecond: 1, burst: 20 });
    const edited = { ...key, limits: { ratePerSecond: 1, burst: 30 } };
    const admissions = await Promise.all(
      Array.from({ length: 60 }, (_, number) => mine.admit(number % 2 === 0 ? key : edited)),
    );
    expect(countAdmitted(admissions)).toBe(30);
  });

  it('leaves a row that expires after its bucket is full, and not long after', async () => {
    const clock = { at: START };
    const key = newKey();
    await instance(clock).admit(key);
    const row = await store.tables.rateLimits.get({ digest: key.digest }, true);
    expect(row).toEqual({
      digest: key.digest,
      tat: toMicros(START + 1000),
      writtenAt: toMicros(START),
      expiresAt: START / 1000 + 300 + 3600,
    });
  });

  it('spends nothing and says nothing for a key without limits', async () => {
    const mine = instance({ at: START });
    const { limits: _, ...key } = newKey();
    expect(await mine.admit(key)).toEqual({ admitted: true, headers: {} });
    expect(mine.calls).toEqual({ update: 0, get: 0 });
  });
});

describe('when the clock is set back', () => {
  const oneClock = { clockAllowance: CLOCK_JUMP };
  const burst = async (mine: ReturnType<typeof instance>, key: KeyContext): Promise<number> =>
    countAdmitted(await Promise.all(Array.from({ length: 310 }, () => mine.admit(key))));

  it.each([
    ['on one machine', oneClock, 3, true],
    ['on one machine', oneClock, 3600, true],
    ['on one machine, while another process had the bucket,', oneClock, 3600, false],
    ['on several machines', {}, 61, true],
  ])(
    '%s by more than clocks differ, an emptied bucket is full from now',
    async (_, options, back, isSame) => {
      const clock = { at: START };
      const mine = instance(clock, options);
      const key = newKey();
      expect(await burst(mine, key)).toBe(300);
      clock.at -= back * 1000;
      const later = isSame ? mine : instance(clock, options);
      const first = await later.admit(key);
      expect(first).toMatchObject({ admitted: true, headers: { 'RateLimit-Remaining': '59' } });
      expect(await burst(later, key)).toBe(299);
      clock.at += 10_000;
      expect(await burst(later, key)).toBe(10);
    },
  );

  it.each([
    ['on one machine', oneClock, 2],
    ['on several machines', {}, 60],
  ])('%s by no more than clocks differ, the bucket stays as it is', async (_, options, back) => {
    const clock = { at: START };
    const mine = instance(clock, options);
    const key = newKey();
    expect(await burst(mine, key)).toBe(300);
    clock.at -= back * 1000;
    expect((await mine.admit(key)).admitted).toBe(false);
    expect((await instance(clock, options).admit(key)).admitted).toBe(false);
  });

  it('a row of an earlier version, which has no time of writing, keeps its tokens spent', async () => {
    const key = newKey({ ratePerSecond: 1, burst: 10 });
    await store.tables.rateLimits.put({ digest: key.digest, tat: toMicros(START + 10_000) });
    expect((await instance({ at: START }, oneClock).admit(key)).admitted).toBe(false);
    expect((await instance({ at: START + 1000 }, oneClock).admit(key)).admitted).toBe(true);
  });
});

describe('hosts with different clocks', () => {
  const INTERVAL_MS = 10_000;

  interface Hosts {
    /** How far the clock of each host is ahead. */
    readonly aheadMs: readonly number[];
    /** The host of each request, and the time that passes while its writes and reads are under way. */
    readonly requests: readonly (readonly [number, number])[];
  }

  /** Requests of one key that overlap: how many were admitted, and the time that passed. */
  async function admitOver({ aheadMs, requests }: Hosts, clockAllowance: Micros) {
    let passedMs = 0;
    let delayMs = 0;
    const { rateLimits }: { rateLimits: Table } = memoryTables(['rateLimits']);
    const late = Object.create(rateLimits) as Table;
    // Time passes between the reading of the clock and the write, and again before the answer arrives.
    const during = async <T>(work: () => Promise<T>): Promise<T> => {
      passedMs += delayMs;
      const done = await work();
      passedMs += delayMs;
      return done;
    };
    late.update = (...given) => during(() => rateLimits.update(...given));
    late.get = (...given) => during(() => rateLimits.get(...given));
    const hosts = aheadMs.map((ahead) => {
      const clock = {
        get at(): number {
          return START + passedMs + ahead;
        },
      };
      return instance(clock, { clockAllowance, table: late });
    });
    const key = newKey({ ratePerSecond: 1000 / INTERVAL_MS, burst: 5 });
    const waiting: Promise<Admission>[] = [];
    for (const [number, delay] of requests) {
      delayMs = delay;
      const host = hosts[number % hosts.length];
      if (host !== undefined) waiting.push(host.admit(key));
      // Every third request waits for those before it; the others overlap with them.
      if (waiting.length % 3 === 0) await Promise.all(waiting);
      passedMs += delay;
    }
    const admitted = countAdmitted(await Promise.all(waiting));
    const failures = hosts.flatMap((host) => host.failures);
    return { admitted, atMost: 5 + (passedMs + Math.max(...aheadMs)) / INTERVAL_MS, failures };
  }

  it('admit no request too many while they differ by a minute, however late writes arrive', async () => {
    const hosts = fc.record({
      aheadMs: fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 2, maxLength: 4 }),
      requests: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 0, max: 3000 })), {
        minLength: 20,
        maxLength: 40,
      }),
    });
    await fc.assert(
      fc.asyncProperty(hosts, async (given) => {
        const { admitted, atMost, failures } = await admitOver(given, CLOCK_ALLOWANCE);
        expect(admitted).toBeLessThanOrEqual(atMost);
        expect(failures).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('would admit more if a state of three seconds ahead were taken for a clock that was set back', async () => {
    const requests = Array.from({ length: 40 }, (_, number) => [number, 0] as const);
    const { admitted, atMost } = await admitOver({ aheadMs: [0, 3000], requests }, CLOCK_JUMP);
    expect(admitted).toBeGreaterThan(atMost);
  });
});

describe('when the table fails', () => {
  it('does not bypass the bucket: uses the table as soon as it responds, and the cap stays counted', async () => {
    const clock = { at: START };
    const mine = instance(clock);
    const key = newKey();
    mine.trouble.fail = true;
    for (let request = 0; request < 60; request += 1) await mine.admit(key);
    mine.trouble.fail = false;
    expect((await mine.admit(key)).headers['RateLimit-Remaining']).toBe('59');
    mine.trouble.fail = true;
    expect((await mine.admit(key)).admitted).toBe(false);
  });

  it('does not wait longer than its deadline for a table that stalls', async () => {
    const failures: LimiterFailure[] = [];
    const limiter = createLimiter({
      buckets: { spend: () => new Promise(() => {}) },
      now: () => START,
      onFailure: (failure) => failures.push(failure),
      deadlineMs: 20,
    });
    expect((await limiter.admit(newKey())).admitted).toBe(true);
    expect(failures).toEqual(['slow']);
  });

  it('waits for a table that is slow, but within its deadline', async () => {
    const failures: LimiterFailure[] = [];
    const limiter = createLimiter({
      buckets: {
        spend: async (_digest, _limits, now) => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          return { admitted: true, tat: now() + 60_000_000, at: now() };
        },
      },
      now: () => START,
      onFailure: (failure) => failures.push(failure),
      deadlineMs: 1000,
    });
    expect((await limiter.admit(newKey())).headers['RateLimit-Remaining']).toBe('0');
    expect(failures).toEqual([]);
  });

  it('does not blame the table for the time in which this process was too busy to listen', async () => {
    const failures: LimiterFailure[] = [];
    const limiter = createLimiter({
      buckets: createTokenBuckets(store.tables.rateLimits),
      now: () => START,
      onFailure: (failure) => failures.push(failure),
      deadlineMs: 250,
    });
    const admission = limiter.admit(newKey());
    const until = performance.now() + 600;
    while (performance.now() < until);
    expect((await admission).admitted).toBe(true);
    expect(failures).toEqual([]);
  });

  it('fails the requests that share a write together, and the next ones not', async () => {
    const mine = instance({ at: START });
    const key = newKey();
    mine.trouble.fail = true;
    const failed = await Promise.all(Array.from({ length: 10 }, () => mine.admit(key)));
    expect(countAdmitted(failed)).toBe(10);
    mine.trouble.fail = false;
    expect((await mine.admit(key)).headers['RateLimit-Remaining']).toBe('59');
    expect(mine.failures).toHaveLength(10);
  });

  it('reports a table whose writes never settle instead of trying for ever', async () => {
    const stubborn = Object.create(store.tables.rateLimits) as Table;
    let updates = 0;
    stubborn.update = async () => {
      updates += 1;
      return undefined;
    };
    stubborn.get = async () => undefined;
    const buckets = createTokenBuckets(stubborn);
    await expect(buckets.spend('a'.repeat(64), LIMITS, () => toMicros(START))).rejects.toThrow(StoreFailure);
    expect(updates).toBeLessThanOrEqual(16);
  });
});
