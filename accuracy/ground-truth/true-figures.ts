/** The truth about a simulated port at an instant and over a span, with which estimates are compared. */
import type { PortCall } from '../../core/calls/port-call.ts';
import { DAY_MS, type Day, type Instant, startOfDay } from '../../core/reference/time.ts';
import { legAt, type SimulatedCall } from '../../core/sources/sample-simulator/simulated-call.ts';
import { mean } from '../scoring.ts';

// Averages of true waits, computed from the simulated calls without any code of the service.

/** True waits in hours of the cargo calls that berthed in the `days` days that end with `day`. */
function waitsBerthed(truth: readonly SimulatedCall[], day: Day, days: number): number[] {
  const toAt = startOfDay(day) + DAY_MS;
  return truth
    .filter(({ traffic, atbAt }) => traffic === 'cargo' && atbAt < toAt && atbAt >= toAt - days * DAY_MS)
    .map(({ waitHours }) => waitHours);
}

/** A second implementation of the served estimator: plain mean of the shortest window of 7, 14, 28 days with three. */
export function estimatorOnTruth(truth: readonly SimulatedCall[], day: Day): number | undefined {
  const waits = [7, 14, 28].map((days) => waitsBerthed(truth, day, days)).find((found) => found.length >= 3);
  return waits && mean(waits);
}

/** Plain mean of the true waits of the vessels that berthed in the seven days. */
export const meanBerthed = (truth: readonly SimulatedCall[], day: Day): number =>
  mean(waitsBerthed(truth, day, 7));

/** Plain mean of the true waits, which are known only later, of the cargo calls that arrived in the seven days. */
export function meanArrived(truth: readonly SimulatedCall[], day: Day): number {
  const toAt = startOfDay(day) + DAY_MS;
  return mean(
    truth
      .filter(({ traffic, ataAt }) => traffic === 'cargo' && ataAt < toAt && ataAt >= toAt - 7 * DAY_MS)
      .map(({ waitHours }) => waitHours),
  );
}

/** Cargo vessels in port, at anchor, alongside or moving, at `at`; ferries count in no figure. */
export const inPortCount = (truth: readonly SimulatedCall[], at: Instant): number =>
  truth.filter((call) => call.traffic === 'cargo' && legAt(call, at) !== undefined).length;

/** Cargo vessels at anchor at `at`. */
export const atAnchorCount = (truth: readonly SimulatedCall[], at: Instant): number =>
  truth.filter((call) => call.traffic === 'cargo' && legAt(call, at)?.zone === 'anchorage').length;

/** The call as `core/calls` would reconstruct it if every event had been observed. */
export const truePortCall = (call: SimulatedCall): PortCall => ({
  callId: call.callId,
  port: call.port,
  vesselId: call.vesselId,
  traffic: call.traffic,
  ataAt: call.ataAt,
  atdAt: call.atdAt,
  legs: call.legs,
  waitKnown: true,
  firstAtaAt: call.ataAt,
  changedAt: call.atdAt,
});
