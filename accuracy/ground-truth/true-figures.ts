/** The truth about a simulated port at an instant and over a span, with which estimates are compared. */
import type { PortCall } from '../../core/calls/port-call.ts';
import { HOUR_MS, hoursBetween, type Instant, type Interval } from '../../core/reference/time.ts';
import { legAt, type SimulatedCall } from '../../core/sources/sample-simulator/simulated-call.ts';

/** Vessels in port, at anchor, alongside or moving, at `at`. */
export const inPortCount = (truth: readonly SimulatedCall[], at: Instant): number =>
  truth.filter((call) => legAt(call, at) !== undefined).length;

/** Vessels at anchor at `at`. */
export const atAnchorCount = (truth: readonly SimulatedCall[], at: Instant): number =>
  truth.filter((call) => legAt(call, at)?.zone === 'anchorage').length;

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

/** The three figures of Little's law, L = lambda W, for waits before the first berth. */
export interface QueueFigures {
  /** L: vessels waiting, mean over time. */
  readonly meanWaiting: number;
  /** Lambda: arrivals an hour. */
  readonly arrivalsPerHour: number;
  /** W: mean hours waited by vessels that arrived in the span, zeros included. */
  readonly meanWaitHours: number;
}

/** Figures of `span`, each counted independently. */
export function queueFigures(truth: readonly SimulatedCall[], span: Interval): QueueFigures {
  const hours = hoursBetween(span.fromAt, span.toAt);
  const arrived = truth.filter((call) => span.fromAt <= call.ataAt && call.ataAt < span.toAt);
  const waitedMs = truth
    .flatMap((call) => call.legs.filter((leg) => leg.zone === 'anchorage' && leg.startAt < call.atbAt))
    .map((leg) => Math.min(leg.endAt, span.toAt) - Math.max(leg.startAt, span.fromAt))
    .reduce((sum, ms) => sum + Math.max(0, ms), 0);
  return {
    meanWaiting: waitedMs / HOUR_MS / hours,
    arrivalsPerHour: arrived.length / hours,
    meanWaitHours: arrived.reduce((sum, call) => sum + call.waitHours, 0) / Math.max(1, arrived.length),
  };
}
