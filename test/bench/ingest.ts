/** Figures of the ingest on the embedded store: calls a second, replay of polls, writes and time of one poll. */
import { pathToFileURL } from 'node:url';
import type { CallBatch, CallRecord } from '../../core/calls/observation.ts';
import type { Instant } from '../../core/reference/time.ts';
import { DAY_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { logNormal, randomStream } from '../../core/sources/sample-simulator/random.ts';
import { metered, type WriteMeter } from '../builders/failing-table.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { startTestIngest, type TestIngest } from '../builders/ingest.ts';
import { type ScriptedReply, scriptedSource } from '../builders/scripted-source.ts';

const MEGABYTE = 2 ** 20;
const rounded = (value: number, decimals = 1): number => Number(value.toFixed(decimals));
const startAt = Date.UTC(2026, 0, 5);

/** Highest resident memory while `work` runs, looked at ten times a second, in MB; the store's thread included. */
async function peakMegabytes(work: () => Promise<void>): Promise<number> {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 100);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.round(Math.max(peak, process.memoryUsage.rss()) / MEGABYTE);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return (performance.now() - beganAt) / 1000;
}

export interface CallFigures {
  readonly calls: number;
  readonly ports: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  readonly peakMegabytes: number;
  /** Time during which at least one write was under way, of the whole. */
  readonly shareInWrites: number;
  /** Calls that a second reading of the last day writes again: none. */
  readonly changedAgain: number;
}

/** One record a call: anchored, berthed, gone. */
function recordOf(port: string, number: number, ataAt: Instant, random: () => number): CallRecord {
  const berthAt = ataAt + Math.round(logNormal(random, 6, 0.8) * 60) * MINUTE_MS;
  const atdAt = berthAt + Math.round(logNormal(random, 20, 0.4) * 60) * MINUTE_MS;
  return {
    callId: `${port}-${number}`,
    vesselId: `imo:${9_000_000 + (number % 4000)}`,
    traffic: 'cargo',
    recordedAt: atdAt,
    stops: [
      { zone: 'anchorage', place: 'ROADS', ataAt, atdAt: berthAt },
      { zone: 'berth', place: `QUAY ${number % 12}`, ataAt: berthAt, atdAt },
    ],
  };
}

function* batchDays(ports: readonly string[], days: number, perPortDay: number): Generator<ScriptedReply> {
  const random = randomStream('bench-calls', 1);
  let number = 0;
  for (let at = startAt; at < startAt + days * DAY_MS; at += DAY_MS) {
    const reports = ports.map((port): CallBatch => {
      const records = Array.from({ length: perPortDay }, () => {
        number += 1;
        // Reported three days after the arrival, when most vessels have left.
        return recordOf(port, number, at + Math.floor(random() * 24 * 60) * MINUTE_MS - 3 * DAY_MS, random);
      });
      return { kind: 'call-batch', port, observedAt: at + DAY_MS, coveredFromAt: at, records };
    });
    yield { asOfAt: at + DAY_MS, reports };
  }
}

/** Keeps the time during which something is under way. */
function busyClock(): { during: <T>(work: () => Promise<T>) => Promise<T>; ms: () => number } {
  let [underWay, since, total] = [0, 0, 0];
  return {
    async during(work) {
      if (underWay === 0) since = performance.now();
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (underWay === 0) total += performance.now() - since;
      }
    },
    ms: () => total,
  };
}

const BENCH_PORTS = ['BRSSZ', 'BRRIO', 'FIHEL', 'FIKTK', 'HKHKG', 'SGSIN', 'NLRTM', 'USLAX'];

export async function benchCalls({ calls = 100_000, days = 50 } = {}): Promise<CallFigures> {
  const ingest = await startTestIngest({ nowAt: startAt, embedded: true });
  try {
    const busy = busyClock();
    const pass = ingest.restarted({
      wrap: (table) => metered(table, { writes: 0, around: (write) => busy.during(write) }),
    });
    const source = { ...scriptedSource('bench', BENCH_PORTS) };
    const perPortDay = Math.ceil(calls / days / BENCH_PORTS.length);
    let changed = 0;
    let last: ScriptedReply | undefined;
    const one = async (reply: ScriptedReply): Promise<number> => {
      source.turns.push(reply);
      ingest.clock.nowAt = Math.max(ingest.clock.nowAt + 1000, reply.asOfAt);
      const outcome = await pass(source);
      if (outcome.state !== 'ok') throw new Error(`${outcome.state}: ${outcome.detail}`);
      return outcome.changedRecords;
    };
    let seconds = 0;
    const peak = await peakMegabytes(async () => {
      seconds = await secondsOf(async () => {
        for (const reply of batchDays(BENCH_PORTS, days, perPortDay)) {
          changed += await one(reply);
          last = reply;
        }
      });
    });
    const writeMs = busy.ms();
    return {
      calls: changed,
      ports: BENCH_PORTS.length,
      seconds: rounded(seconds),
      callsPerSecond: Math.round(changed / seconds),
      peakMegabytes: peak,
      shareInWrites: rounded(writeMs / 1000 / seconds, 2),
      changedAgain: last === undefined ? 0 : await one(last),
    };
  } finally {
    await ingest.close();
  }
}

