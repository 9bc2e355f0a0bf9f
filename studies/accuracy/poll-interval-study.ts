/** Accuracy by poll interval: on simulated ports against the truth, on Hong Kong's real polls against all polls. */
import { readdirSync, readFileSync } from 'node:fs';
import type { PortPoll, PortReport } from '../../core/calls/observation.ts';
import { closedStays, type PortCall } from '../../core/calls/port-call.ts';
import { occupancyAt } from '../../core/metrics/occupancy.ts';
import { HOUR_MS, type Instant, MINUTE_MS, parseInstant } from '../../core/reference/time.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { mean } from '../../test/detector/scoring.ts';
import {
  estimatorOnTruth,
  LEAD_DAYS,
  replay,
  servedSeries,
  type TrueWorld,
} from '../../test/worlds/ground-truth.ts';
import { makePolls } from '../../test/worlds/simulated-polls.ts';

export interface SimulatedCost {
  /** Of served `avg_wait_hours` against the estimator on the true calls, over all days. */
  readonly largestErrorHours: number;
  readonly meanErrorHours: number;
  /** Largest change of a count from one poll to the next in 99 of 100 cases: its error just before a poll. */
  readonly inPortDrift: number;
  readonly atAnchorDrift: number;
}

/** The 99th percentile of the steps between neighbours, a count that occurs. */
function usualStep(counts: readonly number[]): number {
  const steps = counts.slice(1).map((count, i) => Math.abs(count - (counts[i] ?? count)));
  return steps.toSorted((a, b) => a - b)[Math.ceil(0.99 * steps.length) - 1] ?? 0;
}

const atAnchorIn = ({ inPort = [] }: PortPoll): number =>
  inPort.filter(({ zone }) => zone === 'anchorage').length;

export function simulatedCost(world: TrueWorld, everyMinutes: number): SimulatedCost {
  const polls = makePolls(world.truth, world.span, { everyMinutes, seed: 1 });
  const errors = servedSeries(world, polls)
    .slice(LEAD_DAYS, -1)
    .map(({ avgWaitHours, day }) =>
      Math.abs((avgWaitHours ?? Number.NaN) - (estimatorOnTruth(world.truth, day) ?? 0)),
    );
  return {
    largestErrorHours: Math.max(...errors),
    meanErrorHours: mean(errors),
    inPortDrift: usualStep(polls.map(({ inPort = [] }) => inPort.length)),
    atAnchorDrift: usualStep(polls.map(atAnchorIn)),
  };
}

/** The recorded polls of Hong Kong on 4 October 2025, oldest first. `recordings` is their root. */
export function hongKongPolls(recordings: string): PortReport[] {
  const folder = `${recordings}/hk-marine-department`;
  const stamps = readdirSync(folder).filter((name) => name.startsWith('20251004'));
  return stamps.toSorted().flatMap((stamp) => {
    const time = stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
    const fetchedAt = parseInstant(time);
    if (fetchedAt === undefined) throw new RangeError(`${stamp} is not a time`);
    const names = readdirSync(`${folder}/${stamp}`);
    const files = new Map(
      names.map((name) => [name, new Uint8Array(readFileSync(`${folder}/${stamp}/${name}`))]),
    );
    return hkMarineDepartment.parse({ fetchedAt, files }).reports.filter((report) => report.kind === 'poll');
  });
}

/** The first poll, the last one, and between them those that are at least `minutes` after the one before. */
function thinned(polls: readonly PortReport[], minutes: number): PortReport[] {
  let lastAt = Number.NEGATIVE_INFINITY;
  return polls.filter(({ observedAt }, i) => {
    const wanted = observedAt - lastAt >= minutes * MINUTE_MS || i === polls.length - 1;
    if (wanted) lastAt = observedAt;
    return wanted;
  });
}

export interface RealCost {
  readonly polls: number;
  /** Longest time between two of them, in minutes. */
  readonly longestMinutes: number;
  /** Ended stays with all polls, how many are found again, and how far their hours differ. */
  readonly stays: number;
  readonly found: number;
  readonly meanErrorHours: number;
  readonly largestErrorHours: number;
  /** Difference of the counts at the last poll. */
  readonly inPortError: number;
  readonly atAnchorError: number;
}

/** Hours of the ended stays, by vessel, kind and order within the call. */
function stays(calls: ReadonlyMap<string, PortCall>): Map<string, number> {
  const hours = new Map<string, number>();
  for (const call of calls.values())
    closedStays(call).forEach(({ kind, startAt, endAt }, i) => {
      hours.set(`${call.vesselId} ${call.ataAt} ${kind} ${i}`, (endAt - startAt) / HOUR_MS);
    });
  return hours;
}

/** The error when only polls at least `minutes` apart are read. */
export function hongKongCost(polls: readonly PortReport[], minutes: number): RealCost {
  const read = thinned(polls, minutes);
  const lastAt: Instant = polls.at(-1)?.observedAt ?? 0;
  const [all, some] = [replay(polls), replay(read)];
  const [truth, got] = [stays(all.calls), stays(some.calls)];
  const errors = [...truth].flatMap(([stay, hours]) => {
    const other = got.get(stay);
    return other === undefined ? [] : [Math.abs(other - hours)];
  });
  const [now, then] = [
    occupancyAt(all.ledger.calls.values(), lastAt),
    occupancyAt(some.ledger.calls.values(), lastAt),
  ];
  const gaps = read.slice(1).map(({ observedAt }, i) => observedAt - (read[i]?.observedAt ?? observedAt));
  return {
    polls: read.length,
    longestMinutes: Math.max(...gaps) / MINUTE_MS,
    stays: truth.size,
    found: errors.length,
    meanErrorHours: mean(errors),
    largestErrorHours: Math.max(0, ...errors),
    inPortError: Math.abs(now.inPort - then.inPort),
    atAnchorError: Math.abs(now.atAnchor - then.atAnchor),
  };
}
