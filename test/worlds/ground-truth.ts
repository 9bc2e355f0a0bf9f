/** Compares the service's figures for a simulated port, by event records and by polls, with the truth. */

import type { CallsObservation, PortObservation } from '../../core/calls/observation.ts';
import {
  closedStays,
  type Ledger,
  openLedger,
  type PortCall,
  type StayKind,
} from '../../core/calls/port-call.ts';
import { applyObservation } from '../../core/calls/reconstruct.ts';
import { dailySeries, occupancyAt } from '../../core/metrics/day-figures.ts';
import type { DayFigures } from '../../core/metrics/figures.ts';
import type { Locode } from '../../core/reference/codes.ts';
import {
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  hoursBetween,
  type Instant,
  type Interval,
  startOfDay,
} from '../../core/reference/time.ts';
import { mean } from '../detector/scoring.ts';
import { callRecordAt, changedIn } from './call-records.ts';
import type { Scenario } from './scenario.ts';
import { simulatePort } from './simulate-port.ts';
import { legAt, type SimulatedCall } from './simulated-call.ts';

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

/** Cargo vessels in port, at anchor, alongside or moving, at `at`; ferries count in no figure. */
const inPortCount = (truth: readonly SimulatedCall[], at: Instant): number =>
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

/** The simulation of a study: a port, a scenario and whole days. */
export interface World {
  readonly port: Locode;
  readonly firstDay: Day;
  readonly days: number;
  readonly seed: number;
  readonly scenario: Scenario;
}

export interface TrueWorld {
  readonly truth: readonly SimulatedCall[];
  readonly span: Interval;
  readonly days: readonly Day[];
}

/** Days before a 28-day window lies completely within the study. */
export const LEAD_DAYS = 28;

export function simulateWorld({ port, firstDay, days, seed, scenario }: World): TrueWorld {
  const fromAt = startOfDay(firstDay);
  const toAt = fromAt + days * DAY_MS;
  const truth = simulatePort(port, fromAt, toAt, seed, scenario);
  return { truth, span: { fromAt, toAt }, days: daysBetween(firstDay, dayOf(toAt - 1)) };
}

/** Every event as records, one batch for each day, as a source that states event times would publish them. */
export function callBatches({ truth, span }: TrueWorld): CallsObservation[] {
  const [first] = truth;
  if (first === undefined) return [];
  return daysBetween(dayOf(span.fromAt), dayOf(span.toAt - 1)).map((day) => {
    const observedAt = startOfDay(day) + DAY_MS;
    const since = { fromAt: day === dayOf(span.fromAt) ? 0 : startOfDay(day), toAt: observedAt };
    const records = truth
      .filter((call) => changedIn(call, since))
      .flatMap((call) => callRecordAt(call, observedAt) ?? []);
    return { kind: 'call-batch', port: first.port, observedAt, coveredFromAt: startOfDay(day), records };
  });
}

/** The ledger after all observations; `onObservation` gets the ledger after each. It also returns calls that have left the ledger. */
export function replay(
  observations: Iterable<PortObservation>,
  onObservation: (
    observation: PortObservation,
    calls: ReadonlyMap<string, PortCall>,
    ledger: Ledger,
  ) => void = () => {},
): { ledger: Ledger; calls: ReadonlyMap<string, PortCall> } {
  const calls = new Map<string, PortCall>();
  let ledger = openLedger();
  for (const observation of observations) {
    const applied = applyObservation(ledger, observation);
    ledger = applied.ledger;
    for (const call of applied.changed) calls.set(call.callId, call);
    for (const call of applied.removed) calls.delete(call.callId);
    onObservation(observation, calls, ledger);
  }
  return { ledger, calls };
}

/** Day figures of a simulation as the service serves them after these observations. */
export function servedSeries(world: TrueWorld, observations: readonly PortObservation[]): DayFigures[] {
  const { ledger, calls } = replay(observations);
  const asOfAt = ledger.lastObservedAt ?? world.span.toAt;
  return dailySeries({ days: world.days, calls: calls.values(), coverage: ledger.coverage, asOfAt });
}

