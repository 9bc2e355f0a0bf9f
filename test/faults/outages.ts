/** The store is unavailable for a day, the upstream for a month, the clock jumps, and two ingests run at once. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import type { Source } from '../../core/upstream/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { batchSource } from './batch-source.ts';
import {
  BrokenPromise,
  dataOf,
  expectEqualRows,
  expectReplayed,
  type FaultReport,
  polledPort,
  T0,
} from './fault-run.ts';

const POLL_MS = HOUR_MS;

/** Every operation of the table goes through `around`. */
function wrapped(table: Table, around: (work: () => unknown) => Promise<unknown>): Table {
  return new Proxy(table, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function' || name === 'faultOf') return value;
      return (...args: unknown[]) => around(() => value.apply(target, args));
    },
  });
}

/** The store is unavailable for a day of polls: each is archived, and the tables end as if it had never been unavailable. */
export async function storeDown(hours: number, seed: number): Promise<FaultReport> {
  const run = async (downFrom: number, downTo: number): Promise<[MemoryIngest, number]> => {
    const ingest = startMemoryIngest({ nowAt: T0 });
    const source = polledPort(() => ingest.clock.nowAt, (hours + 12) / 24 + 1, seed);
    let failed = 0;
    let isDown = false;
    const pass = ingest.restarted({
      wrap: (table) =>
        wrapped(table, async (work) => {
          if (isDown) throw new StoreFailure('the store is down');
          return work();
        }),
    });
    for (let hour = 0; hour < hours + 12; hour += 1) {
      isDown = hour >= downFrom && hour < downTo;
      ingest.clock.nowAt = T0 + hour * POLL_MS;
      await pass(source).catch((error: unknown) => {
        if (!(error instanceof StoreFailure)) throw error;
        failed += 1;
      });
    }
    return [ingest, failed];
  };
  const [whole] = await run(0, 0);
  const [outage, failed] = await run(6, 6 + hours);
  if (failed !== hours) throw new BrokenPromise(`${failed} passes failed of ${hours} without a store`);
  expectEqualRows('after the outage of the store', await dataOf(outage), await dataOf(whole));
  return { scenario: 'store down, polls go on', runs: hours + 12, counts: { failedPasses: failed } };
}

const QUIET_AT = T0 + 5 * DAY_MS;
/** Days after the upstream is back, with a strike in them. */
const DAYS_AFTER = 18;

interface SilentRun {
  readonly ingest: MemoryIngest;
  readonly passes: number;
  readonly failed: number;
  readonly paused: number;
}

/** A port whose upstream is silent for `days`; `restarts`: by a process that is restarted now and then. */
async function silentFor(
  days: number,
  everyHours: number,
  restarts: boolean,
  sourceOf: (now: () => number) => Source,
): Promise<SilentRun> {
  const ingest = startMemoryIngest({ nowAt: T0 });
  const source = sourceOf(() => ingest.clock.nowAt);
  const silent: Source = {
    ...source,
    fetch: async () => {
      throw new UpstreamFailure('timed-out', 'no response');
    },
  };
  const endAt = T0 + (5 + MAX_SILENCE_DAYS + DAYS_AFTER) * DAY_MS;
  let { pass } = ingest;
  let [passes, failed, paused] = [0, 0, 0];
  for (; ingest.clock.nowAt < endAt; ingest.clock.nowAt += everyHours * HOUR_MS) {
    const at = ingest.clock.nowAt;
    passes += 1;
    if (restarts && passes % 7 === 0) pass = ingest.restarted();
    const { state } = await pass(at >= QUIET_AT && at < QUIET_AT + days * DAY_MS ? silent : source);
    if (state === 'failed') failed += 1;
    if (state === 'paused') paused += 1;
  }
  await expectReplayed(`after ${days} days without the upstream`, ingest, source);
  return { ingest, passes, failed, paused };
}

const MAX_SILENCE_DAYS = 30;

/**
 * Late records give the same figures. Only arrival times in calls and lateness of rows differ, and no forecast is issued for
 * a day that is over.
 */
