/** What the page says about uncertainty: bars of the polls, simulated and real, and a row for every source. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { sourceRows } from '../../../accuracy/certainty-section.ts';
import { LEAD_DAYS, simulateWorld } from '../../../accuracy/ground-truth/study.ts';
import { hongKongCost, hongKongPolls, simulatedCost } from '../../../accuracy/poll-interval-study.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import { BUILD_UP_AND_CLEAR } from '../../../core/sources/sample-simulator/scenario.ts';
import { extent } from '../../builders/extent.ts';
import { RECORDINGS } from '../../builders/recordings.ts';

const ROUNDING = 0.05 + 1e-9;
const page = readFileSync(fileURLToPath(new URL('../../../docs/accuracy.md', import.meta.url)), 'utf8');
const positions = readFileSync(
  fileURLToPath(new URL('../../../docs/ais-accuracy.md', import.meta.url)),
  'utf8',
);

it.each(extent([120], [60, 120, 240]))(
  'polls every %s minutes are off by at most half of that',
  (minutes) => {
    const scenario = BUILD_UP_AND_CLEAR;
    const world = simulateWorld({
      port: 'USLAX',
      firstDay: '2026-01-05',
      days: LEAD_DAYS + 10,
      seed: 7,
      scenario,
    });
    const { largestErrorHours, meanErrorHours } = simulatedCost(world, minutes);
    expect(largestErrorHours).toBeLessThanOrEqual(minutes / 2 / 60 + ROUNDING);
    expect(meanErrorHours).toBeLessThanOrEqual(largestErrorHours);
  },
);

describe('the real polls of Hong Kong', () => {
  const polls = hongKongPolls(RECORDINGS);

  it('give the same when all are read', () => {
    expect(hongKongCost(polls, 0)).toMatchObject({ polls: 54, stays: 83, found: 83, largestErrorHours: 0 });
  });

  it.each(extent([60], [20, 40, 60, 120]))(
    'at least %s minutes apart change no count, and no stay by more',
    (minutes) => {
      const cost = hongKongCost(polls, minutes);
      expect(cost.polls).toBeLessThan(54);
      expect(cost).toMatchObject({ inPortError: 0, atAnchorError: 0 });
      expect(cost.largestErrorHours).toBeLessThanOrEqual(cost.longestMinutes / 60);
      expect(cost.found).toBeGreaterThan(0.8 * cost.stays);
    },
  );
});

it('has the row of every source as it follows from the study of positions', () => {
  const rows = sourceRows(positions);
  expect(rows).toHaveLength(SOURCE_DECLARATIONS.length);
  for (const row of rows) expect(page).toContain(`| ${row.join(' | ')} |`);
});

it('refuses a study of positions without the runs that it needs', () => {
  expect(() => sourceRows('# Accuracy of stays from positions')).toThrow('has no figures of seed 1');
});
