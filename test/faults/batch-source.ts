/** A source of call records with every kind of record: late ones, old corrections, withdrawals, and overlaps. */
import type { CallRecord, CallsObservation, RecordedStop } from '../../core/calls/observation.ts';
import { DAY_MS, HOUR_MS, type Instant, wholeSecond } from '../../core/reference/time.ts';
import { type RandomStream, randomStream } from '../../core/sources/sample-simulator/source.ts';
import type { Source } from '../../core/upstream/source.ts';
import { SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';
import { callRecordAt } from '../worlds/call-records.ts';
import { portProfile } from '../worlds/port-profile.ts';
import type { Scenario } from '../worlds/scenario.ts';
import { simulatePort } from '../worlds/simulate-port.ts';
import type { SimulatedCall } from '../worlds/simulated-call.ts';
import { T0 } from './fault-run.ts';

/** Days of calls; corrections reach back over all of them, further than a ledger. */
const DAYS = 120;
const OVERLAP_MS = 6 * HOUR_MS;

const moved = (at: Instant | undefined, byMs: number): Instant | undefined =>
  at === undefined ? undefined : at + byMs;

/** A later, corrected record of the same call, with all its times moved. */
function corrected(record: CallRecord, byMs: number, recordedAt: Instant): CallRecord {
  const stops = record.stops.map((stop): RecordedStop => {
    const [ataAt, atdAt] = [moved(stop.ataAt, byMs), moved(stop.atdAt, byMs)];
    const { zone, place } = stop;
    return { zone, place, ...(ataAt !== undefined && { ataAt }), ...(atdAt !== undefined && { atdAt }) };
  });
  const [ataAt, atdAt] = [moved(record.ataAt, byMs), moved(record.atdAt, byMs)];
  const { callId, vesselId, traffic } = record;
  return {
    callId,
    vesselId,
    traffic,
    recordedAt,
    stops,
    ...(ataAt !== undefined && { ataAt }),
    ...(atdAt !== undefined && { atdAt }),
  };
}

/** Two strikes, in which berths work for half of the arrivals only. Days of the world, which begins at `WORLD_AT`. */
const STRIKES: Scenario = {
  capacity: [35, 100].flatMap((fromDay) => [
    { fromDay, berths: Math.ceil(portProfile(SCRIPTED_PORT).berths * 0.3) },
    { fromDay: fromDay + 8, berths: portProfile(SCRIPTED_PORT).berths * 3 },
  ]),
};
const WORLD_AT = T0 - 60 * DAY_MS;
const callsBySeed = new Map<number, readonly SimulatedCall[]>();

function callsOf(seed: number): readonly SimulatedCall[] {
  const cached = callsBySeed.get(seed);
  if (cached !== undefined) return cached;
  const calls = simulatePort(SCRIPTED_PORT, WORLD_AT, T0 + DAYS * DAY_MS, seed, STRIKES);
  callsBySeed.set(seed, calls);
  return calls;
}

/**
 * The upstream's reply at `at` with everything recorded since `sinceAt`; a function of seed and times only.
 * `faulty`: with corrections and withdrawals of any call.
 */
export function batchAt(sinceAt: Instant, at: Instant, seed: number, faulty = true): CallsObservation {
  const random: RandomStream = randomStream('batch', seed, at);
  const records = callsOf(seed).flatMap((call): CallRecord[] => {
    const record = callRecordAt(call, at);
    if (record === undefined) return [];
    const [chance, hours] = [random(), random()];
    if (faulty && chance < 0.01) return [{ ...record, recordedAt: at, cancelled: true }];
    if (faulty && chance < 0.03) return [corrected(record, wholeSecond((hours - 1) * 8 * HOUR_MS), at)];
    return record.recordedAt > sinceAt - OVERLAP_MS ? [record] : [];
  });
  return { kind: 'call-batch', port: SCRIPTED_PORT, observedAt: at, coveredFromAt: sinceAt, records };
}

/** Returns what was recorded since the last good fetch. */
export function batchSource(now: () => Instant, seed: number, faulty = true): Source {
  const source = scriptedSource('scripted-records');
  return {
    ...source,
    declaration: { ...source.declaration, kind: 'events' },
    async fetch({ lastFetchAt }) {
      const at = wholeSecond(now());
      const batch = batchAt(lastFetchAt ?? WORLD_AT, at, seed, faulty);
      return new Map([
        ['reply.json', new TextEncoder().encode(JSON.stringify({ asOfAt: at, observations: [batch] }))],
      ]);
    },
  };
}
