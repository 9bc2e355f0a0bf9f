/**
 * What more ports cost: one pass over ports that are polled every five minutes. Work, writes and rows of one port are measured on the
 * product's own pass; the time of a pass over many ports is simulated from them.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PortPoll, VesselDeparted, VesselInPort } from '../../core/calls/observation.ts';
import { PORTS } from '../../core/reference/ports.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { logNormal, randomStream } from '../../core/sources/sample-simulator/random.ts';
import type { Table } from '../../core/store/table.ts';
import { startTestIngest, type TestIngest } from '../builders/ingest.ts';
import { MemoryTable } from '../builders/memory-table.ts';
import { type ScriptedReply, scriptedSource } from '../builders/scripted-source.ts';
import type { PassCost } from './growth-model.ts';
import { median } from './statistics.ts';

export const EVERY_MINUTES = 5;
/** A port of middling size: vessels that arrive a day, and their median hours at anchor and at the berth. */
export const ARRIVALS_A_DAY = 10;
const ANCHOR_HOURS = 8;
const BERTH_HOURS = 20;

const startAt = Date.UTC(2026, 0, 5);

interface Visit {
  readonly vesselId: string;
  readonly ataAt: Instant;
  readonly berthAt: Instant;
  readonly atdAt: Instant;
}

const wholeMinutes = (hours: number): number => Math.round(hours * 60) * MINUTE_MS;

function visitsOf(port: string, days: number): Visit[] {
  const random = randomStream('growth', port);
  const visits: Visit[] = [];
  for (let at = startAt - 4 * DAY_MS; at < startAt + days * DAY_MS; ) {
    at += Math.max(1, Math.round((-Math.log(1 - random()) * 24 * 60) / ARRIVALS_A_DAY)) * MINUTE_MS;
    const berthAt = at + wholeMinutes(logNormal(random, ANCHOR_HOURS, 0.7));
    const atdAt = berthAt + wholeMinutes(logNormal(random, BERTH_HOURS, 0.4));
    visits.push({ vesselId: `${port}${visits.length}`, ataAt: at, berthAt, atdAt });
  }
  return visits;
}

/** A poll of the port: vessels in port, and vessels that left within the last day. */
function pollAt(port: string, visits: readonly Visit[], observedAt: Instant): PortPoll {
  const inPort: VesselInPort[] = [];
  const departed: VesselDeparted[] = [];
  for (const { vesselId, ataAt, berthAt, atdAt } of visits) {
    if (ataAt > observedAt || atdAt < observedAt - DAY_MS) continue;
    const berth = { zone: 'berth', place: `QUAY ${vesselId.length % 7}` } as const;
    if (atdAt <= observedAt) departed.push({ vesselId, atdAt, ...berth });
    else if (berthAt <= observedAt) inPort.push({ vesselId, ataAt, ...berth });
    else inPort.push({ vesselId, ataAt, zone: 'anchorage', place: 'ROADS' });
  }
  return { kind: 'poll', port, observedAt, inPort, departed };
}

interface CallMeter {
  calls: number;
  writes: number;
  writeUnits: number;
  /** Milliseconds from request to response, added up. */
  ms: number;
}

/** `table`, counting DynamoDB's requests: a batch of writes is one for each 25 rows. */
function meteredCalls(table: Table, meter: CallMeter): Table {
  const counted = new Set(['get', 'query', 'scan', 'put', 'delete', 'update', 'getMany', 'writeMany']);
  return new Proxy(table, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function' || !counted.has(String(name))) return value;
      return (...args: unknown[]) => {
        const rows = name === 'writeMany' ? (args.flat() as unknown[]) : [args[0]];
        meter.calls += name === 'writeMany' ? Math.ceil(rows.length / 25) : 1;
        if (['put', 'delete', 'update', 'writeMany'].includes(String(name))) {
          meter.writes += rows.length;
          for (const row of rows) meter.writeUnits += Math.ceil(JSON.stringify(row).length / 1024);
        }
        const beganAt = performance.now();
        const done = (value as (...all: unknown[]) => Promise<unknown>).apply(target, args);
        return done.finally(() => {
          meter.ms += performance.now() - beganAt;
        });
      };
    },
  });
}

