/** What led to a snapshot, packed into the port's row and read from it. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packRecent, unpackRecent } from '../../../core/store/ports.ts';

const thousandths = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
const recent = fc.record(
  {
    scores: fc.array(fc.option(thousandths), { minLength: 30, maxLength: 30 }),
    change: fc.record({
      congestionScore: fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000),
      avgWaitHours: fc.integer({ min: -9999, max: 9999 }).map((n) => n / 10),
      atAnchor: fc.integer({ min: -500, max: 500 }),
    }),
  },
  { requiredKeys: ['scores'] },
);

it('comes out as it went in, in under 90 bytes', () => {
  fc.assert(
    fc.property(recent, (figures) => {
      const text = packRecent(figures);
      expect(text.length).toBeLessThan(90);
      const read = unpackRecent(text);
      // A text has no negative zero.
      expect(JSON.stringify(read)).toBe(JSON.stringify(figures));
    }),
  );
});
