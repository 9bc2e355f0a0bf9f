/** What an upstream would publish about a simulated call at an instant: only its events up to then. */
import type { CallRecord } from '../../calls/observation.ts';
import type { Instant, Interval } from '../../reference/time.ts';
import { eventTimes, type SimulatedCall } from './simulated-call.ts';

/** The record at `at`, with the current stop open; undefined before the vessel has arrived. */
export function callRecordAt(call: SimulatedCall, at: Instant): CallRecord | undefined {
  const recordedAt = eventTimes(call).findLast((eventAt) => eventAt <= at);
  if (recordedAt === undefined) return undefined;
  return {
    callId: call.callId,
    vesselId: call.vesselId,
    traffic: call.traffic,
    recordedAt,
    ataAt: call.ataAt,
    ...(call.atdAt <= at && { atdAt: call.atdAt }),
    stops: call.legs
      .filter((leg) => leg.startAt <= at)
      .map((leg) => ({
        zone: leg.zone,
        place: leg.place,
        ataAt: leg.startAt,
        ...(leg.endAt <= at && { atdAt: leg.endAt }),
      })),
  };
}

/** Whether the call has an event in (`fromAt`, `toAt`]. */
export const changedIn = (call: SimulatedCall, span: Interval): boolean =>
  eventTimes(call).some((eventAt) => span.fromAt < eventAt && eventAt <= span.toAt);

/** Whether the vessel was in port at `at`. */
export const inPortAt = (call: SimulatedCall, at: Instant): boolean => call.ataAt <= at && at < call.atdAt;
