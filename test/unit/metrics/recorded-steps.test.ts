/** Recorded polls: no single event moves the snapshot of a port by as much as a change-point alert observations. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { PortObservation } from '../../../core/calls/observation.ts';
import { MAX_POLL_GAP_MS, openLedger, type PortCall } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { ALERT_RULES } from '../../../core/metrics/alert-rules.ts';
import type { Snapshot } from '../../../core/metrics/figures.ts';
import { snapshotAt } from '../../../core/metrics/snapshot.ts';
import { addDays, dayOf, formatInstant, HOUR_MS } from '../../../core/reference/time.ts';
import { loadSource } from '../../../core/sources/load-sources.ts';
import { extent } from '../../builders/extent.ts';
import { RECORDINGS, recordedFetches } from '../../builders/recordings.ts';

const MAX_HOURS = ALERT_RULES.avg_wait_hours.minChange;
const MAX_SCORE = ALERT_RULES.congestion_score.minChange;

/** Every recorded observation of a port, by source and port, oldest first. */
async function recordedObservations(): Promise<Map<string, PortObservation[]>> {
  const observations = new Map<string, PortObservation[]>();
  for (const id of readdirSync(RECORDINGS)) {
    const source = await loadSource(id);
    if (source === undefined) continue;
    const parsed = recordedFetches(id).flatMap((fetched) => source.parse(fetched).observations);
    for (const observation of parsed) {
      if (observation.kind === 'trade') continue;
      const name = `${id} ${observation.port}`;
      observations.set(name, [...(observations.get(name) ?? []), observation]);
    }
  }
  return observations;
}

interface Step {
  readonly at: string;
  readonly cause: string;
  readonly hours: number;
  readonly score: number;
}

const between = (cause: string, before: Snapshot, after: Snapshot): Step => ({
  at: formatInstant(after.asOfAt),
  cause,
  hours: Math.abs(after.avgWaitHours - before.avgWaitHours),
  score: Math.abs(after.congestionScore - before.congestionScore),
});

/**
 * Applies the observations from nothing. One step for every call that an observation changes, one for the time since the observation
 * before. An observation more than four hours after the one before, like the first, shows what happened in between all at
 * once; its calls are applied and not judged.
 */
function stepsOf(observations: readonly PortObservation[]): {
  polls: number;
  events: Step[];
  agings: Step[];
} {
  const events: Step[] = [];
  const agings: Step[] = [];
  let polls = 0;
  let ledger = openLedger();
  let shown: Snapshot | undefined;
  for (const observation of observations) {
    const calls = new Map<string, PortCall>(ledger.calls);
    const applied = applyObservation(ledger, observation);
    const take = (): Snapshot =>
      snapshotAt({
        asOfAt: observation.observedAt,
        calls: calls.values(),
        coverage: applied.ledger.coverage,
      });
    let before = take();
    const passed = observation.observedAt - (shown?.asOfAt ?? Number.NEGATIVE_INFINITY);
    const isNear = passed <= MAX_POLL_GAP_MS;
    if (shown !== undefined && isNear) {
      polls += 1;
      agings.push(between(`${passed / HOUR_MS} h`, shown, before));
    }
    for (const call of [...applied.changed, ...applied.removed]) {
      if (applied.removed.includes(call)) calls.delete(call.callId);
      else calls.set(call.callId, call);
      const after = take();
      if (isNear) events.push(between(call.vesselId, before, after));
      before = after;
    }
    ledger = applied.ledger;
    shown = before;
  }
  return { polls, events, agings };
}

/** The observations from one day on: what a service sees that is first started on it. */
const since = (observations: readonly PortObservation[], day: string): readonly PortObservation[] =>
  observations.filter(({ observedAt }) => dayOf(observedAt) >= day);

/** Every day, or those before which nothing was recorded. */
const startsOf = (observations: readonly PortObservation[]): string[] =>
  [...new Set(observations.map(({ observedAt }) => dayOf(observedAt)))].filter((day, index, days) =>
    extent(days[index - 1] !== addDays(day, -1), true),
  );

const recorded = [...(await recordedObservations())].flatMap(([port, observations]) =>
  startsOf(observations).map((day) => ({ port, day, ...stepsOf(since(observations, day)) })),
);

it('reads every poll of the recordings', () => {
  const polls = new Map(recorded.map(({ port, day, polls }) => [`${port} ${day}`, polls]));
  expect(polls.get('hk-marine-department HKHKG 2025-08-17')).toBe(54);
  expect(polls.get('hk-marine-department HKHKG 2025-10-04')).toBe(53);
});

describe.each(recorded)('$port, started on $day', ({ events, agings }) => {
  it('no single event moves the average wait by 6 h or the score by 0.05', () => {
    expect([MAX_HOURS, MAX_SCORE]).toEqual([6, 0.05]);
    expect(events.filter(({ hours, score }) => hours >= MAX_HOURS || score >= MAX_SCORE)).toEqual([]);
  });

  it('the time between two polls moves neither by that much', () => {
    expect(agings.filter(({ hours, score }) => hours >= MAX_HOURS || score >= MAX_SCORE)).toEqual([]);
  });
});
