/** Port calls from records with event times: each time of a call is that of the newest record that states it. */
import { groupBy } from '../reference/statistics.ts';
import { DAY_MS, earliestStated, type Instant, latestOf } from '../reference/time.ts';
import { type CallRecord, type CallsObservation, foremostTraffic, type RecordedStop } from './observation.ts';
import {
  addCoverage,
  type Coverage,
  ended,
  type Ledger,
  type Leg,
  ledgerClocks,
  type PortCall,
  type Reading,
  withoutHoles,
} from './port-call.ts';

// A port call from one record with event times: its stops in order, their legs, ATA and ATD.

interface TimedStop extends RecordedStop {
  readonly at: Instant;
}

const ZONE_ORDER = { anchorage: 0, moving: 1, berth: 2 } as const;

function orderedStops(stops: readonly RecordedStop[]): TimedStop[] {
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
 * Legs of the stops: each ends at its ATD, the next one's start, or the call's ATD, whichever is first. A stop with an
 * ATD alone begins where the one before it ended, the first at the call's ATA; its start is then inferred.
 */
function toLegs(record: CallRecord, ataAt: Instant | undefined, atdAt: Instant | undefined): Leg[] {
  const legs: Leg[] = [];
  let freeFromAt = ataAt;
  const stops = orderedStops(record.stops);
  for (const [index, stop] of stops.entries()) {
    const { zone, place, ataAt: beganAt, atdAt: leftAt } = stop;
    const startAt = beganAt ?? freeFromAt;
    if (startAt === undefined) continue;
    const nextAt = stops.slice(index + 1).find((stop) => stop.ataAt !== undefined)?.ataAt;
    const ends = [leftAt, nextAt, atdAt].filter((at) => at !== undefined);
    const endAt = ends.length > 0 ? Math.min(...ends) : undefined;
    if (endAt !== undefined && endAt <= startAt) continue;
    legs.push({
      zone,
      place,
      startAt,
      endAt,
      inferred: beganAt === undefined || undefined,
      startUnknown: stop.startUnknown,
      endUnknown: endAt === leftAt ? stop.endUnknown : undefined,
    });
    freeFromAt = endAt;
  }
  return legs;
}

/** A vessel in port that has left its last place is under way. */
function withWayAfter(legs: readonly Leg[]): readonly Leg[] {
  const endAt = legs.at(-1)?.endAt;
  return endAt === undefined ? legs : [...legs, { zone: 'moving', place: '', startAt: endAt }];
}

/**
 * The record's own ATD, else that of the last stop, inferred where unknown, unless the vessel left an anchorage for a
 * planned stop.
 */
function departureTime(record: CallRecord): Pick<PortCall, 'atdAt' | 'atdInferred'> {
  if (record.atdAt !== undefined) return { atdAt: record.atdAt };
  const stops = orderedStops(record.stops);
  const last = stops.at(-1);
  const planned = stops.length < record.stops.length;
  if (last?.zone === 'anchorage' && planned) return {};
  return { atdAt: last?.atdAt, atdInferred: last?.endUnknown };
}

/** The call of a record; undefined when it has no event yet. */
export function toPortCall(
  record: CallRecord,
  batch: Pick<CallsObservation, 'port' | 'observedAt'>,
): PortCall | undefined {
  const statedAtaAt = earliestStated([record.ataAt, ...record.stops.map((stop) => stop.ataAt)]);
  const ataAt = statedAtaAt ?? earliestStated([record.atdAt, ...record.stops.map((stop) => stop.atdAt)]);
  if (ataAt === undefined) return undefined;
  const { atdAt, atdInferred } = departureTime(record);
  const endAt = atdAt === undefined ? undefined : Math.max(atdAt, ataAt);
  const legs = toLegs(record, statedAtaAt, endAt);
  const isAtaInferred = statedAtaAt === undefined || record.ataInferred === true;
  const firstBerth = legs.find((leg) => leg.zone === 'berth');
  return {
    callId: record.callId,
    port: batch.port,
    vesselId: record.vesselId,
    traffic: record.traffic,
    vesselClass: record.vesselClass,
    ataAt,
    ataInferred: isAtaInferred || undefined,
    atdAt: endAt,
    atdInferred,
    legs: endAt === undefined ? withWayAfter(legs) : legs,
    waitKnown: record.waitKnown !== false && !isAtaInferred && firstBerth?.inferred !== true,
    firstAtaAt: ataAt,
    changedAt: batch.observedAt,
    recordedAt: record.recordedAt,
    listedAt: record.listedAt,
  };
}

// A call from several records: each time is that of the newest record that states it.

const isSameStop = (a: RecordedStop, b: RecordedStop): boolean => a.zone === b.zone && a.place === b.place;

const stopTime = ({ ataAt, atdAt }: RecordedStop): Instant | undefined => ataAt ?? atdAt;

const isStartOf = ({ ataAt, atdAt }: RecordedStop, at: Instant): boolean =>
  ataAt === undefined && at <= (atdAt ?? at);
const isEndOf = ({ ataAt, atdAt }: RecordedStop, at: Instant): boolean =>
  atdAt === undefined && at >= (ataAt ?? at);

/**
 * The stop with the times that it lacks from `earlier`, if each lists the place once. An end before its start, or a
 * start after its end, is of another stay.
 */
function timedStop(
  stop: RecordedStop,
  stops: readonly RecordedStop[],
  earlier: readonly RecordedStop[],
): RecordedStop {
  if (stop.ataAt !== undefined && stop.atdAt !== undefined) return stop;
  const known = earlier.filter((other) => isSameStop(other, stop));
  if (known.length !== 1 || stops.filter((other) => isSameStop(other, stop)).length > 1) return stop;
  const [{ ataAt, startUnknown, atdAt, endUnknown } = {} as RecordedStop] = known;
  return {
    ...stop,
    ...(ataAt !== undefined && isStartOf(stop, ataAt) && { ataAt, startUnknown }),
    ...(atdAt !== undefined && isEndOf(stop, atdAt) && { atdAt, endUnknown }),
  };
}

/** The earlier stops before and after the part of the log in `stops`. A neighbour at the same place is the same stop. */
function outsidePart(
  stops: readonly RecordedStop[],
  earlier: readonly RecordedStop[],
): readonly RecordedStop[] {
  const part = orderedStops(stops);
  const [first, last] = [part[0], part.at(-1)];
  if (first === undefined || last === undefined) return earlier;
  const around = orderedStops(earlier).map(({ at, ...stop }) => ({ at, stop }));
  const before = around.filter(({ at }) => at < first.at).map(({ stop }) => stop);
  const after = around.filter(({ at }) => at > last.at).map(({ stop }) => stop);
  const isRestated = (stop: RecordedStop | undefined, by: RecordedStop): boolean =>
    stop !== undefined && isSameStop(stop, by);
  return [
    ...(isRestated(before.at(-1), first) ? before.slice(0, -1) : before),
    ...(isRestated(after[0], last) ? after.slice(1) : after),
  ];
}

function completedStops(
  { stops, keepsEarlier }: CallRecord,
  earlier: readonly RecordedStop[],
): readonly RecordedStop[] {
  if (stops.length === 0) return earlier;
  const timed = stops.map((stop) => timedStop(stop, stops, earlier));
  switch (keepsEarlier) {
    case 'fields':
      return [...timed, ...earlier.filter((other) => !stops.some(({ zone }) => zone === other.zone))];
    case 'log':
      return [...timed, ...outsidePart(stops, earlier)];
    default:
      return timed;
  }
}

const firstStopAt = (stops: readonly RecordedStop[]): Instant =>
  earliestStated(stops.map(stopTime)) ?? Number.POSITIVE_INFINITY;

/** A record completed by an earlier one of the same call. The vessel is that of the newest record with an arrival. */
function completed(record: CallRecord, earlier: CallRecord): CallRecord {
  const stops = completedStops(record, earlier.stops);
  const statesArrival = record.ataAt !== undefined || record.stops.length > 0;
  const { vesselId, traffic, vesselClass } = statesArrival ? record : earlier;
  // Whether the wait is known depends on how it began.
  const beganEarlier =
    earlier.stops.length > 0 && (record.stops.length === 0 || firstStopAt(stops) < firstStopAt(record.stops));
  return {
    ...record,
    vesselId,
    traffic,
    vesselClass,
    stops,
    ataAt: record.ataAt ?? earlier.ataAt,
    atdAt: record.atdAt ?? earlier.atdAt,
    listedAt: record.listedAt ?? earlier.listedAt,
    waitKnown: beganEarlier ? earlier.waitKnown : record.waitKnown,
  };
}

/** The statements of a record in canonical form. */
const statement = ({ recordedAt: _, stops, ...record }: CallRecord): string =>
  JSON.stringify([
    ...Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    stops
      .map(({ zone, place, ataAt, atdAt, startUnknown, endUnknown }) =>
        JSON.stringify([zone, place, ataAt, atdAt, startUnknown, endUnknown]),
      )
      .sort(),
  ]);

const isSameStatement = (a: CallRecord, b: CallRecord): boolean => statement(a) === statement(b);

/** The stops that the legs show: an end at which the next leg or the call's ATD follows need not be stated. */
const toStops = ({ legs, atdAt }: PortCall): RecordedStop[] =>
  legs.flatMap(({ zone, place, inferred, startAt, endAt, startUnknown, endUnknown }, index) => {
    if (zone === 'moving' && place === '') return [];
    const isFollowed = endAt === legs[index + 1]?.startAt || (endAt === atdAt && !endUnknown);
    return [
      {
        zone,
        place,
        ataAt: inferred ? undefined : startAt,
        atdAt: isFollowed ? undefined : endAt,
        startUnknown,
        endUnknown,
      },
    ];
  });

/** The one record from which a call without `records` was made. */
function recordFromCall(call: PortCall, keepsEarlier: CallRecord['keepsEarlier']): CallRecord {
  const { callId, vesselId, traffic, vesselClass, recordedAt = 0, listedAt, waitKnown } = call;
  const stops = toStops(call);
  const isStop = stops.some(({ ataAt }) => ataAt === call.ataAt);
  return {
    callId,
    vesselId,
    traffic,
    vesselClass,
    recordedAt,
    listedAt,
    stops,
    ataAt: call.ataInferred || isStop ? undefined : call.ataAt,
    atdAt: call.atdInferred ? undefined : call.atdAt,
    waitKnown: waitKnown ? undefined : false,
    keepsEarlier,
  };
}

/** The records from which a call was made, newest first. */
const recordsIn = (call: PortCall, keepsEarlier: CallRecord['keepsEarlier']): readonly CallRecord[] =>
  call.records ?? [recordFromCall(call, keepsEarlier)];

/** One record merged from those of a call, newest first, and the records that contribute to it. */
function combined(records: readonly [CallRecord, ...CallRecord[]]): {
  whole: CallRecord;
  used: CallRecord[];
} {
  const [newest, ...earlier] = records;
  let whole = newest;
  const used: CallRecord[] = [newest];
  for (const record of newest.keepsEarlier === undefined ? [] : earlier) {
    const next = completed(whole, record);
    if (isSameStatement(next, whole)) continue;
    whole = next;
    used.push(record);
  }
  return { whole, used };
}

/** Whether one list of records of a call, newest first, contributes the same statements as the other. */
const isSameInAll = (a: readonly CallRecord[], b: readonly CallRecord[]): boolean => {
  const [[first, ...more], [other, ...others]] = [a, b];
  if (first === undefined || other === undefined) return first === other;
  return isSameStatement(combined([first, ...more]).whole, combined([other, ...others]).whole);
};

/**
 * The call of records, newest first, with the records that its legs cannot reproduce; undefined when none has an event.
 */
function combinedCall(
  [newest, ...earlier]: readonly CallRecord[],
  batch: Pick<CallsObservation, 'port' | 'observedAt'>,
): PortCall | undefined {
  if (newest === undefined) return undefined;
  const { whole, used } = combined([newest, ...earlier]);
  const call = toPortCall(whole, batch);
  if (call === undefined || newest.keepsEarlier === undefined) return call;
  const isSaid = used.length === 1 && isSameStatement(recordFromCall(call, newest.keepsEarlier), newest);
  return isSaid ? call : { ...call, records: used };
}

// Merges a vessel's overlapping records, and closes calls without a stated departure.

/** The calls as their records state them. */
const recordedCalls = (call: PortCall): readonly PortCall[] => call.recorded ?? [call];

const lastEventAt = ({ ataAt, atdAt = ataAt, legs }: PortCall): Instant =>
  latestOf([ataAt, atdAt, ...legs.flatMap(({ startAt, endAt = startAt }) => [startAt, endAt])]);

const isOverlapping = (a: PortCall, b: PortCall): boolean =>
  a.ataAt === b.ataAt || (a.ataAt < lastEventAt(b) && b.ataAt < lastEventAt(a));

/** The port's calls by id, from all that are recorded: overlapping ones merged, and those without an end closed. */
function groupVisits(
  recorded: ReadonlyMap<string, PortCall>,
  batch: CallsObservation,
): ReadonlyMap<string, PortCall> {
  const callsOf = groupBy(recorded.values(), ({ vesselId }) => vesselId);
  for (const { vesselId, port, ataAt } of batch.arrivalsElsewhere ?? []) {
    const calls = port === batch.port ? [] : (callsOf.get(vesselId) ?? []);
    for (const [index, call] of calls.entries()) {
      // The first arrival elsewhere counts, so that the order of the batches does not matter.
      const elsewhereAt = Math.min(ataAt, call.elsewhereAt ?? ataAt);
      if (call.atdAt === undefined && ataAt > lastEventAt(call)) calls[index] = { ...call, elsewhereAt };
    }
  }
  const visits = [...callsOf.values()].flatMap((calls) => closedInTurn(mergedCalls(calls, batch)));
  return new Map(visits.map((call) => [call.callId, call]));
}

function mergedCalls(calls: readonly PortCall[], batch: CallsObservation): PortCall[] {
  const merged: PortCall[] = [];
  for (const call of [...calls].sort((a, b) => a.ataAt - b.ataAt)) {
    const last = merged.at(-1);
    if (last !== undefined && isOverlapping(last, call))
      merged[merged.length - 1] = mergedCall([...recordedCalls(last), call], batch);
    else merged.push(call);
  }
  return merged;
}

/** One call from records that overlap, under the first of their ids: the stops by berth and time, the latest ATD. */
function mergedCall(calls: readonly PortCall[], batch: CallsObservation): PortCall {
  const recorded = [...calls].sort((a, b) => (a.callId < b.callId ? -1 : 1));
  const [first] = recorded;
  if (first === undefined) throw new RangeError('no call to merge');
  const atds = recorded.flatMap(({ atdAt, atdInferred }) =>
    atdAt === undefined || atdInferred ? [] : [atdAt],
  );
  const atdAt = atds.length > 0 ? latestOf(atds) : undefined;
  const isOver = atdAt !== undefined && recorded.every((call) => lastEventAt(call) <= atdAt);
  const elsewhere = recorded.flatMap(({ elsewhereAt }) => (elsewhereAt === undefined ? [] : [elsewhereAt]));
  const vesselClass = recorded.find((call) => call.vesselClass !== undefined)?.vesselClass;
  const record: CallRecord = {
    callId: first.callId,
    vesselId: first.vesselId,
    traffic: foremostTraffic(recorded),
    vesselClass,
    recordedAt: latestOf(recorded.map(({ recordedAt = 0 }) => recordedAt)),
    stops: joinedStops(recorded),
    ataAt: earliestStated(recorded.map(({ ataAt, ataInferred }) => (ataInferred ? undefined : ataAt))),
    atdAt: isOver ? atdAt : undefined,
    waitKnown: recorded.some(({ waitKnown }) => !waitKnown) ? false : undefined,
  };
  const call = toPortCall(record, { port: batch.port, observedAt: first.changedAt }) ?? first;
  return {
    ...call,
    firstAtaAt: first.firstAtaAt,
    recorded,
    elsewhereAt: elsewhere.length > 0 ? latestOf(elsewhere) : undefined,
  };
}

/** The stops of all calls; adjoining stops at one berth are merged. */
function joinedStops(calls: readonly PortCall[]): RecordedStop[] {
  const legs = calls
    .flatMap((call) => call.legs)
    .filter(({ zone, place }) => zone !== 'moving' || place !== '')
    .sort((a, b) => a.startAt - b.startAt);
  const joined: Leg[] = [];
  for (const leg of legs) {
    const { zone, place, startAt, endAt } = leg;
    const index = joined.findLastIndex((known) => known.zone === zone && known.place === place);
    const same = joined[index];
    if (same === undefined || startAt > (same.endAt ?? Number.POSITIVE_INFINITY)) joined.push(leg);
    // One of two records may lack the end, so the known end counts.
    else if (endAt !== undefined && (same.endAt === undefined || endAt > same.endAt))
      joined[index] = { ...same, endAt, endUnknown: leg.endUnknown };
  }
  return joined.map(({ zone, place, startAt, endAt, startUnknown, endUnknown }) => ({
    zone,
    place,
    ataAt: startAt,
    atdAt: endAt,
    startUnknown,
    endUnknown,
  }));
}

/** Calls without a departure are closed at their last event, where the vessel arrived here again, then or later, or elsewhere later. */
function closedInTurn(calls: readonly PortCall[]): PortCall[] {
  return calls.map((call) => {
    if (call.atdAt !== undefined) return call;
    const lastAt = lastEventAt(call);
    const isOver =
      (call.elsewhereAt !== undefined && call.elsewhereAt > lastAt) ||
      calls.some((other) => other !== call && !other.ataInferred && other.ataAt >= lastAt);
    return isOver ? closedAt(call, lastAt) : call;
  });
}

/** Keeps the last leg, even with zero length: it states that and when the vessel berthed. */
function closedAt(call: PortCall, endAt: Instant): PortCall {
  const last = call.legs.at(-1);
  const others = call.legs.slice(0, -1);
  const isBetween = last?.zone === 'moving' && last.place === '';
  const legs =
    last === undefined || isBetween
      ? others
      : [...others, { ...ended(last, endAt), endUnknown: true as const }];
  return { ...call, legs, atdAt: endAt, atdInferred: true, recorded: recordedCalls(call) };
}

/** A withdrawal is remembered for this long, so that an older record does not restore the call. */
const WITHDRAWAL_KEPT_MS = 60 * DAY_MS;

/** Whether a record is older than a known one: by stamp, then by the time of its batch. */
const isBefore = (
  record: CallRecord,
  known: CallRecord,
  batch: CallsObservation,
  changedAt: Instant,
): boolean =>
  record.recordedAt < known.recordedAt ||
  (record.recordedAt === known.recordedAt && batch.observedAt < changedAt);

function withRecord(record: CallRecord, call: PortCall, batch: CallsObservation): readonly CallRecord[] {
  const records = recordsIn(call, record.keepsEarlier);
  const at = records.findIndex((known) => !isBefore(record, known, batch, call.changedAt));
  return at < 0 ? [...records, record] : [...records.slice(0, at), record, ...records.slice(at)];
}

/** The call after a record: the known call where the record adds nothing; undefined when nothing is left of it. */
function recordedCall(
  record: CallRecord,
  before: PortCall | undefined,
  batch: CallsObservation,
): PortCall | undefined {
  if (before === undefined) return record.cancelled ? undefined : combinedCall([record], batch);
  const known = recordsIn(before, record.keepsEarlier);
  const later = known.filter((other) => isBefore(record, other, batch, before.changedAt));
  const isWhole = record.cancelled || record.keepsEarlier === undefined;
  if (isWhole && later.length === known.length) return before;
  const records = record.cancelled ? later : withRecord(record, before, batch);
  return !isWhole && isSameInAll(records, known) ? before : combinedCall(records, batch);
}

/** Calls in the window of the complete list that are missing from it. */
function withdrawnBy(
  { complete, missing = [], observedAt, records }: CallsObservation,
  known: Iterable<PortCall>,
): PortCall[] {
  if (complete === undefined) return [];
  const listed = new Set([...records.map(({ callId }) => callId), ...(complete.unreadable ?? [])]);
  return [...known].filter(({ callId, listedAt, recordedAt = complete.recordedAt, changedAt }) => {
    if (listedAt === undefined || listedAt < complete.fromAt || listedAt >= complete.toAt) return false;
    if (missing.some(({ fromAt, toAt }) => fromAt <= listedAt && listedAt < toAt)) return false;
    const isNewer = recordedAt > complete.recordedAt;
    const isLater = recordedAt === complete.recordedAt && changedAt > observedAt;
    return !listed.has(callId) && !isNewer && !isLater;
  });
}

/** An empty span is covered too: it is the first instant of a port. */
function coveredWith(
  { coverage }: Ledger,
  { coveredFromAt, observedAt, missing = [] }: CallsObservation,
): Coverage {
  const spans = withoutHoles({ fromAt: coveredFromAt, toAt: observedAt }, missing);
  // A list that reaches back less than it takes to be complete covers nothing.
  return spans.filter(({ fromAt, toAt }) => fromAt < toAt).reduce(addCoverage, coverage);
}

/** Applies the records to the calls and to the stamps of withdrawals, both by call id. */
function applyRecords(
  batch: CallsObservation,
  known: ReadonlyMap<string, PortCall>,
  recorded: Map<string, PortCall>,
  cancelled: Map<string, Instant>,
): void {
  for (const record of [...batch.records].sort((a, b) => a.recordedAt - b.recordedAt)) {
    const { callId, recordedAt } = record;
    const before = recorded.get(callId);
    if (recordedAt <= (cancelled.get(callId) ?? Number.NEGATIVE_INFINITY)) continue;
    const call = recordedCall(record, before, batch);
    if (record.cancelled || (call === undefined && before !== undefined)) cancelled.set(callId, recordedAt);
    // A call that is withdrawn and listed again in one batch has a row already.
    if (call !== undefined) recorded.set(callId, continued(call, before ?? known.get(callId)));
    else recorded.delete(callId);
  }
}

/** Applies a batch of records. Batches may come in any order; an outdated record changes nothing. */
export function readBatch(ledger: Ledger, batch: CallsObservation): Reading {
  const known = new Map([...ledger.calls.values()].flatMap(recordedCalls).map((call) => [call.callId, call]));
  const recorded = new Map(known);
  const cancelled = new Map(Object.entries(ledger.cancelled));
  applyRecords(batch, known, recorded, cancelled);
  const withdrawn = withdrawnBy(batch, known.values());
  for (const { callId } of withdrawn) {
    cancelled.set(callId, batch.complete?.recordedAt ?? batch.observedAt);
    recorded.delete(callId);
  }
  const calls = batch.arrivalsElsewhere === undefined ? recorded : groupVisits(recorded, batch);
  const lastObservedAt = Math.max(ledger.lastObservedAt ?? batch.observedAt, batch.observedAt);
  const lasting = [...cancelled].filter(([, at]) => at >= lastObservedAt - WITHDRAWAL_KEPT_MS);
  return {
    calls: [...calls.values()].filter((call) => call !== ledger.calls.get(call.callId)),
    removed: [...ledger.calls.values()].filter(({ callId }) => !calls.has(callId)),
    notices: withdrawn.map(({ port, callId }) => ({ reason: 'withdrawn-call', detail: `${port} ${callId}` })),
    clocks: {
      ...ledgerClocks(ledger),
      coverage: coveredWith(ledger, batch),
      lastObservedAt,
      cancelled: Object.fromEntries(lasting),
    },
  };
}

/** `call` under the key of its first record, with its arrival elsewhere if that still follows its events. */
function continued(call: PortCall, stored: PortCall | undefined): PortCall {
  if (stored === undefined) return call;
  const { firstAtaAt, elsewhereAt } = stored;
  const isOver = elsewhereAt !== undefined && call.atdAt === undefined && elsewhereAt > lastEventAt(call);
  return { ...call, firstAtaAt, elsewhereAt: isOver ? elsewhereAt : undefined };
}
