/** When a day has few vessels for its port. */
import { expect, it } from '@jest/globals';
import { judgeDay } from './daily-rule.ts';

/** `days` of 9, 10 and 11 vessels in turn, then `more`. */
const counts = (days: number, ...more: (number | undefined)[]): (number | undefined)[] => [
  ...Array.from({ length: days }, (_, i) => 9 + (i % 3)),
  ...more,
];

it('a day is judged by the median of the 28 known days before and by its rank in the year', () => {
  expect(judgeDay(counts(200, 2), 200)).toEqual({ usual: 10, share: 0.2, isRare: true });
  expect(judgeDay(counts(200, 10), 200)).toEqual({ usual: 10, share: 1, isRare: false });
});

it('unknown days count neither as few nor as usual', () => {
  const gap = Array.from({ length: 22 }, () => undefined);
  expect(judgeDay(counts(200, ...gap, 2), 222)).toEqual({ usual: 10, share: 0.2, isRare: true });
  expect(judgeDay(counts(200, undefined), 200)).toBeUndefined();
});

it('a fourth day as low in a year is not rare, and one a year later is again', () => {
  const low = counts(200, 2, 10, 2, 10, 2, 10, 2);
  expect([200, 202, 204, 206].map((day) => judgeDay(low, day)?.isRare)).toEqual([true, true, true, true]);
  expect(judgeDay([...low, 10, 2], 208)?.isRare).toBe(false);
  const later = [...low, ...counts(366), 2];
  expect(judgeDay(later, later.length - 1)?.isRare).toBe(true);
});

it('a port is judged once half a year is known, and only with three vessels and more', () => {
  expect(judgeDay(counts(179, 2), 179)).toBeUndefined();
  expect(judgeDay(counts(180, 2), 180)).toBeDefined();
  const few = Array.from({ length: 200 }, () => 2);
  expect(judgeDay([...few, 0], 200)).toBeUndefined();
});

it('later days change nothing', () => {
  const before = judgeDay(counts(200, 4), 200);
  expect(judgeDay(counts(200, 4, 0, 0, 40, undefined), 200)).toEqual(before);
});

it('the usual count can be that of the same weekday', () => {
  const weeks = Array.from({ length: 210 }, (_, i) => (i % 7 === 0 ? 4 : 10));
  expect(judgeDay([...weeks, 4], 210, { known: 26, step: 7 })?.usual).toBe(4);
  expect(judgeDay([...weeks, 4], 210)?.usual).toBe(10);
});
