/** Spans of days: every day of the year once, in order, whatever the number of rows. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { daysBetween } from '../../../core/reference/time.ts';
import { commonSpans, makeSpans } from '../../../core/release/release-file.ts';

it('have every day of a year up to the last once, in order', () => {
  fc.assert(
    fc.property(fc.constantFrom('2024', '2025'), fc.nat(50_000), fc.nat(365), (year, rowsPerDay, index) => {
      const all = daysBetween(`${year}-01-01`, `${year}-12-31`);
      const lastDay = all[index] ?? `${year}-12-31`;
      const spans = makeSpans(year, lastDay, rowsPerDay);
      const days = spans.flatMap((span) => daysBetween(span.firstDay, span.lastDay));
      expect(days).toEqual(all.filter((day) => day <= lastDay));
    }),
    { numRuns: 50 },
  );
});

it('are a year of a few ports, the months of 400, and days of very many', () => {
  expect(makeSpans('2025', '2026-02-01', 3)).toEqual([{ firstDay: '2025-01-01', lastDay: '2025-12-31' }]);
  expect(makeSpans('2025', '2026-02-01', 400)).toHaveLength(12);
  expect(makeSpans('2025', '2025-12-31', 100_000)).toHaveLength(365);
});

it('of several tables end wherever one of a table ends, and nowhere else', () => {
  const lists = [makeSpans('2025', '2025-03-20', 800), makeSpans('2025', '2025-03-20', 1600)];
  const common = commonSpans(lists);
  expect(common.flatMap(({ firstDay, lastDay }) => daysBetween(firstDay, lastDay))).toEqual(
    daysBetween('2025-01-01', '2025-03-20'),
  );
  const ends = new Set(lists.flat().map(({ lastDay }) => lastDay));
  expect(common.map(({ lastDay }) => lastDay)).toEqual([...ends].sort());
});
