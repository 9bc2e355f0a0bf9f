/** Short port stories for tests: polls and records in minutes from a fixed beginning, and calls as one-line texts. */

import type {
  CallRecord,
  CallsObservation,
  PollObservation,
  PortObservation,
  RecordedStop,
  Traffic,
  VesselArrived,
  VesselDeparted,
  VesselInPort,
  Zone,
} from '../../core/calls/observation.ts';
import { type Ledger, openLedger, type PortCall } from '../../core/calls/port-call.ts';
import { applyObservation } from '../../core/calls/reconstruct.ts';
import { type Instant, MINUTE_MS } from '../../core/reference/time.ts';

const START: Instant = Date.UTC(2026, 0, 5);
export const minute = (minutes: number): Instant => START + minutes * MINUTE_MS;

const PLACES: Readonly<Record<string, Zone>> = {
  ANCH: 'anchorage',
  ANCH2: 'anchorage',
  SEA: 'moving',
  PILOT: 'moving',
};
/** `ANCH` and `ANCH2` are anchorages, `SEA` and `PILOT` fairways, every other name is a berth. */
export const at = (place: string): { zone: Zone; place: string } => ({
  zone: PLACES[place] ?? 'berth',
  place,
});

export const inPort = (vesselId: string, ata: number, place: string, traffic?: Traffic): VesselInPort => ({
  vesselId,
  ataAt: minute(ata),
  ...at(place),
  ...(traffic && { traffic }),
});
export const arrived = (vesselId: string, ata: number, place: string, departed = false): VesselArrived => ({
  ...inPort(vesselId, ata, place),
  departed,
});
export const departed = (vesselId: string, atd: number, place: string): VesselDeparted => ({
  vesselId,
  atdAt: minute(atd),
  ...at(place),
});

/** A poll with the lists given. */
export const poll = (
  minutes: number,
  lists: Omit<PollObservation, 'kind' | 'port' | 'observedAt'>,
): PollObservation => ({
  kind: 'poll',
  port: 'HKHKG',
  observedAt: minute(minutes),
  ...lists,
});

/** The first poll of most tests, at minute 0: no vessel is in port. */
export const emptyPort = poll(0, { inPort: [] });

/** A poll whose in-port list has one vessel, V, which arrived at minute 10. */
export const listing = (minutes: number, place: string): PollObservation =>
  poll(minutes, { inPort: [inPort('V', 10, place)] });

/** One place of a recorded call. */
export const stop = (place: string, ata?: number, atd?: number): RecordedStop => ({
  ...at(place),
  ...(ata !== undefined && { ataAt: minute(ata) }),
  ...(atd !== undefined && { atdAt: minute(atd) }),
});

/** A record of the call c1 of the vessel V, recorded at minute 0. */
export const record = (stops: readonly RecordedStop[], more: Partial<CallRecord> = {}): CallRecord => ({
  callId: 'c1',
  vesselId: 'V',
  traffic: 'cargo',
  recordedAt: minute(0),
  stops,
  ...more,
});

/** A batch that covers the 100 minutes before it. */
export const batch = (records: readonly CallRecord[], observed = 1000): CallsObservation => ({
  kind: 'call-batch',
  port: 'FIRAU',
  observedAt: minute(observed),
  coveredFromAt: minute(observed - 100),
  records,
});

/** The ledger after the observations. */
export const ledgerAfter = (...observations: readonly PortObservation[]): Ledger =>
  observations.reduce((ledger, observation) => applyObservation(ledger, observation).ledger, openLedger());

const minutesOf = (when: Instant): number => (when - START) / MINUTE_MS;

/** `ANCH 0-90, BERTH 90-`: each leg with its minutes; `~` marks an inferred leg, `?` a time that is not known. */
export const legsText = (call: PortCall | undefined): string =>
  (call?.legs ?? [])
    .map(({ place, startAt, endAt, inferred, startUnknown, endUnknown }) => {
      const start = `${startUnknown ? '?' : ''}${minutesOf(startAt)}`;
      const end = endAt === undefined ? '' : `${endUnknown ? '?' : ''}${minutesOf(endAt)}`;
      return `${inferred ? '~' : ''}${place} ${start}-${end}`;
    })
    .join(', ');

/** `0-480`: ATA and ATD in minutes; `~` marks an inferred one. */
export const spanText = (call: PortCall | undefined): string => {
  if (call === undefined) return 'no call';
  const ata = `${call.ataInferred ? '~' : ''}${minutesOf(call.ataAt)}`;
  const atd = call.atdAt === undefined ? '' : `${call.atdInferred ? '~' : ''}${minutesOf(call.atdAt)}`;
  return `${ata}-${atd}`;
};

/** The vessel's calls, oldest first. */
export const callsOf = (ledger: Ledger, vesselId: string): PortCall[] =>
  [...ledger.calls.values()].filter((call) => call.vesselId === vesselId).sort((a, b) => a.ataAt - b.ataAt);

/** The vessel's only call. */
export function onlyCall(ledger: Ledger, vesselId: string): PortCall {
  const [call, ...others] = callsOf(ledger, vesselId);
  if (call === undefined || others.length > 0)
    throw new Error(`${vesselId} has ${others.length + (call ? 1 : 0)} calls`);
  return call;
}
