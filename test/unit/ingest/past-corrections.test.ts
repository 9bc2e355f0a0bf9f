/** Corrections of calls that left the ledger long ago: the tables end as if the records had been right from the start. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../../core/calls/observation.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { verdictName } from '../../../core/store/raw-archive.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, scriptedSource } from '../../builders/scripted-source.ts';
import { valuesOf } from '../../builders/table-dump.ts';

const T0 = Date.UTC(2026, 0, 1);
const DAYS = 110;
const VESSELS_A_DAY = 3;

/** A call that waits for the hours and is at the berth for half a day. */
const recordOf = (day: number, vessel: number, waitHours: number, recordedAt: Instant): CallRecord => {
  const ataAt = T0 + day * DAY_MS + vessel * HOUR_MS;
  const berthAt = ataAt + waitHours * HOUR_MS;
  return {
    callId: `${day} ${vessel}`,
    vesselId: `${day} ${vessel}`,
    traffic: 'cargo',
    recordedAt,
    stops: [
      { zone: 'anchorage', place: 'ANCH', ataAt, atdAt: berthAt },
      { zone: 'berth', place: 'QUAY', ataAt: berthAt, atdAt: berthAt + 12 * HOUR_MS },
    ],
  };
};
/** One fetch a day, with the calls that arrived four days before; the waits by day of arrival. */
const history = (waitOf: (day: number) => number): CallsObservation[] =>
  Array.from({ length: DAYS }, (_, day) => {
    const observedAt = T0 + (day + 1) * DAY_MS;
    const arrivedOn = day - 4;
    const vessels = arrivedOn < 0 ? [] : Array.from({ length: VESSELS_A_DAY }, (_, vessel) => vessel);
    return batchAt(
      observedAt,
      vessels.map((vessel) => recordOf(arrivedOn, vessel, waitOf(arrivedOn), observedAt)),
    );
  });
const correctionOf = (
  days: readonly number[],
  waitHours: number,
  more: Partial<CallRecord> = {},
): CallsObservation => {
  const observedAt = T0 + (DAYS + 1) * DAY_MS;
  const records = days.flatMap((day) =>
    Array.from({ length: VESSELS_A_DAY }, (_, vessel) => ({
      ...recordOf(day, vessel, waitHours, observedAt),
      ...more,
    })),
  );
  return batchAt(observedAt, records);
};

async function pass(ingest: MemoryIngest, observations: readonly CallsObservation[], process = ingest.pass) {
  const source = scriptedSource();
  const asOfAt = Math.max(...observations.map(({ observedAt }) => observedAt));
  ingest.clock.nowAt = asOfAt;
  source.turns.push({ asOfAt, observations });
  return process(source);
}

/** Corrections in bulk are what the judgement holds: an operator has accepted this one. */
const acceptedBefore = (ingest: MemoryIngest, { observedAt }: CallsObservation) =>
  ingest.archive.writeNote('scripted', verdictName(observedAt), { outcome: 'accepted', by: 'operator' });

const WELL = { state: 'ok', refusals: { count: 0 } };

async function servedBy({ tables: { stayDays, dailyMetrics, waitDays, alerts } }: MemoryIngest) {
  return valuesOf({ stayDays, dailyMetrics, waitDays, alerts });
}

/** An ingest that has read the observations, and what it serves after one more observation. */
async function ingestOf(observations: readonly CallsObservation[]) {
  const ingest = startMemoryIngest({ nowAt: T0 });
  expect(await pass(ingest, observations)).toMatchObject(WELL);
  const restore = ingest.save();
  const servedAfter = async (observation: CallsObservation) => {
    restore();
    if (observation.records.length > 0) await acceptedBefore(ingest, observation);
    expect(await pass(ingest, [observation], ingest.restarted())).toMatchObject(WELL);
    return servedBy(ingest);
  };
  const judged = async (observation: CallsObservation) => {
    restore();
    return pass(ingest, [observation], ingest.restarted());
  };
  return { servedAfter, judged };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const NO_RECORDS = correctionOf([], 0);

describe('a correction of calls that left the ledger', () => {
  const congested = range(60, 72);
  let calm: Awaited<ReturnType<typeof ingestOf>>;
  beforeAll(async () => {
    calm = await ingestOf(history(() => 5));
  });

  it('is held where it rewrites many at once, until an operator accepts it', async () => {
    const rewritten = { state: 'held', reason: 'rewritten-calls', changedRecords: 0 };
    expect(await calm.judged(correctionOf(congested, 60))).toMatchObject(rewritten);
    expect(await calm.judged(correctionOf([20], 40))).toMatchObject(WELL);
  });

  it('changes stays, metrics and waits of their days', async () => {
    const wanted = await ingestOf(history((day) => (day === 20 ? 40 : 5)));
    const corrected = await calm.servedAfter(correctionOf([20], 40));
    expect(corrected).toEqual(await wanted.servedAfter(NO_RECORDS));
    expect(corrected).not.toEqual(await calm.servedAfter(NO_RECORDS));
  });

  it('raises the alerts of days that are over, and takes them back', async () => {
    const crowded = await ingestOf(history((day) => (congested.includes(day) ? 60 : 5)));
    const [without, raised] = [await calm.servedAfter(NO_RECORDS), await crowded.servedAfter(NO_RECORDS)];
    expect([without.alerts?.length, raised.alerts?.length === 0]).toEqual([0, false]);
    expect(await calm.servedAfter(correctionOf(congested, 60))).toEqual(raised);
    expect(await crowded.servedAfter(correctionOf(congested, 5))).toEqual(without);
  });

  it('that withdraws them leaves nothing of them', async () => {
    const never = history(() => 5).map((batch) => ({
      ...batch,
      records: batch.records.filter(({ callId }) => !callId.startsWith('20 ')),
    }));
    expect(await calm.servedAfter(correctionOf([20], 5, { cancelled: true }))).toEqual(
      await (await ingestOf(never)).servedAfter(NO_RECORDS),
    );
  });
});