async function responsesOf(ingest: MemoryIngest): Promise<Record<string, string[]>> {
  const {
    portCalls: _,
    ports: __,
    vintages: ___,
    forecasts: ____,
    raisedAlerts: _____,
    ...responses
  } = await dataOf(ingest);
  const withoutLag = (row: string): string => row.replace(/,"lag":\d+|"lag":\d+,/, '');
  return Object.fromEntries(Object.entries(responses).map(([table, rows]) => [table, rows.map(withoutLag)]));
}

/**
 * The upstream has an outage of a month. A polled port has no figure for the time without polls; late records give the
 * same days, stays and alerts as without the outage, none lost and none duplicated.
 */
export async function upstreamDown(seed: number, everyHours = 2): Promise<FaultReport> {
  const counts = { failedPasses: 0, pausedPasses: 0, scoredDays: 0, alerts: 0 };
  let runs = 0;
  const records = (now: () => number): Source => batchSource(now, seed, false);
  const polls = (now: () => number): Source => polledPort(now, MAX_SILENCE_DAYS + 30, seed);
  const never = await silentFor(0, everyHours, false, records);
  for (const restarts of [false, true]) {
    for (const sourceOf of [polls, records]) {
      const run = await silentFor(MAX_SILENCE_DAYS, everyHours, restarts, sourceOf);
      const { ingest } = run;
      runs += run.passes;
      counts.failedPasses += run.failed;
      counts.pausedPasses += run.paused;
      const quiet: [number, number] = [QUIET_AT, QUIET_AT + MAX_SILENCE_DAYS * DAY_MS];
      counts.scoredDays += await scoredDays(ingest, sourceOf === polls ? quiet : undefined);
      if (sourceOf === polls) continue;
      expectEqualRows('records received late', await responsesOf(ingest), await responsesOf(never.ingest));
      counts.alerts += (await ingest.tables.alerts.scan()).length;
    }
  }
  return { scenario: 'upstream down for 30 days, then back', runs, counts };
}

/** Days with a score; throws when one of them lies in the unobserved span. */
async function scoredDays(ingest: MemoryIngest, unknown: [number, number] | undefined): Promise<number> {
  const rows = await ingest.tables.dailyMetrics.scan();
  const scored = rows.filter((row) => row.congestionScore !== undefined).map((row) => String(row.day));
  const [from, to] = unknown ?? [0, 0];
  const madeUp = scored.find((day) => Date.parse(day) > from && Date.parse(day) + DAY_MS < to);
  if (madeUp !== undefined) throw new BrokenPromise(`${madeUp} has a score without a poll`);
  return scored.length;
}

/** The clock jumps forward and back; nothing is lost or duplicated, and the applied time never decreases. */
export async function clockJumps(passes: number, seed: number): Promise<FaultReport> {
  const random = randomStream('clock-jumps', seed);
  const ingest = startMemoryIngest({ nowAt: T0 });
  const source = polledPort(() => ingest.clock.nowAt, passes / 4 + 40, seed);
  const counts = { jumps: 0, refusedForTheClock: 0, taken: 0 };
  let checkpointAt = 0;
  for (let n = 0; n < passes; n += 1) {
    const jump = random();
    if (jump < 0.05) ingest.clock.nowAt -= Math.floor(random() * 12) * MINUTE_MS;
    else if (jump < 0.1) ingest.clock.nowAt -= Math.floor(random() * 30) * HOUR_MS;
    else if (jump < 0.15) ingest.clock.nowAt += Math.floor(random() * 30) * HOUR_MS;
    if (jump < 0.15) counts.jumps += 1;
    const { state, reason, status } = await ingest.pass(source);
    if (reason === 'clock-behind') counts.refusedForTheClock += 1;
    if (state === 'ok') counts.taken += 1;
    if ((status?.checkpointAt ?? 0) < checkpointAt) throw new BrokenPromise('the checkpoint went back');
    checkpointAt = status?.checkpointAt ?? checkpointAt;
    ingest.clock.nowAt += POLL_MS;
  }
  if (counts.taken === 0 || counts.refusedForTheClock === 0)
    throw new BrokenPromise('the clock changed nothing');
  await expectReplayed('after the jumps', ingest, source);
  return { scenario: 'clock jumps', runs: passes, counts };
}
