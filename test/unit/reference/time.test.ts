import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  daysBetween,
  earliestOf,
  formatInstant,
  latestOf,
  parseInstant,
} from '../../../core/reference/time.ts';

const instant = fc.integer({ min: Date.UTC(1960, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59) });

describe('parseInstant', () => {
  it('reads what formatInstant writes, to the second', () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseInstant(formatInstant(at))).toBe(Math.floor(at / 1000) * 1000);
      }),
    );
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-13-01T00:00:00Z',
    ' 2026-01-01T00:00:00Z',
    '',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

it('the earliest and the latest are found of any number of instants', () => {
  const many = Array.from({ length: 150_000 }, (_, index) => index);
  expect([earliestOf(many), latestOf(many)]).toEqual([0, 149_999]);
  expect([earliestOf([]), latestOf([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

it('daysBetween ends on the last day, also where the next sorts before it', () => {
  expect(daysBetween('9999-12-30', '9999-12-31')).toEqual(['9999-12-30', '9999-12-31']);
  expect(daysBetween('2026-01-02', '2026-01-01')).toEqual([]);
});
