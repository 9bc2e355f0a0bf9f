/** Port calls from records with event times: each time of a call is that of the newest record that states it. */
import { groupBy } from '../reference/grouping.ts';
import { DAY_MS, earliestStated, type Instant, latestOf } from '../reference/time.ts';
import { addCoverage, type Coverage, withoutHoles } from './coverage.ts';
import { type Ledger, ledgerClocks, type Reading } from './ledger.ts';
import { type CallBatch, type CallRecord, foremostTraffic, type RecordedStop } from './observation.ts';
import { ended, type Leg, type PortCall } from './port-call.ts';
import { combinedCall, isSameInAll, recordsIn } from './record-merging.ts';
import { toPortCall } from './recorded-call.ts';

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
  batch: CallBatch,
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

function mergedCalls(calls: readonly PortCall[], batch: CallBatch): PortCall[] {
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
function mergedCall(calls: readonly PortCall[], batch: CallBatch): PortCall {
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
const isBefore = (record: CallRecord, known: CallRecord, batch: CallBatch, changedAt: Instant): boolean =>
  record.recordedAt < known.recordedAt ||
  (record.recordedAt === known.recordedAt && batch.observedAt < changedAt);

function withRecord(record: CallRecord, call: PortCall, batch: CallBatch): readonly CallRecord[] {
  const records = recordsIn(call, record.keepsEarlier);
  const at = records.findIndex((known) => !isBefore(record, known, batch, call.changedAt));
  return at < 0 ? [...records, record] : [...records.slice(0, at), record, ...records.slice(at)];
}

/** The call after a record: the known call where the record adds nothing; undefined when nothing is left of it. */
function recordedCall(
  record: CallRecord,
  before: PortCall | undefined,
  batch: CallBatch,
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
  { complete, missing = [], observedAt, records }: CallBatch,
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
function coveredWith({ coverage }: Ledger, { coveredFromAt, observedAt, missing = [] }: CallBatch): Coverage {
  const spans = withoutHoles({ fromAt: coveredFromAt, toAt: observedAt }, missing);
  // A list that reaches back less than it takes to be complete covers nothing.
  return spans.filter(({ fromAt, toAt }) => fromAt < toAt).reduce(addCoverage, coverage);
}

/** Applies the records to the calls and to the stamps of withdrawals, both by call id. */
function applyRecords(
  batch: CallBatch,
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
export function readBatch(ledger: Ledger, batch: CallBatch): Reading {
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
