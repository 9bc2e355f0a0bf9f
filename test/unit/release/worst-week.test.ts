/** The worst week of a port: a calendar week of UTC days, by the waits of all vessels that berthed in it. */
import { expect, it } from '@jest/globals';
import { daysBetween } from '../../../core/reference/time.ts';
import { worstWeekOf } from '../../../core/release/worst-week.ts';

const [FIRST, LAST] = ['2019-06-03', '2019-06-09'];

/** From a Wednesday on: three vessels a day, one of them after a wait. */
const days = daysBetween('2019-05-01', '2019-06-30').map((day) => ({
  day,
  coverage: 1,
  all: { berthed: 3, waits: [day >= FIRST && day <= LAST ? 30.4 : 6] },
}));

it('is the calendar week with the longest average, of those that waited and those that did not', () => {
  expect(worstWeekOf(days)).toEqual({ first_day: FIRST, last_day: LAST, berthed: 21, hours: 10.1 });
});

it('leaves out a week with a day that is not covered, or with few berthings', () => {
  const holed = days.map((day) => (day.day === '2019-06-05' ? { ...day, coverage: 0.5 } : day));
  expect(worstWeekOf(holed)?.hours).toBe(2);
  expect(worstWeekOf(days.map((day) => ({ ...day, all: { ...day.all, berthed: 1 } })))).toBeUndefined();
});

it('is unknown where the days have no whole week', () => {
  // They are the end of one.
  expect(worstWeekOf(days.slice(0, 5))).toBeUndefined();
  expect(worstWeekOf([])).toBeUndefined();
});
