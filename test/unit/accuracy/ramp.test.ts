/** The queue that builds up: averages by berthing lag, averages by arrival never recover, the score leads. */
import { expect, it } from '@jest/globals';
import { meanRamp } from '../../../accuracy/ramp-study.ts';

const [calm, early, late, full] = meanRamp([35, 60, 75, 135], [1, 2, 3, 4]);

it('is right before the ramp', () => {
  expect(Math.abs((calm?.served ?? 0) / (calm?.truth ?? 1) - 1)).toBeLessThan(0.15);
});

it('lags while the queue builds, but by less than completed waits by arrival', () => {
  for (const row of [early, late]) {
    expect(row?.served).toBeLessThan(0.8 * (row?.truth ?? 0));
    expect(row?.served).toBeGreaterThan(0.55 * (row?.truth ?? 0));
    expect(row?.completedOnly).toBeLessThan(row?.served ?? 0);
  }
});

it('catches up once the queue is steady, where completed waits by arrival stay 60 % too low', () => {
  // A wait of more than 25 days is in no figure, and of these waits one in twenty is longer.
  expect(Math.abs((full?.served ?? 0) / (full?.truth ?? 1) - 1)).toBeLessThan(0.15);
  expect(Math.abs((full?.little ?? 0) / (full?.truth ?? 1) - 1)).toBeLessThan(0.1);
  expect(full?.completedOnly).toBeLessThan(0.4 * (full?.truth ?? 0));
});

it('is high in the score before the average wait has caught up', () => {
  expect(early?.score).toBeGreaterThan(0.75);
  expect(calm?.score).toBeLessThan(0.6);
});
