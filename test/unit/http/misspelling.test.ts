import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { isMisspelling } from '../../../core/http/misspelling.ts';

const isSwapped = (a: string, b: string): boolean =>
  [...a].some((letter, i) => i > 0 && a.slice(0, i - 1) + letter + a[i - 1] + a.slice(i + 1) === b);

it('is another case, or one letter more, less, other or exchanged with its neighbour', () => {
  const name = fc.string({ unit: fc.constantFrom(...'abAB'), maxLength: 6 });
  fc.assert(
    fc.property(name, name, (sent, known) => {
      fc.pre(sent !== known);
      const isOneEdit = distance(sent, known) === 1 || isSwapped(sent, known);
      expect(isMisspelling(sent, known)).toBe(isOneEdit || sent.toLowerCase() === known.toLowerCase());
    }),
    { numRuns: 5_000 },
  );
});
