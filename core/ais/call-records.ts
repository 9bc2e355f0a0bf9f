/** The records of calls, and those that changed since the previous step. */
import { createHash } from 'node:crypto';
import type { CallRecord, RecordedStop, Traffic } from '../calls/observation.ts';
import type { Locode } from '../reference/locode.ts';
import { callsOf, type VesselCall } from './calls.ts';
import type { Vessel } from './engine.ts';
import { DEGREE } from './fix.ts';
import type { EngineParameters } from './parameters.ts';
import type { StayParts, VesselStay } from './stays.ts';
import { vesselIdentity } from './vessel-class.ts';

export interface PortRecord {
  readonly port: Locode;
  readonly record: CallRecord;
  /** Unix second at which the last stop ended, 0 while the vessel is there. */
  readonly ended: number;
}

/** Where the stay began, in degrees to two decimals: about a kilometre, so that the name of a place does not change with every fix. */
const placeOf = ({ firstLatitude, firstLongitude }: VesselStay): string =>
  `${(firstLatitude / DEGREE).toFixed(2)},${(firstLongitude / DEGREE).toFixed(2)}`;

/** Whether everything from the arrival to the first berth was observed. */
function isWaitKnown(stays: readonly VesselStay[]): boolean {
  const berth = stays.findIndex(({ kind }) => kind === 'berth');
  const before = berth < 0 ? stays : stays.slice(0, berth + 1);
  return before.every(
    ({ startKnown, heardArriving, endKnown, end }, index) =>
      startKnown && heardArriving && (endKnown || end === undefined || index === berth),
  );
}

const stopOf = (stay: VesselStay): RecordedStop => ({
  zone: stay.kind === 'wait' ? 'anchorage' : 'berth',
  place: placeOf(stay),
  ataAt: stay.start * 1000,
  ...(stay.startKnown ? {} : { startUnknown: true as const }),
  ...(stay.end === undefined ? {} : { atdAt: stay.end * 1000 }),
  ...(stay.end === undefined || stay.endKnown ? {} : { endUnknown: true as const }),
});

/** A planned berth, which keeps the call open when the vessel has left the anchorage. */
const PLANNED: RecordedStop = { zone: 'berth', place: '' };

function recordOf({ stays, traffic }: VesselCall, vessel: Vessel, time: number, sameCallSeconds: number) {
  const [first] = stays;
  const last = stays.at(-1) ?? first;
  const isUnderWay =
    last.kind === 'wait' && last.endKnown && last.end !== undefined && time - last.end <= sameCallSeconds;
  return {
    // The first slow fix: the time at which the stay began may be known better later.
    callId: `${vessel.mmsi}-${first.firstTime}`,
    vesselId: vesselIdentity(vessel.mmsi, vessel.imo),
    traffic,
    recordedAt: time * 1000,
    stops: [...stays.map(stopOf), ...(isUnderWay ? [PLANNED] : [])],
    ...(first.startKnown ? {} : { ataInferred: true as const }),
    ...(isWaitKnown(stays) ? {} : { waitKnown: false as const }),
  };
}

/** The calls of a vessel as they are known at `time`, in Unix seconds; none while its class is unknown. */
export const recordsOf = (vessel: Vessel, time: number, parts: StayParts): PortRecord[] =>
  vessel.tracks.flatMap((track) =>
    callsOf(vessel, track, time, parts).map((call) => ({
      port: call.port,
      record: recordOf(call, vessel, time, parts.parameters.sameCallSeconds),
      ended: call.stays.at(-1)?.end ?? 0,
    })),
  );

/** What is remembered of a published record: enough to know whether it has changed, and to withdraw it. */
export interface PublishedRecord {
  readonly port: Locode;
  readonly callId: string;
  readonly vesselId: string;
  readonly traffic: Traffic;
  readonly ended: number;
  readonly digest: string;
}

/** Published records by port and call. */
export type PublishedRecords = ReadonlyMap<string, PublishedRecord>;

const keyOf = (port: Locode, callId: string): string => `${port} ${callId}`;

/** Digest of a record without the time at which it was recorded. */
const digestOf = ({ recordedAt: _, ...content }: CallRecord): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);

export interface RecordChanges {
  readonly published: PublishedRecords;
  /** New and changed records, and withdrawals of those that no longer exist; ordered by port and call. */
  readonly changed: readonly { readonly port: Locode; readonly record: CallRecord }[];
}

/**
 * The records that differ from `before`. A record that is gone is withdrawn, unless its call ended more than
 * `settledSeconds` ago: such a call stays where it was published, also where its stays would now be another port's.
 */
export function changedRecords(
  before: PublishedRecords,
  records: Iterable<PortRecord>,
  time: number,
  { settledSeconds }: EngineParameters,
): RecordChanges {
  const published = new Map<string, PublishedRecord>();
  const changed = new Map<string, { readonly port: Locode; readonly record: CallRecord }>();
  const isSettled = ({ ended }: PublishedRecord): boolean => ended !== 0 && time - ended > settledSeconds;
  const settled = new Map([...before.values()].filter(isSettled).map((one) => [one.callId, one]));
  for (const { port, record, ended } of records) {
    const key = keyOf(port, record.callId);
    const known = settled.get(record.callId);
    if (known !== undefined && known.port !== port) {
      published.set(keyOf(known.port, known.callId), known);
      continue;
    }
    const digest = digestOf(record);
    const { callId, vesselId, traffic } = record;
    published.set(key, { port, callId, vesselId, traffic, ended, digest });
    if (before.get(key)?.digest !== digest) changed.set(key, { port, record });
  }
  for (const [key, one] of before) {
    if (published.has(key) || isSettled(one)) continue;
    const { port, callId, vesselId, traffic } = one;
    const record = { callId, vesselId, traffic, recordedAt: time * 1000, stops: [], cancelled: true };
    changed.set(key, { port, record });
  }
  const inOrder = [...changed].sort(([a], [b]) => (a < b ? -1 : 1));
  return { published, changed: inOrder.map(([, one]) => one) };
}
