/** The line of a change-point alert. */
import { expect, it } from '@jest/globals';
import { explainChange } from '../../../core/metrics/alert-statement.ts';

const reason = {
  metric: 'avg_wait_hours',
  before: 10,
  after: 20.1,
  day: '2026-11-09',
  rowsBefore: 18,
  rowsAfter: 9,
} as const;

it('rounds the percentage half away from zero, as every other figure', () => {
  // The double nearest to 1.005 is a little less.
  expect(explainChange({ ...reason, fraction: 1.005 })).toContain('(+101%)');
  expect(explainChange({ ...reason, after: 5.8, fraction: -0.415 })).toContain('(-42%)');
});

it('says `or more` when the figures give a greater percentage than the floor or the maximum lets it be', () => {
  for (const [before, after, fraction, said] of [
    [0.4, 8, 7.6, '(+760% or more)'],
    [0, 68.4, 10, '(+1000% or more)'],
    [2, 28, 10, '(+1000% or more)'],
    [2, 22, 10, '(+1000%)'],
    [8, 0, -1, '(-100%)'],
  ] as const)
    expect(explainChange({ ...reason, before, after, fraction })).toContain(said);
});
