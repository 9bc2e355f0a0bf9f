/** The sentence of an alert. */
import { expect, it } from '@jest/globals';
import { explainChange } from '../../../core/metrics/explanation.ts';

const reason = {
  metric: 'avg_wait_hours',
  before: 10,
  after: 20.1,
  day: '2026-11-09',
  daysBefore: 18,
  daysAfter: 9,
  strength: 5.4,
} as const;

it('rounds the percentage as every other figure, half away from zero', () => {
  // 1.005 is held as a little less.
  expect(explainChange({ ...reason, fraction: 1.005 })).toContain('(+101%)');
  expect(explainChange({ ...reason, after: 5.8, fraction: -0.415 })).toContain('(-42%)');
});

it('says so when the change is larger than its percentage, which has a floor and a greatest value', () => {
  for (const [before, after, fraction, said] of [
    [0.4, 8, 7.6, '(+760% or more)'],
    [0, 68.4, 10, '(+1000% or more)'],
    [2, 28, 10, '(+1000% or more)'],
    [2, 22, 10, '(+1000%)'],
    [8, 0, -1, '(-100%)'],
  ] as const)
    expect(explainChange({ ...reason, before, after, fraction })).toContain(said);
});
