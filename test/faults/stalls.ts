/**
 * A pass stalls at any call of the store or the archive for longer than its lease. When it continues, another pass has
 * taken over, so it must write nothing more.
 */

import { createBackFill } from '../../core/ingest/back-fill.ts';
import type { IngestDependencies } from '../../core/ingest/dependencies.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import type { Source } from '../../core/upstream/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { dumpOf } from '../builders/table-dump.ts';
import { archiveOf } from './back-fill.ts';
import { batchSource } from './batch-source.ts';
import { expectEqualRows, expectReplayed, type FaultReport, polledPort, T0 } from './fault-run.ts';
import { callSource, portFetches } from './many-replies.ts';

const CHANGES = new Set(['put', 'delete', 'update', 'writeMany', 'write']);

interface Stall {
  /** Calls so far, of all tables and the archive together. */
  calls: number;
  /** The call that stalls; none when absent. */
  readonly at?: number;
  /** Before the call is sent, or after it was done and before its response arrives. */
  readonly after?: boolean;
  readonly meanwhile?: () => Promise<unknown>;
}

/**
 * `target` under the stall. A change that was signed before the stall and is sent after it is refused, as AWS refuses
 * a request whose signature is older than five minutes; a read gets its response late.
 */
function stalling<T extends Table | RawArchive>(target: T, stall: Stall): T {
  return new Proxy(target, {
    get(table, name) {
      const value = Reflect.get(table, name, table) as unknown;
      // What measures a row calls no store, and its caller does not wait for it.
      if (typeof value !== 'function' || name === 'faultOf') return value;
      return async (...args: unknown[]) => {
        stall.calls += 1;
        if (stall.calls !== stall.at) return value.apply(table, args);
        if (stall.after) {
          const response: unknown = await value.apply(table, args);
          await stall.meanwhile?.();
          return response;
        }
        await stall.meanwhile?.();
        if (CHANGES.has(String(name))) throw new StoreFailure('the signature of the request has expired');
        return value.apply(table, args);
      };
    },
  });
}

const stalled = (ingest: MemoryIngest, stall: Stall): IngestDependencies => {
  const dependencies = ingest.dependencies({ owner: 'stalling', wrap: (table) => stalling(table, stall) });
  return { ...dependencies, archive: stalling(ingest.archive, stall) };
};

/** A pass that asks, stalled before and after its calls, at one of `every` such moments; meanwhile another process takes over and asks twice. */
async function stalledPass(
  ingest: MemoryIngest,
  source: Source,
  counts: StallCounts,
  every: number,
): Promise<void> {
  const before = ingest.save();
  const counting: Stall = { calls: 0 };
  await createPass(stalled(ingest, counting))(source, { ask: true });
  const after = ingest.save();
  for (let at = 1; at <= counting.calls; at += 1) {
    for (const done of [false, true]) {
      // Both of its sides in turn, so that a slice meets either at every kind of call.
      if ((2 * at + Number(done)) % every !== 0) continue;
      before();
      const other = ingest.restarted({ owner: 'other' });
      let took = 0;
      const meanwhile = async (): Promise<void> => {
        for (let n = 0; n < 2; n += 1) {
          ingest.clock.nowAt += HOUR_MS;
          if ((await other(source)).state === 'ok') took += 1;
        }
      };
      const stall: Stall = { calls: 0, at, after: done, meanwhile };
      const outcome = await createPass(stalled(ingest, stall))(source, { ask: true }).catch(() => undefined);
      // After its last call a pass is over, however late the response arrives.
      if (took > 0 && outcome?.state === 'ok' && !(done && at === counting.calls)) counts.wentOn += 1;
      counts.stalls += 1;
      counts.takenOver += took > 0 ? 1 : 0;
      ingest.clock.nowAt += 10 * MINUTE_MS;
      await other(source);
      await expectReplayed(`stalled at call ${at} (done: ${done})`, ingest, source);
    }
  }
  after();
}

interface StallCounts {
  stalls: number;
  /** Another process took the source over. */
  takenOver: number;
  /** The stalled pass finished nevertheless, because it had nothing left to write. */
  wentOn: number;
}

/** A step of a back-fill, stalled at each of its calls; meanwhile another process makes it. */
async function stalledBackFill(
  fetches: number,
  seed: number,
  counts: StallCounts,
  every: number,
): Promise<void> {
  const replies = portFetches(fetches, seed);
  const whole = await archiveOf(callSource, replies);
  const inPeace = createBackFill(whole.dependencies());
  await inPeace.load(callSource, {});
  await inPeace.apply(callSource);
  const expected = await dumpOf(whole.tables);
  const ingest = await archiveOf(callSource, replies);
  const other = createBackFill(ingest.dependencies({ owner: 'other' }));
  await other.load(callSource, {});
  const loaded = ingest.save();
  const counting: Stall = { calls: 0 };
  await createBackFill(stalled(ingest, counting)).apply(callSource);
  for (let at = 1; at <= counting.calls; at += every) {
    loaded();
    const meanwhile = async (): Promise<void> => {
      ingest.clock.nowAt += HOUR_MS;
      await other.apply(callSource);
      counts.takenOver += 1;
    };
    const stall: Stall = { calls: 0, at, after: at % 2 === 0, meanwhile };
    await createBackFill(stalled(ingest, stall))
      .apply(callSource)
      .then(
        () => {
          counts.wentOn += 1;
        },
        () => undefined,
      );
    counts.stalls += 1;
    // A lease that was taken on waking up runs out; the next back-fill finds nothing to do.
    ingest.clock.nowAt += HOUR_MS;
    await other.apply(callSource);
    expectEqualRows(`a back-fill stalled at call ${at}`, await dumpOf(ingest.tables), expected);
  }
}

/**
 * `passes` passes over a polled port, a third as many over one with event records, and one back-fill: stalled before and
 * after every call, or at one of `every` such moments.
 */
export async function stalls(passes: number, seed: number, every = 1): Promise<FaultReport> {
  const counts: StallCounts = { stalls: 0, takenOver: 0, wentOn: 0 };
  for (const kind of ['polls', 'records'] as const) {
    const ingest = startMemoryIngest({ nowAt: T0 });
    const now = (): number => ingest.clock.nowAt;
    const source = kind === 'polls' ? polledPort(now, passes / 3 + 2, seed) : batchSource(now, seed);
    for (let pass = 0; pass < (kind === 'polls' ? passes : passes / 3); pass += 1) {
      await stalledPass(ingest, source, counts, every);
      ingest.clock.nowAt += (kind === 'polls' ? 2 : 13) * HOUR_MS;
    }
  }
  await stalledBackFill(4, seed, counts, every);
  return { scenario: 'stalled for longer than the lease', runs: counts.stalls, counts: { ...counts } };
}
