/** The same lists, polled daily, twelve-hourly, with days missing, read once, or filled in later, give the same figures. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord, CallsObservation, RecordedStop } from '../../../core/calls/observation.ts';
import { createBackFill } from '../../../core/ingest/back-fill.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import type { Source } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, replyFiles, scriptedSource } from '../../builders/scripted-source.ts';
import { valuesOf } from '../../builders/table-dump.ts';

const scripted = scriptedSource();
const SOURCE: Source = {
  ...scripted,
  declaration: { ...scripted.declaration, kind: 'events' },
};

const T0 = Date.UTC(2026, 0, 5);
const DAYS = 90;
const END = T0 + DAYS * DAY_MS;
/** What a poll reads: forecasts of the last sixty days, and of the next eight. */
const BACK_MS = 60 * DAY_MS;
const AHEAD_MS = 8 * DAY_MS;

/** One call as it turns out to be; hours are after T0, or after the event before. */
interface Call {
  readonly vesselId: string;
  readonly arrivedAt: Instant;
  readonly anchored: boolean;
  readonly berthedAt: Instant;
  readonly leftAt: Instant;
  /** The lists state another berth, and berthing time, until then. */
  readonly correctedAt: Instant;
  /** The lists have the call until then alone. */
  readonly withdrawnAt: Instant;
  /** The inbound list never has it, or the outbound list. */
  readonly lacks: 'inbound' | 'outbound' | undefined;
}

const hours = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * HOUR_MS);
const stay = fc.oneof({ weight: 3, arbitrary: hours(1, 48) }, { weight: 1, arbitrary: hours(49, 57 * 24) });
const anyCall: fc.Arbitrary<Call> = fc
  .record({
    vessel: fc.integer({ min: 0, max: 30 }),
    arrived: hours(0, (DAYS - 2) * 24),
    wait: fc.oneof(fc.constant(0), hours(1, 90)),
    stay,
    correction: hours(1, 5 * 24),
    withdrawal: fc.option(hours(1, 72), { freq: 8, nil: Number.POSITIVE_INFINITY }),
    lacks: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      undefined,
      'inbound' as const,
      'outbound' as const,
    ),
  })
  .map(({ vessel, arrived, wait, stay: lasted, correction, withdrawal, lacks }) => {
    const arrivedAt = T0 + arrived;
    const berthedAt = arrivedAt + wait;
    return {
      vesselId: `V${vessel}`,
      arrivedAt,
      anchored: wait > 0,
      berthedAt,
      leftAt: berthedAt + lasted,
      correctedAt: berthedAt + correction,
      // A departure alone is in no window of forecast arrivals, and is never withdrawn.
      withdrawnAt: lacks === 'inbound' ? Number.POSITIVE_INFINITY : arrivedAt + withdrawal,
      lacks,
    };
  });
const anyCalls = fc.array(anyCall, { minLength: 30, maxLength: 60 });

/** The record of a call as the lists of `at` that reach back to `fromAt` state it. */
function recordOf(call: Call, index: number, at: Instant, fromAt: Instant): CallRecord | undefined {
  if (at >= call.withdrawnAt) return undefined;
  const until = (time: Instant): Instant | undefined => (time <= at ? time : undefined);
  const isListed = (forecastAt: Instant): boolean => forecastAt >= fromAt && forecastAt < at + AHEAD_MS;
  const hasInbound = call.lacks !== 'inbound' && isListed(call.arrivedAt);
  const hasOutbound = call.lacks !== 'outbound' && isListed(call.leftAt);
  const isCorrected = at >= call.correctedAt;
  const berthedAt = until(isCorrected ? call.berthedAt : call.berthedAt + HOUR_MS / 2);
  const stops: RecordedStop[] = [];
  if (hasInbound && call.anchored && until(call.arrivedAt) !== undefined)
    stops.push({ zone: 'anchorage', place: 'anchorage', ataAt: call.arrivedAt });
  if (hasInbound && berthedAt !== undefined)
    stops.push({ zone: 'berth', place: isCorrected ? 'QUAY 1' : 'QUAY 2', ataAt: berthedAt });
  const ataAt = hasInbound ? until(call.arrivedAt) : undefined;
  const atdAt = hasOutbound ? until(call.leftAt) : undefined;
  if (ataAt === undefined && atdAt === undefined) return undefined;
  return {
    callId: `call ${index}`,
    vesselId: call.vesselId,
    traffic: 'cargo',
    recordedAt: at,
    listedAt: hasInbound ? call.arrivedAt : undefined,
    stops,
    ataAt,
    atdAt,
    keepsEarlier: 'fields',
  };
}