/** Instants of polls at which `at_anchor` or `in_port` differ from the truth. */
export function wrongCounts({ truth }: TrueWorld, polls: readonly PortObservation[]): Instant[] {
  const wrong: Instant[] = [];
  replay(polls, ({ observedAt }, _calls, ledger) => {
    const { inPort, atAnchor } = occupancyAt(ledger.calls.values(), observedAt);
    const right = inPort === inPortCount(truth, observedAt) && atAnchor === atAnchorCount(truth, observedAt);
    if (!right) wrong.push(observedAt);
  });
  return wrong;
}

interface StayScore {
  /** True stays of the span, and how many were found: a reconstructed stay of the same kind covers most of their time. */
  readonly stays: number;
  readonly found: number;
  /** Reconstructed stays, and how many of them a true stay of their kind confirms. */
  readonly reconstructed: number;
  readonly confirmed: number;
}

interface VesselStay extends Interval {
  readonly vesselId: string;
  readonly kind: StayKind;
}

/** Share of `stay` that the best of the others of the same vessel and kind covers, both ways. */
const likeness = (stay: VesselStay, others: readonly VesselStay[]): number =>
  Math.max(
    0,
    ...others
      .filter(({ kind }) => kind === stay.kind)
      .map((other) => {
        const common = Math.min(stay.toAt, other.toAt) - Math.max(stay.fromAt, other.fromAt);
        const either = Math.max(stay.toAt, other.toAt) - Math.min(stay.fromAt, other.fromAt);
        return common / either;
      }),
  );

/** Two stays match when their overlap is more than half of their union. */
const ALIKE = 0.5;

/** Compares stays that lie within the span, less a day at either end. */
export function scoreStays({ truth, span }: TrueWorld, calls: Iterable<PortCall>): StayScore {
  const inside = ({ fromAt, toAt }: Interval): boolean =>
    fromAt >= span.fromAt + DAY_MS && toAt <= span.toAt - DAY_MS;
  const trueStays = truth.flatMap(({ vesselId, legs }) =>
    legs.flatMap(({ zone, startAt, endAt }): VesselStay[] => {
      if (zone === 'moving') return [];
      return [{ vesselId, kind: zone === 'anchorage' ? 'wait' : 'berth', fromAt: startAt, toAt: endAt }];
    }),
  );
  const reconstructedStays = Array.from(calls).flatMap((call) =>
    closedStays(call).map(
      ({ kind, startAt, endAt }): VesselStay => ({
        vesselId: call.vesselId,
        kind,
        fromAt: startAt,
        toAt: endAt,
      }),
    ),
  );
  const alike = (stays: readonly VesselStay[], others: readonly VesselStay[]): number => {
    const known = new Map<string, VesselStay[]>();
    for (const other of others) known.set(other.vesselId, [...(known.get(other.vesselId) ?? []), other]);
    return stays.filter((stay) => likeness(stay, known.get(stay.vesselId) ?? []) > ALIKE).length;
  };
  const stays = trueStays.filter(inside);
  const reconstructed = reconstructedStays.filter(inside);
  return {
    stays: stays.length,
    found: alike(stays, reconstructedStays),
    reconstructed: reconstructed.length,
    confirmed: alike(reconstructed, trueStays),
  };
}

interface LittleCheck {
  /** Mean of the served daily mean of vessels at anchor over arrivals an hour, in hours. */
  readonly queueOverArrivals: number;
  /** Mean of the served average wait, in hours. */
  readonly wait: number;
}

/** Little's law, L = lambda W, on the served figures of the days after the lead. */
export function checkLittle(world: TrueWorld, served: readonly DayFigures[]): LittleCheck {
  const rows = served.slice(LEAD_DAYS);
  const fromAt = world.span.fromAt + LEAD_DAYS * DAY_MS;
  const arrivals = world.truth.filter(({ ataAt }) => ataAt >= fromAt && ataAt < world.span.toAt).length;
  const perHour = arrivals / hoursBetween(fromAt, world.span.toAt);
  const known = (values: readonly (number | undefined)[]): number =>
    mean(values.filter((value) => value !== undefined));
  return {
    queueOverArrivals: known(rows.map((row) => row.dayAtAnchor)) / perHour,
    wait: known(rows.map((row) => row.avgWaitHours)),
  };
}
