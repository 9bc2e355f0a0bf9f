/** Port calls from records with event times: the newest record of a call replaces what was told of it before. */
import { DAY_MS, type Instant } from '../reference/time.ts';
import { addCoverage } from './coverage.ts';
import { type Applied, type Ledger, settle } from './ledger.ts';
import type { CallBatch, CallRecord, RecordedStop } from './observation.ts';
import type { Leg, PortCall } from './port-call.ts';
import { isSameCall } from './same-call.ts';

/** A withdrawal is remembered for this long, so that an older record does not bring the call back. */
const WITHDRAWAL_KEPT_MS = 60 * DAY_MS;

/** A stop with a time of its own, in the order of events. */
interface TimedStop extends RecordedStop {
  readonly at: Instant;
}

const ZONE_ORDER = { anchorage: 0, moving: 1, berth: 2 } as const;

const isTimed = (stop: RecordedStop): boolean => stop.ataAt !== undefined || stop.atdAt !== undefined;

function inOrder(stops: readonly RecordedStop[]): TimedStop[] {
  return stops
    .flatMap((stop) => {
      const at = stop.ataAt ?? stop.atdAt;
      return at === undefined ? [] : [{ ...stop, at }];
    })
    .sort(
      (a, b) =>
        a.at - b.at ||
        ZONE_ORDER[a.zone] - ZONE_ORDER[b.zone] ||
        (a.atdAt ?? Number.POSITIVE_INFINITY) - (b.atdAt ?? Number.POSITIVE_INFINITY) ||
        (a.place < b.place ? -1 : 1),
    );
}

/**
 * Legs of the stops: each ends at its ATD, at the next one's start, or at the call's ATD, whichever is first. A stop
 * with an ATD alone begins where the one before it ended, the first at the call's ATA, which is then concluded.
 */
function legsOf(record: CallRecord, ataAt: Instant | undefined, atdAt: Instant | undefined): Leg[] {
  const legs: Leg[] = [];
  let freeFromAt = ataAt;
  const stops = inOrder(record.stops);
  for (const [index, { zone, place, ataAt: beganAt, atdAt: leftAt }] of stops.entries()) {
    const startAt = beganAt ?? freeFromAt;
    if (startAt === undefined) continue;
    const nextAt = stops.slice(index + 1).find((stop) => stop.ataAt !== undefined)?.ataAt;
    const ends = [leftAt, nextAt, atdAt].filter((at) => at !== undefined);
    const endAt = ends.length > 0 ? Math.min(...ends) : undefined;
    if (endAt !== undefined && endAt <= startAt) continue;
    const leg: Leg = { zone, place, startAt, ...(beganAt === undefined ? { inferred: true } : {}) };
    legs.push(endAt === undefined ? leg : { ...leg, endAt });
    freeFromAt = endAt;
  }
  return legs;
}

/** The ATD: the record's own, else that of the last stop, unless it left an anchorage for a stop still planned. */
function departureOf(record: CallRecord): Instant | undefined {
  if (record.atdAt !== undefined) return record.atdAt;
  const stops = inOrder(record.stops);
  const last = stops.at(-1);
  if (last?.atdAt === undefined) return undefined;
  const planned = record.stops.some((stop) => !isTimed(stop));
  return last.zone === 'anchorage' && planned ? undefined : last.atdAt;
}

/** The call that a record tells of; undefined when nothing of it has happened yet. */
export function callOf(record: CallRecord, batch: CallBatch): PortCall | undefined {
  const arrivals = [record.ataAt, ...record.stops.map((stop) => stop.ataAt)].filter((at) => at !== undefined);
  const departures = [record.atdAt, ...record.stops.map((stop) => stop.atdAt)].filter(
    (at) => at !== undefined,
  );
  const statedAtaAt = arrivals.length > 0 ? Math.min(...arrivals) : undefined;
  const ataAt = statedAtaAt ?? (departures.length > 0 ? Math.min(...departures) : undefined);
  if (ataAt === undefined) return undefined;
  const atdAt = departureOf(record);
  const endAt = atdAt === undefined ? undefined : Math.max(atdAt, ataAt);
  const legs = legsOf(record, statedAtaAt, endAt);
  const last = legs.at(-1);
  const between: Leg[] =
    endAt === undefined && last?.endAt !== undefined
      ? [{ zone: 'moving', place: '', startAt: last.endAt }]
      : [];
  const firstBerth = legs.find((leg) => leg.zone === 'berth');
  return {
    callId: record.callId,
    port: batch.port,
    vesselId: record.vesselId,
    traffic: record.traffic,
    ataAt,
    ...(statedAtaAt === undefined ? { ataInferred: true } : {}),
    ...(endAt === undefined ? {} : { atdAt: endAt }),
    legs: [...legs, ...between],
    waitKnown: statedAtaAt !== undefined && firstBerth?.inferred !== true,
    firstAtaAt: ataAt,
    changedAt: batch.observedAt,
    recordedAt: record.recordedAt,
  };
}

/** One record a call, the newest; of two with one stamp the later in the list. */
function newestRecords(records: readonly CallRecord[]): Map<string, CallRecord> {
  const newest = new Map<string, CallRecord>();
  for (const record of records) {
    const held = newest.get(record.callId);
    if (held === undefined || record.recordedAt >= held.recordedAt) newest.set(record.callId, record);
  }
  return newest;
}

/** Whether what is known of the call is newer than the record. */
const isOutdated = (
  record: CallRecord,
  batch: CallBatch,
  held: PortCall | undefined,
  ledger: Ledger,
): boolean => {
  const withdrawnAt = ledger.cancelled[record.callId];
  if (withdrawnAt !== undefined && record.recordedAt <= withdrawnAt) return true;
  if (held?.recordedAt === undefined || record.recordedAt > held.recordedAt) return false;
  return record.recordedAt < held.recordedAt || batch.observedAt < held.changedAt;
};

/** Applies a batch of records. Batches may come in any order; a record older than what is known changes nothing. */
export function applyBatch(ledger: Ledger, batch: CallBatch): Applied {
  const calls = new Map(ledger.calls);
  const changed: PortCall[] = [];
  const removed: PortCall[] = [];
  const cancelled = new Map(Object.entries(ledger.cancelled));
  for (const record of newestRecords(batch.records).values()) {
    const held = calls.get(record.callId);
    if (isOutdated(record, batch, held, ledger)) continue;
    const told = record.cancelled ? undefined : callOf(record, batch);
    if (told === undefined) {
      if (record.cancelled || held) cancelled.set(record.callId, record.recordedAt);
      if (held && calls.delete(held.callId)) removed.push(held);
      continue;
    }
    cancelled.delete(record.callId);
    const call = held === undefined ? told : { ...told, firstAtaAt: held.firstAtaAt };
    if (held !== undefined && isSameCall(held, call)) continue;
    calls.set(call.callId, call);
    changed.push(call);
  }
  const lastObservedAt = Math.max(ledger.lastObservedAt ?? batch.observedAt, batch.observedAt);
  const lasting = [...cancelled].filter(([, at]) => at >= lastObservedAt - WITHDRAWAL_KEPT_MS);
  const { calls: _, ...clocks } = ledger;
  const read = {
    ...clocks,
    coverage: addCoverage(ledger.coverage, { fromAt: batch.coveredFromAt, toAt: batch.observedAt }),
    lastObservedAt,
    cancelled: Object.fromEntries(lasting),
  };
  return { ledger: settle(read, calls, lastObservedAt), changed, removed };
}