function listsOf(calls: readonly Call[], at: Instant, fromAt: Instant): CallsObservation {
  const records = calls.flatMap((call, index) => recordOf(call, index, at, fromAt) ?? []);
  const complete = { fromAt, toAt: at + AHEAD_MS, recordedAt: at };
  return batchAt(at, records, { coveredFromAt: Math.min(fromAt + 2 * DAY_MS, at), complete });
}

const replyOf = (calls: readonly Call[], at: Instant, backMs = BACK_MS) =>
  replyFiles({ asOfAt: at, observations: [listsOf(calls, at, Math.max(T0 - DAY_MS, at - backMs))] });

/** Values of the tables without what only says when something was known. */
async function figures(ingest: ReturnType<typeof startMemoryIngest>): Promise<Record<string, string[]>> {
  const { portCalls: _, portClocks: __, sourceStatus: ___, ...rest } = await valuesOf(ingest.tables);
  return rest;
}

/** The tables after the polls at these times, each of them a fetch; `filled` are fetched by a back-fill afterwards. */
async function ingested(calls: readonly Call[], polls: readonly Instant[], filled: readonly Instant[] = []) {
  const ingest = startMemoryIngest({ nowAt: T0 });
  for (const at of polls) {
    ingest.clock.nowAt = at;
    await ingest.archive.write(SOURCE.declaration.id, at, replyOf(calls, at));
    expect(await ingest.pass(SOURCE, { ask: false })).toMatchObject({ state: 'ok', fetches: 1 });
  }
  if (filled.length > 0) {
    ingest.clock.nowAt = END + HOUR_MS;
    for (const at of filled) await ingest.archive.write(SOURCE.declaration.id, at, replyOf(calls, at));
    const backFill = createBackFill(ingest.dependencies());
    await backFill.load(SOURCE, {});
    await backFill.apply(SOURCE);
  }
  return figures(ingest);
}

const every = (ms: number): Instant[] =>
  Array.from({ length: Math.floor((END - T0) / ms) }, (_, i) => T0 + (i + 1) * ms);

it('in any order and in any portions', async () => {
  const missing = fc.uniqueArray(fc.integer({ min: 1, max: DAYS - 2 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(anyCalls, missing, async (calls, gaps) => {
      const batch = startMemoryIngest({ nowAt: END });
      await batch.archive.write(SOURCE.declaration.id, END, replyOf(calls, END, (DAYS + 70) * DAY_MS));
      await batch.pass(SOURCE, { ask: false });
      const wanted = await figures(batch);
      const daily = every(DAY_MS);
      expect(await ingested(calls, daily)).toEqual(wanted);
      for (const half of extent([], [12 * HOUR_MS]))
        expect(await ingested(calls, every(half))).toEqual(wanted);
      expect(
        await ingested(
          calls,
          daily.filter((_, i) => !gaps.includes(i)),
        ),
      ).toEqual(wanted);
      const [early, late] = [daily.slice(0, DAYS / 2), daily.slice(DAYS / 2)];
      expect(await ingested(calls, late, early)).toEqual(wanted);
    }),
    { numRuns: extent(1, 12), seed: 36, endOnFailure: true },
  );
});
