/** The flow of a port by day: what is berthed beside what is usual, with gaps where a day is not covered. */
import { expect, it } from '@jest/globals';
import { addDays, daysBetween } from '../../../core/reference/time.ts';
import { csvOf, flowOf, flowTable } from '../../../portal/chart/flow.ts';
import { waitHistory } from '../../../portal/chart/wait-spread.ts';

const FIRST = '2025-08-01';
const days = daysBetween(FIRST, addDays(FIRST, 29));
const HOLE = days[20] as string;
const STOPPED = days[25] as string;
/** Berthings go from 30 to 39 and again; on the day before the first nothing is covered. */
const history = waitHistory(
  [addDays(FIRST, -1), ...days].map((date, i) => ({
    date,
    coverage: date === HOLE || i === 0 ? 0.5 : 1,
    berthed: date === STOPPED ? 0 : 30 + (i % 10),
    waits: [4, 8],
    waiting: i % 5,
    waiting_hours: 0,
    recent_arrivals: 900,
    recent_wait_hours: 10,
  })),
);
const flow = flowOf(history, days.at(-2) as string, []);

it('begins with the first covered day and ends with the last whole one', () => {
  expect([flow.days[0], flow.days.at(-1)]).toEqual([FIRST, days.at(-2)]);
  for (const series of Object.values(flow)) expect(series).toHaveLength(29);
});

it('has no figure on a day that is not covered: no zero', () => {
  const at = days.indexOf(HOLE);
  expect([flow.berthed[at], flow.waiting[at], flow.averageHours[at], flow.p90Hours[at]]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(flow.berthed[days.indexOf(STOPPED)]).toBe(0);
});

it('has the usual range of the days before, once enough are known', () => {
  expect([flow.usualLow[13], flow.usualHigh[13]]).toEqual([null, null]);
  // The days 1 to 14 berthed 31 to 39, 30, and 31 to 34.
  expect(flow.usualLow[14]).toBeCloseTo(31, 5);
  expect(flow.usualHigh[14]).toBeCloseTo(37.7, 5);
});

it('leaves the days of stops out of the usual range', () => {
  const closed = { first_day: STOPPED, last_day: STOPPED };
  const at = flow.days.length - 1;
  const known = flow.berthed.slice(0, at).filter((count) => count !== null && count > 0) as number[];
  const lowest = Math.min(...known);
  expect(flow.usualLow[at]).toBeLessThan(flowOf(history, days.at(-2) as string, [closed]).usualLow[at] ?? 0);
  expect(flowOf(history, days.at(-2) as string, [closed]).usualLow[at]).toBeGreaterThanOrEqual(lowest);
});

it('is a file with the number of the stop on its days', () => {
  const stop = { first_day: STOPPED, last_day: addDays(STOPPED, 1) };
  const [head, ...rows] = csvOf(flowTable(flow, [stop as never]))
    .trim()
    .split('\n');
  expect(head).toBe(
    'date,berthed,usual_low,usual_high,waiting,avg_wait_hours,wait_p10_hours,wait_p90_hours,stop',
  );
  expect(rows.filter((row) => row.endsWith(',1')).map((row) => row.slice(0, 12))).toEqual([
    `${STOPPED},0`,
    `${addDays(STOPPED, 1)},3`,
  ]);
  expect(rows[days.indexOf(HOLE)]).toMatch(new RegExp(`^${HOLE},,\\d+(\\.\\d+)?,\\d+(\\.\\d+)?,,,,,$`));
});
