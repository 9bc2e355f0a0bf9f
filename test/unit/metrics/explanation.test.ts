/** The sentence of an alert. */
import { expect, it } from '@jest/globals';
import { explainChange } from '../../../core/metrics/explanation.ts';

it('rounds the percentage as every other figure, half away from zero', () => {
  const reason = {
    metric: 'avg_wait_hours',
    before: 10,
    after: 20.1,
    day: '2026-11-09',
    daysBefore: 18,
    daysAfter: 9,
    strength: 5.4,
  } as const;
  // 1.005 is held as a little less.
  expect(explainChange({ ...reason, fraction: 1.005 })).toContain('(+101%)');
  expect(explainChange({ ...reason, fraction: -0.415 })).toContain('(-42%)');
});
