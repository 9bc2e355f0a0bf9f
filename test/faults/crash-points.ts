/** The process is killed at every write of every pass, once or twice, before the write or after it. */
import { createPass } from '../../core/ingest/pass.ts';
import { HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import type { Source } from '../../core/upstream/source.ts';
import { metered, type WriteMeter } from '../builders/failing-table.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { batchSource } from './batch-source.ts';
import { dataOf, expectEqualRows, type FaultReport, polledPort, T0 } from './fault-run.ts';
import { dailyRegions, type PlayedSource, POLL_STEP_MS, polledHarbour } from './position-sources.ts';

type Pass = MemoryIngest['pass'];

/** A process that dies at its `diesAt`-th write, to a table, the archive, or the calls and states of positions; `after`: it is still written. */
function mortal(ingest: MemoryIngest, meter: WriteMeter): Pass {
  const { archive, steps, ...dependencies } = ingest.dependencies({ wrap: (table) => metered(table, meter) });
  const { calls, states } = steps;
  const run = createPass({
    ...dependencies,
    archive: metered(archive, meter),
    steps: { calls: metered(calls, meter), states: metered(states, meter) },
  });
  return (source, request = {}) => run(source, { ask: true, ...request });
}

interface CrashCounts {
  crashes: number;
  doubleCrashes: number;
  writes: number;
}

/**
 * The crashes of one pass at the present clock, each from the same state; the pass is then run to its end. One of `every` crashes
 * at a write to a table, and one of `every` lost replies, is run; the process is killed before and after one of `everyWrite` other writes.
 */
async function crashPass(
  ingest: MemoryIngest,
  source: Source,
  counts: CrashCounts,
  random: () => number,
  every: number,
  everyWrite = 1,
): Promise<void> {
  const before = ingest.save();
  const names: string[] = [];
  const counting: WriteMeter = { writes: 0, names };
  await mortal(ingest, counting)(source);
  const expected = await dataOf(ingest);
  const whole = ingest.save();
  counts.writes += counting.writes;

  for (let diesAt = 1; diesAt <= counting.writes; diesAt += 1) {
    for (const after of [false, true]) {
      for (const survives of [false, true]) {
        const among = names[diesAt - 1] === 'write' && !survives ? everyWrite : every;
        if (among > 1 && random() >= 1 / among) continue;
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

/** Archives the fetches of `played` after `afterAt` and before `untilAt`. */
async function archiveBetween(
  ingest: MemoryIngest,
  played: PlayedSource,
  afterAt: Instant,
  untilAt: Instant,
) {
  const { id } = played.source.declaration;
  for (const [at, files] of played.fetches)
    if (at > afterAt && at < untilAt) await ingest.archive.write(id, at, files);
}

/**
 * `passes` passes over polls of positions, each with one archived poll to catch up with, and one over each of four days of
 * positions, where the second is corrected. Runs one of `every` of their crash points, and of `everyWrite` as in `crashPass`.
 */
export async function positionCrashPoints(
  passes: number,
  seed: number,
  every = 1,
  everyWrite = 1,
): Promise<FaultReport> {
  const counts: CrashCounts = { crashes: 0, doubleCrashes: 0, writes: 0 };
  const random = randomStream('position-crash-points', seed);
  const ingest = startMemoryIngest({ nowAt: T0 });
  const now = (): Instant => ingest.clock.nowAt;

  const stepMs = 2 * POLL_STEP_MS;
  const firstAt = T0 + 12 * HOUR_MS;
  const polls = polledHarbour(now, T0, 1 + (passes * stepMs) / (24 * HOUR_MS), seed);
  // Twelve hours of traffic, so that vessels are stopped and calls are written.
  await archiveBetween(ingest, polls, T0, firstAt);
  ingest.clock.nowAt = firstAt;
  await ingest.pass(polls.source, { ask: false });
  for (let pass = 0; pass < passes; pass += 1) {
    const before = now();
    ingest.clock.nowAt += stepMs;
    await archiveBetween(ingest, polls, before, now());
    await crashPass(ingest, polls.source, counts, random, every, everyWrite);
  }

  const days = dailyRegions(now, T0, seed);
  for (const at of days.fetches.keys()) {
    ingest.clock.nowAt = at;
    await crashPass(ingest, days.source, counts, random, every, everyWrite);
  }
  return { scenario: 'positions killed at every write', runs: counts.crashes, counts: { ...counts } };
}
