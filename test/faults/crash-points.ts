/** The process is killed at every write of every pass, once or twice, before the write or after it. */
import { HOUR_MS } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/random.ts';
import type { Source } from '../../core/sources/source.ts';
import { meteredTable, type WriteMeter } from '../builders/failing-table.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { batchSource } from './batch-source.ts';
import { dataOf, expectEqualRows, type FaultReport, polledPort, T0 } from './fault-run.ts';

type Pass = MemoryIngest['pass'];

/** A process that dies at its `diesAt`-th write; `after`: the write still reaches the table. */
function mortal(ingest: MemoryIngest, meter: WriteMeter): Pass {
  return ingest.restarted({ wrap: (table) => meteredTable(table, meter) });
}

interface CrashCounts {
  crashes: number;
  doubleCrashes: number;
  writes: number;
}

/** The crashes of one pass at the present clock, one of `every`, each from the same state; the pass is then run to its end. */
async function crashPass(
  ingest: MemoryIngest,
  source: Source,
  counts: CrashCounts,
  random: () => number,
  every: number,
): Promise<void> {
  const before = ingest.save();
  const counting: WriteMeter = { writes: 0 };
  await mortal(ingest, counting)(source);
  const expected = await dataOf(ingest);
  const whole = ingest.save();
  counts.writes += counting.writes;

  for (let diesAt = 1; diesAt <= counting.writes; diesAt += 1) {
    for (const after of [false, true]) {
      for (const survives of [false, true]) {
        if (random() >= 1 / every) continue;
        before();
        const meter: WriteMeter = { writes: 0, diesAt, after };
        const dying = mortal(ingest, meter);
        await dying(source).then(
          () => Promise.reject(new Error('the process was to be killed')),
          () => undefined,
        );
        counts.crashes += 1;
        if (random() < 0.2) {
          await mortal(ingest, { writes: 0, diesAt: 1 + Math.floor(random() * counting.writes), after })(
            source,
            { ask: false },
          ).catch(() => undefined);
          counts.doubleCrashes += 1;
        }
        // A lost reply leaves the process alive, a kill does not.
        Object.assign(meter, { writes: 0, diesAt: undefined });
        delete meter.diesAt;
        const next = survives ? dying : ingest.restarted();
        const archived = await ingest.archive.fetches(
          source.declaration.id,
          ingest.clock.nowAt - 1,
          ingest.clock.nowAt,
        );
        await next(source, { ask: archived.length === 0 });
        expectEqualRows(`killed at write ${diesAt} (done: ${after})`, await dataOf(ingest), expected);
      }
    }
  }
  whole();
}

/** `passes` passes over a polled port and as many over one with event records; of their crash points one of `every`. */
export async function crashPoints(passes: number, seed: number, every = 1): Promise<FaultReport> {
  const counts: CrashCounts = { crashes: 0, doubleCrashes: 0, writes: 0 };
  const random = randomStream('crash-points', seed);
  for (const kind of ['polls', 'records'] as const) {
    const ingest = startMemoryIngest({ nowAt: T0 });
    const now = (): number => ingest.clock.nowAt;
    const source = kind === 'polls' ? polledPort(now, passes / 6 + 1, seed) : batchSource(now, seed);
    for (let pass = 0; pass < passes; pass += 1) {
      await crashPass(ingest, source, counts, random, every);
      ingest.clock.nowAt += (kind === 'polls' ? 2 : 13) * HOUR_MS;
    }
  }
  return { scenario: 'killed at every write', runs: counts.crashes, counts: { ...counts } };
}
