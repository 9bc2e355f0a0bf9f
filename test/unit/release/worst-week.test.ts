/** The worst week of a port: a calendar week of UTC days, by the time that all vessels took from arrival to berth. */
import { expect, it } from '@jest/globals';
import type { PortCall } from '../../../core/calls/port-call.ts';
import { daysBetween, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { worstWeekOf } from '../../../core/release/known-days.ts';

const [FIRST, LAST] = ['2019-06-03', '2019-06-09'];

const callOf = (day: string, hours: number, isBerthed = true): PortCall => {
  const at = startOfDay(day) + HOUR_MS;
  return {
    callId: `${day}-${hours}`,
    port: 'ESTAR',
    vesselId: '1',
    traffic: 'cargo',
    ataAt: at - hours * HOUR_MS,
    firstAtaAt: at - hours * HOUR_MS,
    changedAt: at,
    legs: isBerthed ? [{ zone: 'berth', place: '1', startAt: at }] : [],
    waitKnown: true,
  };
};

/** From a Wednesday on: three vessels a day, one after a long time at anchor. */
const calls = daysBetween('2019-05-01', '2019-06-30').flatMap((day) => [
  callOf(day, day >= FIRST && day <= LAST ? 30.4 : 6),
  callOf(day, 0),
  callOf(day, 0),
  callOf(day, 500, false),
]);
const everyDay = (): boolean => true;

it('is the calendar week with the longest average, over vessels that waited and that did not', () => {
  expect(worstWeekOf(calls, everyDay)).toEqual({
    first_day: FIRST,
    last_day: LAST,
    berthed: 21,
    hours: 10.1,
  });
});

it('leaves out a week with a day that is not covered, or with few berthings', () => {
  expect(worstWeekOf(calls, (day) => day !== '2019-06-05')?.hours).toBe(2);
  const few = calls.filter(({ callId }) => callId.endsWith('-6') || callId.endsWith('-30.4'));
  expect(worstWeekOf(few, everyDay)).toBeUndefined();
});

it('is unknown where the days have no whole week, and without calls', () => {
  expect(worstWeekOf(calls, (day) => day >= '2019-05-01' && day < '2019-05-06')).toBeUndefined();
  expect(worstWeekOf([], everyDay)).toBeUndefined();
});
