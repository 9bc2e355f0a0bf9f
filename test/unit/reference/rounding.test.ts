/** Rounding: half away from zero on the decimal value, and nothing else. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { round } from '../../../core/reference/statistics.ts';

describe('rounding', () => {
  it.each([
    [1.005, 2, 1.01],
    [2.675, 2, 2.68],
    [0.15, 1, 0.2],
    [-2.5, 0, -3],
    [-1.005, 2, -1.01],
    [72.45, 1, 72.5],
    [0.0005, 3, 0.001],
    [0.00049999, 3, 0],
  ])('%d to %d places is %d', (value, decimals, expected) => {
    expect(round(value, decimals)).toBe(expected);
  });

  it('never gives negative zero', () => {
    expect(Object.is(round(-0.0001, 2), 0)).toBe(true);
  });

  it('leaves a rounded value as it is, keeps order and mirrors signs', () => {
    const hours = fc.double({ min: -5000, max: 5000, noNaN: true });
    fc.assert(
      fc.property(hours, hours, (a, b) => {
        const once = round(a, 3);
        expect(round(once, 3)).toBe(once);
        expect(Math.abs(once - a)).toBeLessThanOrEqual(0.0005 + 1e-9);
        expect(round(-a, 3)).toBeCloseTo(-once, 12);
        if (a < b) expect(round(b, 3)).toBeGreaterThanOrEqual(once);
      }),
    );
  });
});

it('looks at the last digits only where they can decide, and rounds the same', () => {
  const everyDigit = (value: number, decimals: number): number => {
    const factor = 10 ** decimals;
    const magnitude = Math.round(Number((Math.abs(value) * factor).toPrecision(15))) / factor;
    return value < 0 && magnitude > 0 ? -magnitude : magnitude;
  };
  const ties = fc.tuple(fc.integer(), fc.nat(4)).map(([whole, decimals]) => (whole + 0.5) / 10 ** decimals);
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), ties);
  fc.assert(
    fc.property(value, fc.nat(4), (given, decimals) => {
      expect(round(given, decimals)).toBe(everyDigit(given, decimals));
    }),
    { numRuns: 2000 },
  );
});
