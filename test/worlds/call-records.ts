/** A simulated call as an upstream would publish it at an instant: only its events up to then. */
import type { CallRecord, VesselClass } from '../../core/calls/observation.ts';
import type { Instant, Interval } from '../../core/reference/time.ts';
import { eventTimes, type SimulatedCall } from './simulated-call.ts';

/** Half of the sample's cargo vessels carry containers, two in ten each bulk and liquids. */
const FLEET: readonly VesselClass[] = [
  ...Array<VesselClass>(5).fill('container'),
  ...Array<VesselClass>(2).fill('bulk'),
  ...Array<VesselClass>(2).fill('tanker'),
];

/** The class of a vessel, from the last digit of its number. */
const readVesselClass = (vesselId: string): VesselClass => FLEET[Number(vesselId.at(-1))] ?? 'other';

/** The record at `at`, with the current stop open; undefined before the vessel has arrived. */
export function callRecordAt(call: SimulatedCall, at: Instant): CallRecord | undefined {
  const recordedAt = eventTimes(call).findLast((eventAt) => eventAt <= at);
  if (recordedAt === undefined) return undefined;
  return {
    callId: call.callId,
    vesselId: call.vesselId,
    traffic: call.traffic,
    vesselClass: call.traffic === 'cargo' ? readVesselClass(call.vesselId) : undefined,
    recordedAt,
    ataAt: call.ataAt,
    atdAt: call.atdAt <= at ? call.atdAt : undefined,
    stops: call.legs
      .filter((leg) => leg.startAt <= at)
      .map((leg) => ({
        zone: leg.zone,
        place: leg.place,
        ataAt: leg.startAt,
        atdAt: leg.endAt <= at ? leg.endAt : undefined,
      })),
  };
}

/** Whether the call has an event in (`fromAt`, `toAt`]. */
export const changedIn = (call: SimulatedCall, span: Interval): boolean =>
  eventTimes(call).some((eventAt) => span.fromAt < eventAt && eventAt <= span.toAt);
