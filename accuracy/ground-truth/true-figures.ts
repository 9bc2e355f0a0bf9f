/** The truth about a simulated port at an instant and over a span, with which estimates are compared. */
import type { PortCall } from '../../core/calls/port-call.ts';
import type { Instant } from '../../core/reference/time.ts';
import { legAt, type SimulatedCall } from '../../core/sources/sample-simulator/simulated-call.ts';

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
