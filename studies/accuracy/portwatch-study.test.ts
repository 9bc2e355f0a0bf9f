/** The arithmetic of the section beside satellites, on numbers whose results are known. */
import { describe, expect, it } from '@jest/globals';
import { addDays } from '../../core/reference/time.ts';
import { correlation, type DayPair, lowDays, ranks, weeklySums } from './portwatch-study.ts';

/** 28 usual days from Wednesday, 1 January 2025, and the days given after them. */
const usualThen = (...days: readonly (readonly [number, number | undefined])[]): DayPair[] =>
  [...Array.from({ length: 28 }, () => [30, 20] as const), ...days].map(([seen, berthed], i) => ({
    day: addDays('2025-01-01', i),
    seen,
    berthed,
  }));

describe('correlation', () => {
  // Anscombe's first quartet: 0.816.
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];

  it('is that of Pearson', () => {
    expect(correlation(x.map((value, i) => [value, y[i] ?? 0]))).toBeCloseTo(0.81642, 5);
  });

  it('of the ranks is that of Spearman, with shared ranks for equal values', () => {
    const ranked = ranks(y);
    expect(correlation(ranks(x).map((rank, i) => [rank, ranked[i] ?? 0]))).toBeCloseTo(0.81818, 5);
    expect(ranks([3, 1, 3, 2])).toEqual([2.5, 0, 2.5, 1]);
  });
});

describe('low days', () => {
  it('are those below two fifths of the usual count by either', () => {
    expect(lowDays(usualThen([11, 20], [12, 20], [30, 7]))).toEqual([
      { day: '2025-01-29', seen: 11 / 30, berthed: 1 },
      { day: '2025-01-31', seen: 1, berthed: 7 / 20 },
    ]);
  });

  it('keep a share that is not known', () => {
    expect(lowDays(usualThen([0, undefined]))).toEqual([{ day: '2025-01-29', seen: 0, berthed: undefined }]);
  });

  it('need four weeks before them', () => {
    expect(lowDays(usualThen().with(27, { day: '2025-01-28', seen: 0, berthed: 0 }))).toEqual([]);
  });
});

it('weeks run from Monday to Sunday, and one with an unknown day is left out', () => {
  const pairs = usualThen([30, undefined]);
  expect(weeklySums(pairs)).toEqual([
    [210, 140],
    [210, 140],
    [210, 140],
  ]);
});