export interface PollFigures {
  readonly polls: number;
  readonly seconds: number;
  /** Of the replay, all threads, store included: what it would take at least where nothing else runs. */
  readonly processorSeconds: number;
  readonly msPerPoll: number;
  readonly peakMegabytes: number;
  /** Of the polls after these, one by one, by a process that has cached the state of earlier passes. */
  readonly warmPollMs: { readonly median: number; readonly p95: number };
  readonly writes: {
    readonly perPoll: number;
    /** Of a poll in which nothing moved. */
    readonly unchangedPoll: number;
    /** Calls written for it. */
    readonly unchangedObservation: number;
  };
}

const quantile = (values: readonly number[], share: number): number =>
  rounded([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN);

/** Fills the archive of `ingest` with the polls of `days` days, and gives the time of the last. */
async function archivePolls(ingest: TestIngest, days: number): Promise<{ polls: number; lastAt: Instant }> {
  let [polls, lastAt] = [0, startAt];
  for (const { fetchedAt, files } of hkFetches({ seed: 1, startAt, days })) {
    await ingest.archive.write(hkMarineDepartment.declaration.id, fetchedAt, files);
    polls += 1;
    lastAt = fetchedAt;
  }
  return { polls, lastAt };
}

/** Replays `days` days of made-up Hong Kong polls, one every 20 minutes, then asks for some more, one by one. */
export async function benchPolls({ days = 30, warmPolls = 36 } = {}): Promise<PollFigures> {
  const ingest = await startTestIngest({ nowAt: startAt, embedded: true });
  try {
    const { polls, lastAt } = await archivePolls(ingest, days);
    ingest.clock.nowAt = lastAt;
    const meter: WriteMeter = { writes: 0 };
    const callWrites: WriteMeter = { writes: 0 };
    const pass = ingest.restarted({
      wrap: (table, id) => metered(id === 'portCalls' ? metered(table, callWrites) : table, meter),
    });
    let seconds = 0;
    const before = process.cpuUsage();
    const peak = await peakMegabytes(async () => {
      seconds = await secondsOf(() => pass(hkMarineDepartment, { ask: false }));
    });
    const { user, system } = process.cpuUsage(before);
    const writesOfAll = meter.writes;

    const warm: number[] = [];
    let [unchangedPoll, unchangedObservation] = [0, 0];
    const world = { seed: 1, startAt, days: days + Math.ceil((warmPolls * 20) / (24 * 60)) + 1 };
    let taken = 0;
    for (const { fetchedAt, files } of hkFetches(world)) {
      if (fetchedAt <= lastAt || taken >= warmPolls) continue;
      taken += 1;
      const asked = { ...hkMarineDepartment, fetch: async () => files };
      ingest.clock.nowAt = fetchedAt;
      warm.push((await secondsOf(() => pass(asked))) * 1000);
      // The same reports a minute later: nothing has moved.
      meter.writes = 0;
      callWrites.writes = 0;
      ingest.clock.nowAt = fetchedAt + MINUTE_MS;
      await pass(asked);
      unchangedPoll = Math.max(unchangedPoll, meter.writes);
      unchangedObservation = Math.max(unchangedObservation, callWrites.writes);
    }
    return {
      polls,
      seconds: rounded(seconds),
      processorSeconds: rounded((user + system) / 1_000_000),
      msPerPoll: rounded((seconds * 1000) / polls),
      peakMegabytes: peak,
      warmPollMs: { median: quantile(warm, 0.5), p95: quantile(warm, 0.95) },
      writes: { perPoll: rounded(writesOfAll / polls, 2), unchangedPoll, unchangedObservation },
    };
  } finally {
    await ingest.close();
  }
}

/** Figures of the ingest, as `npm run bench` prints them. `polls` of 4 days is a start, 30 days the promise. */
export async function benchIngest() {
  return {
    calls: await benchCalls(),
    startReplay: await benchPolls({ days: 4 }),
    monthReplay: await benchPolls({ days: 30 }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.env.AWS_REGION ??= 'local';
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  const [, , which] = process.argv;
  if (which === 'calls')
    console.log(
      JSON.stringify(await benchCalls({ calls: Number(process.argv[3] ?? 100_000) }), undefined, 2),
    );
  else if (which === 'polls')
    console.log(JSON.stringify(await benchPolls({ days: Number(process.argv[3] ?? 30) }), undefined, 2));
  else console.log(JSON.stringify(await benchIngest(), undefined, 2));
}
