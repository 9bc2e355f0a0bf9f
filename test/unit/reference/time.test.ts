import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, daysBetween, formatInstant, parseInstant } from '../../../core/reference/time.ts';

const instant = fc.integer({ min: Date.UTC(1960, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59) });

describe('formatInstant', () => {
  it('writes what Date writes, without the fraction, in whatever order the days come', () => {
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1 }), (instants) => {
        for (const at of instants)
          expect(formatInstant(at)).toBe(`${new Date(at).toISOString().slice(0, 19)}Z`);
      }),
    );
  });

  it('is undone by parseInstant, to the second, at the edges of a day too', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(-1000, 0, 1000), (at, shift) => {
        const edge = Math.floor(at / DAY_MS) * DAY_MS + shift;
        for (const given of [Math.floor(at / 1000) * 1000, edge])
          expect(parseInstant(formatInstant(given))).toBe(given);
      }),
    );
  });

  it('throws at what is no time', () => {
    expect(() => formatInstant(Number.NaN)).toThrow(RangeError);
    expect(() => formatInstant(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });
});

/** Reads as before a day was known: by its own rules, without a memory. */
function plainParse(text: string): number | undefined {
  const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z$/.exec(text) ?? [];
  const at = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(at) || new Date(at).toISOString() !== `${date}T${time}.000Z` ? undefined : at;
}

describe('parseInstant', () => {
  it('reads a text of a known day as it reads one of a new day, and refuses the same', () => {
    const damaged = fc
      .tuple(instant, fc.nat(19), fc.constantFrom(...'0123459:TZ- x'))
      .map(([at, place, sign]) => {
        const text = formatInstant(at);
        return `${text.slice(0, place)}${sign}${text.slice(place + 1)}`;
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(parseInstant(text)).toBe(plainParse(text));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01', '2026-13-01T00:00:00Z', ''])(
    'refuses %j',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );
});

it('daysBetween ends on the last day, also where the next sorts before it', () => {
  expect(daysBetween('9999-12-30', '9999-12-31')).toEqual(['9999-12-30', '9999-12-31']);
  expect(daysBetween('2026-01-02', '2026-01-01')).toEqual([]);
});
