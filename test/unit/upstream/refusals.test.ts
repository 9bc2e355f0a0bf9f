/** Refusals of a reply take bounded memory. */
import { expect, it } from '@jest/globals';
import { Refusals } from '../../../core/upstream/source.ts';

it('of a million rows are a count by reason and the first twenty', () => {
  const refusals = new Refusals();
  for (let row = 0; row < 1_000_000; row += 1)
    refusals.push({ reason: row % 2 === 0 ? 'malformed' : 'no-vessel', detail: `entry ${row}` });
  expect(refusals.count).toBe(1_000_000);
  expect(refusals.byReason).toEqual({ malformed: 500_000, 'no-vessel': 500_000 });
  expect(refusals.first.map(({ detail }) => detail)).toEqual(
    Array.from({ length: 20 }, (_, row) => `entry ${row}`),
  );
});

it('of two parts are added up within the same bound', () => {
  const part = (): Refusals => {
    const refusals = new Refusals();
    for (let row = 0; row < 15; row += 1) refusals.push({ reason: 'malformed', detail: `entry ${row}` });
    return refusals;
  };
  const all = new Refusals().add(part()).add(part());
  expect([all.count, all.first.length]).toEqual([30, 20]);
});
