/** A call from several records: each time is that of the newest record that states it. */
import { earliestStated, type Instant } from '../reference/time.ts';
import type { CallBatch, CallRecord, RecordedStop } from './observation.ts';
import type { PortCall } from './port-call.ts';
import { orderedStops, toPortCall } from './recorded-call.ts';

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
export const recordsIn = (call: PortCall, keepsEarlier: CallRecord['keepsEarlier']): readonly CallRecord[] =>
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
export const isSameInAll = (a: readonly CallRecord[], b: readonly CallRecord[]): boolean => {
  const [[first, ...more], [other, ...others]] = [a, b];
  if (first === undefined || other === undefined) return first === other;
  return isSameStatement(combined([first, ...more]).whole, combined([other, ...others]).whole);
};

/**
 * The call of records, newest first, with the records that its legs cannot reproduce; undefined when none has an event.
 */
export function combinedCall(
  [newest, ...earlier]: readonly CallRecord[],
  batch: Pick<CallBatch, 'port' | 'observedAt'>,
): PortCall | undefined {
  if (newest === undefined) return undefined;
  const { whole, used } = combined([newest, ...earlier]);
  const call = toPortCall(whole, batch);
  if (call === undefined || newest.keepsEarlier === undefined) return call;
  const isSaid = used.length === 1 && isSameStatement(recordFromCall(call, newest.keepsEarlier), newest);
  return isSaid ? call : { ...call, records: used };
}
