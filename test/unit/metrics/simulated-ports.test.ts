/** Served figures against the simulator's truth, by event records and by polls. */
import { describe, expect, it } from '@jest/globals';
import type { DayFigures } from '../../../core/metrics/figures.ts';
import { extent, longIt } from '../../builders/extent.ts';
import { mean } from '../../detector/scoring.ts';
import {
  callBatches,
  checkLittle,
  estimatorOnTruth,
  LEAD_DAYS,
  replay,
  scoreStays,
  servedSeries,
  simulateWorld,
  wrongCounts,
} from '../../worlds/ground-truth.ts';
import { BUILD_UP_AND_CLEAR, STEADY } from '../../worlds/scenario.ts';
import { makePolls } from '../../worlds/simulated-polls.ts';

const DAYS = extent(38, 45);
const WORLDS = [
  { port: 'USLAX', firstDay: '2026-01-05', days: DAYS, seed: 5, scenario: BUILD_UP_AND_CLEAR },
  { port: 'NLRTM', firstDay: '2026-01-05', days: DAYS, seed: 6, scenario: STEADY },
] as const;
const POLL_MINUTES = extent(60, 20);
/** What rounding to one decimal may add. */
const ROUNDING = 0.05 + 1e-9;

/** Days with every window inside the world; the last day of polls is still running. */
const whole = (rows: readonly DayFigures[]): readonly DayFigures[] => rows.slice(LEAD_DAYS, -1);
const known = (value: number | undefined): number => value ?? Number.NaN;

describe.each(extent(WORLDS.slice(0, 1), [...WORLDS]))('$port', (world) => {
  const { truth, span, days } = simulateWorld(world);
  const simulated = { truth, span, days };
  const polls = makePolls(truth, span, { everyMinutes: POLL_MINUTES, seed: 1 });

  it('serves the average wait of the true calls when every event is known', () => {
    const rows = whole(servedSeries(simulated, callBatches(simulated)));
    expect(rows).toHaveLength(DAYS - LEAD_DAYS - 1);
    for (const row of rows) {
      expect(Math.abs(known(row.avgWaitHours) - known(estimatorOnTruth(truth, row.day)))).toBeLessThanOrEqual(
        ROUNDING,
      );
    }
  });

  it('is within half a poll interval of it of the poll', () => {
    const half = POLL_MINUTES / 2;
    const rows = whole(servedSeries(simulated, polls));
    expect(rows).toHaveLength(DAYS - LEAD_DAYS - 1);
    for (const row of rows) {
      const error = known(row.avgWaitHours) - known(estimatorOnTruth(truth, row.day));
      expect(Math.abs(error)).toBeLessThanOrEqual(half / 60 + ROUNDING);
    }
  });

  it('counts vessels in port and at anchor exactly at every poll', () => {
    const someDays = polls.slice(0, (24 * 60 * 10) / POLL_MINUTES);
    expect(wrongCounts(simulated, someDays)).toEqual([]);
  });

  it('finds at least 98 % of the stays from jittered, late, repeated and missing polls', () => {
    const faults = {
      jitterMinutes: 5,
      lateShare: 0.1,
      lateMinutes: 40,
      missingShare: 0.1,
      repeatedShare: 0.1,
    };
    const { calls } = replay(makePolls(truth, span, { everyMinutes: POLL_MINUTES, seed: 2, ...faults }));
    const { stays, found, reconstructed, confirmed } = scoreStays(simulated, calls.values());
    expect(stays).toBeGreaterThan(extent(300, 400));
    expect(found / stays).toBeGreaterThanOrEqual(0.98);
    expect(confirmed / reconstructed).toBeGreaterThanOrEqual(0.98);
  });
});

it('leaves ferries out of the average, which a source of event records identifies', () => {
  const world = simulateWorld({ ...WORLDS[1], port: 'FIHEL' });
  expect(world.truth.filter(({ traffic }) => traffic === 'ferry').length).toBeGreaterThan(200);
  for (const row of whole(servedSeries(world, callBatches(world)))) {
    const error = known(row.avgWaitHours) - known(estimatorOnTruth(world.truth, row.day));
    expect(Math.abs(error)).toBeLessThanOrEqual(ROUNDING);
  }
});

longIt("keeps Little's law within a twentieth on steady traffic, over six worlds", () => {
  // The figures of one world scatter by more than a tenth.
  const checks = [1, 2, 3, 4, 5, 9].map((seed) => {
    const scenario = { profile: { shiftShare: 0 } };
    const world = simulateWorld({ port: 'SGSIN', firstDay: '2026-01-05', days: 120, seed, scenario });
    return checkLittle(world, servedSeries(world, callBatches(world)));
  });
  const queueOverArrivals = mean(checks.map((check) => check.queueOverArrivals));
  const wait = mean(checks.map((check) => check.wait));
  expect(wait).toBeGreaterThan(0.5);
  expect(Math.abs(queueOverArrivals - wait) / wait).toBeLessThanOrEqual(0.05);
});
