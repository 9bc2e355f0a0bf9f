/** Figures of the ingest on the embedded store: replay of polls, writes and time of one poll, memory of a port. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PORTS } from '../../core/reference/ports.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import { metered, type WriteMeter } from '../../test/builders/failing-table.ts';
import { hkFetches } from '../../test/builders/hk-polls.ts';
import { startTestIngest, type TestIngest } from '../../test/builders/ingest.ts';
import { scriptedSource } from '../../test/builders/scripted-source.ts';
import type { Figure } from './figure.ts';
import { pollAt, recordOf } from './generated-calls.ts';
import { median } from './statistics.ts';

const MEGABYTE = 2 ** 20;
const rounded = (value: number, decimals = 1): number => Number(value.toFixed(decimals));
const startAt = Date.UTC(2026, 0, 5);

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return (performance.now() - beganAt) / 1000;
}

/** Bytes of the heap and of buffers after garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Megabytes that a process keeps of each polled port between passes, with ten arrivals a day: more than the time that its ledger
 * reaches back, polled every four hours, then read from the tables by a process that starts.
 */
export async function benchPortMemory({ ports = 12, days = 37 } = {}): Promise<number> {
  const ingest = await startTestIngest({ nowAt: startAt });
  try {
    const random = randomStream('port-memory', 1);
    const calls = new Map(
      PORTS.slice(0, ports).map(({ locode }) => [
        locode,
        Array.from({ length: 10 * (days + 3) }, (_, number) =>
          recordOf(locode, number, startAt + (number * DAY_MS) / 10 - 3 * DAY_MS, random),
        ),
      ]),
    );
    const scripted = scriptedSource('bench', [...calls.keys()]);
    // Four hours apart, more vessels move than a list may lose; what is made from positions is not judged so.
    const source = { ...scripted, declaration: { ...scripted.declaration, boxes: [] } };
    const polled = async (pass: TestIngest['pass'], at: Instant): Promise<void> => {
      source.turns.push({ asOfAt: at, observations: [...calls].map(([port, of]) => pollAt(port, of, at)) });
      ingest.clock.nowAt = at;
      const { state, detail, refusals } = await pass(source);
      if (state !== 'ok' || refusals.count > 0)
        throw new Error(`${state}: ${detail} ${refusals.first[0]?.detail}`);
    };
    const endAt = startAt + days * DAY_MS;
    for (let at = startAt; at < endAt; at += 4 * HOUR_MS) await polled(ingest.pass, at);
    const processes: TestIngest['pass'][] = [];
    const heaps: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const pass = ingest.restarted();
      await polled(pass, endAt + n * MINUTE_MS);
      processes.push(pass);
      heaps.push(heapBytes());
    }
    // Memory that the processes after the first added. All of them are in use until here.
    const kept = ((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)) / (processes.length - 1);
    return kept / ports / MEGABYTE;
  } finally {
    await ingest.close();
  }
}

export interface PollFigures {
  readonly polls: number;
  readonly seconds: number;
  /** Processor time of the replay, all threads, store included: the least time on an idle machine. */
  readonly processorSeconds: number;
  /** Median of the polls after the replay, each alone, in a process that has cached the state of earlier passes. */
  readonly warmPollMs: number;
  readonly writesPerPoll: number;
  readonly unchangedPollWrites: number;
}

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
    const pass = ingest.restarted({
      wrap: (table) => metered(table, meter),
    });
    const before = process.cpuUsage();
    const seconds = await secondsOf(() => pass(hkMarineDepartment, { ask: false }));
    const { user, system } = process.cpuUsage(before);
    const writesOfAll = meter.writes;

    const warm: number[] = [];
    let unchangedPollWrites = 0;
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
      ingest.clock.nowAt = fetchedAt + MINUTE_MS;
      await pass(asked);
      unchangedPollWrites = Math.max(unchangedPollWrites, meter.writes);
    }
    return {
      polls,
      seconds: rounded(seconds),
      processorSeconds: rounded((user + system) / 1_000_000),
      warmPollMs: rounded(median(warm)),
      writesPerPoll: rounded(writesOfAll / polls, 2),
      unchangedPollWrites,
    };
  } finally {
    await ingest.close();
  }
}

export const ingestFigures = (replay: PollFigures, portMegabytes: number): Figure[] => [
  {
    what: 'memory of 1,500 ports between passes',
    value: 1500 * portMegabytes,
    unit: 'MB',
    against: `${portMegabytes.toFixed(2)} MB a port, ten arrivals a day`,
  },
  {
    what: 'replay of 30 days of polls',
    value: replay.seconds,
    unit: 's',
    against: `${replay.polls} polls, ${replay.processorSeconds} s of processor time of all threads`,
    atMost: 300,
  },
  {
    what: 'warm poll',
    value: replay.warmPollMs,
    unit: 'ms',
    against: 'median; Hong Kong, made up',
    atMost: 250,
  },
  { what: 'writes of a poll that changed nothing', value: replay.unchangedPollWrites, unit: '', atMost: 5 },
  { what: 'writes of a poll', value: replay.writesPerPoll, unit: '', against: `${replay.polls} polls` },
];