export interface GrowthMeasurement extends PassCost {
  readonly ports: number;
  readonly passes: number;
  /** Rows written by one pass, for each port. */
  readonly writesPerPort: number;
  readonly writeUnitsPerPort: number;
  /** Mean time of a request to the store, in milliseconds. */
  readonly storeMs: number;
  /** Bytes of the rows that one port has after `days` days, by table. */
  readonly bytesPerPort: Readonly<Record<string, number>>;
  readonly rowsPerPort: Readonly<Record<string, number>>;
  readonly days: number;
  /** Heap that the pass uses for one port between polls. */
  readonly heapPerPort: number;
  /** Milliseconds of a pass by the clock: median. */
  readonly passMs: number;
}

export interface GrowthPlan {
  readonly ports: number;
  /** Days that are polled every six hours before the passes that count. */
  readonly days: number;
  readonly passes: number;
  /** Over an embedded store instead of tables in memory. */
  readonly embedded?: true;
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

/** Passes by a process that remembers the one before, as a function that is invoked every five minutes does. */
export async function measureGrowth(plan: GrowthPlan): Promise<GrowthMeasurement> {
  const { ports, days, passes, embedded } = plan;
  const codes = PORTS.slice(0, ports).map(({ locode }) => locode);
  const visits = new Map(codes.map((port) => [port, visitsOf(port, days + 1)]));
  const ingest: TestIngest = await startTestIngest({ nowAt: startAt, ...(embedded && { embedded }) });
  try {
    const meter: CallMeter = { calls: 0, writes: 0, writeUnits: 0, ms: 0 };
    const pass = ingest.restarted({ wrap: (table) => meteredCalls(table, meter) });
    const scripted = scriptedSource('growth', codes);
    const declaration = {
      ...scripted.declaration,
      everyMinutes: EVERY_MINUTES,
      largestReplyBytes: 100_000_000,
    };
    const source = { ...scripted, declaration };
    const before = heapUsed();
    const poll = async (at: Instant): Promise<void> => {
      const reports = codes.map((port) => pollAt(port, visits.get(port) ?? [], at));
      const reply: ScriptedReply = { asOfAt: at, reports };
      scripted.turns.push(reply);
      ingest.clock.nowAt = at;
      const { state, detail, refusals } = await pass(source);
      if (state !== 'ok' || refusals.length > 0)
        throw new Error(`${state}: ${detail} ${JSON.stringify(refusals[0])}`);
    };
    const livesAt = startAt + days * DAY_MS;
    for (let at = startAt + HOUR_MS; at < livesAt; at += 6 * HOUR_MS) await poll(at);
    Object.assign(meter, { calls: 0, writes: 0, writeUnits: 0, ms: 0 });
    const [cpu, wall]: [number[], number[]] = [[], []];
    for (let n = 0; n < passes; n += 1) {
      const [cpuBefore, beganAt] = [process.cpuUsage(), performance.now()];
      await poll(livesAt + n * EVERY_MINUTES * MINUTE_MS);
      const { user, system } = process.cpuUsage(cpuBefore);
      cpu.push((user + system) / 1000);
      wall.push(performance.now() - beganAt);
    }
    const tables = Object.entries(ingest.tables).filter(
      (entry): entry is [string, MemoryTable] => entry[1] instanceof MemoryTable,
    );
    const texts = new Map(tables.map(([id, table]) => [id, [...table.texts()]]));
    const perPort = (sizeOf: (rows: readonly string[]) => number) =>
      Object.fromEntries([...texts].map(([id, rows]) => [id, sizeOf(rows) / ports]));
    const stored = [...texts.values()].flat().reduce((sum, text) => sum + text.length, 0);
    return {
      ports,
      passes,
      days,
      cpuMsPerPort: median(cpu) / ports,
      callsPerPort: meter.calls / passes / ports,
      writesPerPort: meter.writes / passes / ports,
      writeUnitsPerPort: meter.writeUnits / passes / ports,
      storeMs: meter.ms / meter.calls,
      bytesPerPort: perPort((rows) => rows.reduce((sum, text) => sum + text.length, 0)),
      rowsPerPort: perPort((rows) => rows.length),
      // The tables in memory are in the same heap, a byte a character.
      heapPerPort: Math.max(0, heapUsed() - before - stored) / ports,
      passMs: median(wall),
    };
  } finally {
    await ingest.close();
  }
}
