/** Import momentum: the same months of two years are compared, and months without data are omitted. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { importMomentum } from '../../../core/metrics/import-momentum.ts';
import { addMonths, type Month } from '../../../core/reference/time.ts';

const FIRST: Month = '2022-01';
const valuesOf = (values: readonly (number | undefined)[]): Map<Month, number> =>
  new Map(values.flatMap((value, i) => (value === undefined ? [] : [[addMonths(FIRST, i), value] as const])));
const constant = (count: number, value: number) => Array.from({ length: count }, () => value);
const money = fc.integer({ min: 100_000, max: 50_000_000 });

describe('import momentum', () => {
  it('is 100 for a constant series, from the month that has two pairs on', () => {
    const points = importMomentum(valuesOf(constant(20, 5e6)));
    expect(points.map(({ index }) => index)).toEqual(constant(7, 100));
    expect(points[0]?.month).toBe('2023-02');
  });

  it('does not depend on the unit of the values', () => {
    fc.assert(
      fc.property(
        fc.array(money, { minLength: 16, maxLength: 40 }),
        fc.integer({ min: 2, max: 1000 }),
        (values, k) => {
          expect(importMomentum(valuesOf(values.map((value) => value * k)))).toEqual(
            importMomentum(valuesOf(values)),
          );
        },
      ),
    );
  });

  it('does not depend on the order of the months', () => {
    fc.assert(
      fc.property(fc.array(money, { minLength: 16, maxLength: 40 }), (values) => {
        const months = valuesOf(values);
        expect(importMomentum(new Map([...months].reverse()))).toEqual(importMomentum(months));
      }),
    );
  });

  it('treats a month that is absent in one year as absent in both', () => {
    const values = Array.from({ length: 24 }, (_, i) => 1e6 + i * i * 12_345);
    const without = (...gaps: number[]) =>
      valuesOf(values.map((value, i) => (gaps.includes(i) ? undefined : value)));
    const last = (months: Map<Month, number>) => importMomentum(months).at(-1);
    expect(last(without(22))).toEqual(last(without(22, 10)));
    expect(last(without(10))).toEqual(last(without(22, 10)));
    expect(last(without(22))).not.toEqual(last(without()));
  });

  it('omits a month that is absent, has no month a year before, or has only one pair', () => {
    const values = constant(24, 2e6);
    const monthsWithout = (...gaps: number[]) =>
      importMomentum(valuesOf(values.map((value, i) => (gaps.includes(i) ? undefined : value)))).map(
        ({ month }) => month,
      );
    expect(monthsWithout()).toContain('2023-12');
    expect(monthsWithout(23)).not.toContain('2023-12');
    expect(monthsWithout(11)).not.toContain('2023-12');
    expect(monthsWithout(22)).toContain('2023-12');
    expect(monthsWithout(22, 9)).not.toContain('2023-12');
  });

  it('omits a month whose base is below the least', () => {
    expect(importMomentum(valuesOf([...constant(12, 0), ...constant(12, 5e6)]))).toEqual([]);
    expect(importMomentum(valuesOf([...constant(12, 999), ...constant(12, 5e6)]))).toEqual([]);
    expect(importMomentum(valuesOf([...constant(12, 1000), ...constant(12, 1500)])).at(-1)?.index).toBe(150);
  });

  it('is at most 1000', () => {
    expect(importMomentum(valuesOf([...constant(12, 1000), ...constant(12, 5e9)])).at(-1)?.index).toBe(1000);
  });
});
