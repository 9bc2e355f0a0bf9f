/** Figures of the limiter on the embedded store: decisions a second, added latency, exactness from 64 clients. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { KeyContext } from '../../core/access/entitlements.ts';
import { digestOf } from '../../core/access/key.ts';
import type { Limiter } from '../../core/access/limiter.ts';
import { createLimiter } from '../../core/store/limiter.ts';
import { createTokenBuckets } from '../../core/store/rate-limits.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

export interface LimiterFigures {
  readonly admissionsPerSecond: number;
  /** Of a key that is known to be empty: the table is not asked. */
  readonly refusalsPerSecond: number;
  readonly readMs: { readonly alone: number; readonly withLimiter: number; readonly ratio: number };
  readonly clients: {
    readonly clients: number;
    readonly instances: number;
    readonly seconds: number;
    readonly admitted: number;
    /** The burst and one for each whole second from the first admission to the last. */
    readonly most: number;
    /** Decisions that were made without the table, of which there must be none for the rest to mean anything. */
    readonly failures: number;
  };
}

const BASELINE = { ratePerSecond: 1, burst: 300 };
const BOUNDLESS = { ratePerSecond: 10_000, burst: 100_000 };
const [CLIENTS, INSTANCES] = [64, 8];

const newKey = (limits = BASELINE): KeyContext => ({
  digest: digestOf(randomUUID()),
  state: 'active',
  tier: 'starter',
  limits,
});
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const rounded = (value: number, decimals = 2): number => Number(value.toFixed(decimals));

type Store = TestStore<'rateLimits' | 'ports'>;
let failures = 0;
const newLimiter = (store: Store): Limiter =>
  createLimiter({
    buckets: createTokenBuckets(store.anotherInstance().rateLimits),
    now: Date.now,
    onFailure: () => {
      failures += 1;
    },
  });

/** Decisions a second for one key, `parallel` at a time, over `seconds`. */
async function decisionsPerSecond(limiter: Limiter, key: KeyContext, parallel: number, seconds: number) {
  for (let warm = 0; warm < 300; warm += 1) await limiter.admit(key);
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const worker = async (): Promise<void> => {
    for (; performance.now() < until; count += 1) await limiter.admit(key);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return Math.round(count / seconds);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Median of a read by key, alone and with the limiter's write beside it, taken in turn. */
async function addedLatency(store: Store, reads: number): Promise<LimiterFigures['readMs']> {
  const [limiter, key, { ports }] = [newLimiter(store), newKey(BOUNDLESS), store.tables];
  await ports.put({ port: 'USLAX', snapshot: 'x'.repeat(400) });
  const samples = { alone: [] as number[], withLimiter: [] as number[] };
  const read = () => ports.get({ port: 'USLAX' });
  for (let turn = 0; turn < reads; turn += 1) {
    samples.alone.push(await timed(read));
    samples.withLimiter.push(await timed(() => Promise.all([read(), limiter.admit(key)])));
  }
  const [alone, withLimiter] = [median(samples.alone), median(samples.withLimiter)];
  return { alone: rounded(alone), withLimiter: rounded(withLimiter), ratio: rounded(withLimiter / alone) };
}

/** One key from many clients over instances that share nothing but the table, on the wall clock. */
async function exactness(store: Store, seconds: number): Promise<LimiterFigures['clients']> {
  const limiters = Array.from({ length: INSTANCES }, () => newLimiter(store));
  const key = newKey();
  const admittedAt: number[] = [];
  const failuresBefore = failures;
  const until = Date.now() + seconds * 1000;
  const client = async (number: number): Promise<void> => {
    const limiter = limiters[number % INSTANCES];
    while (limiter && Date.now() < until) {
      const at = Date.now();
      const { admitted } = await limiter.admit(key);
      if (admitted) admittedAt.push(at);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const spanSeconds = (Math.max(...admittedAt) - Math.min(...admittedAt)) / 1000;
  return {
    clients: CLIENTS,
    instances: INSTANCES,
    seconds,
    admitted: admittedAt.length,
    most: BASELINE.burst + Math.floor(spanSeconds),
    failures: failures - failuresBefore,
  };
}

export async function benchLimiter({ seconds = 20, reads = 1000 } = {}): Promise<LimiterFigures> {
  const store = await startTestStore(['rateLimits', 'ports']);
  try {
    return {
      admissionsPerSecond: await decisionsPerSecond(newLimiter(store), newKey(BOUNDLESS), 16, 3),
      refusalsPerSecond: await decisionsPerSecond(
        newLimiter(store),
        newKey({ ratePerSecond: 0.01, burst: 5 }),
        1,
        1,
      ),
      readMs: await addedLatency(store, reads),
      clients: await exactness(store, seconds),
    };
  } finally {
    await store.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.env.AWS_REGION ??= 'local';
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  console.log(JSON.stringify(await benchLimiter(), undefined, 2));
}
