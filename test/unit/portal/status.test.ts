/** The outages of a source by UTC day. */
import { expect, it } from '@jest/globals';
import { outageDays, outageHoursOf } from '../../../portal/docs/status.ts';

const TIME = '2026-11-20T12:00:00Z';
const state = {
  known_since_iso: '2026-11-17T06:00:00Z',
  outages: [
    { from: '2026-11-18T18:00:00Z', to: '2026-11-19T06:00:00Z' },
    { from: '2026-11-19T20:00:00Z', to: '2026-11-19T21:00:00Z' },
    { from: '2026-11-20T09:00:00Z' },
  ],
};

it('divides outages at midnight, adds up those of a day, and leaves out what is not known', () => {
  const days = outageDays(state, TIME);
  expect(days).toHaveLength(90);
  expect(days.slice(-5)).toEqual([
    { day: '2026-11-16', outageHours: undefined },
    { day: '2026-11-17', outageHours: 0 },
    { day: '2026-11-18', outageHours: 6 },
    { day: '2026-11-19', outageHours: 7 },
    { day: '2026-11-20', outageHours: 3 },
  ]);
  expect(days[0]?.day).toBe('2026-08-23');
  expect(outageHoursOf(state, TIME)).toBe(16);
});

it('knows nothing of a source without a good fetch', () => {
  expect(outageDays({ outages: [] }, TIME).every(({ outageHours }) => outageHours === undefined)).toBe(true);
});
