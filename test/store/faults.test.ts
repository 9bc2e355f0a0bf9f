/** A seeded slice of `npm run study -- faults`. */
import { expect, it } from '@jest/globals';
import { extent, longIt } from '../builders/extent.ts';
import { crashPoints, positionCrashPoints } from '../faults/crash-points.ts';
import { expectEqualRows } from '../faults/fault-run.ts';
import { lieAbout, lieBelow } from '../faults/lying-upstream.ts';
import { clockJumps, storeDown, upstreamDown } from '../faults/outages.ts';
import { replyBases } from '../faults/reply-bases.ts';

it('a process killed at any write, once or twice, before it or after it', async () => {
  const { counts } = await crashPoints(extent(2, 3), 3, extent(9, 3));
  expect(counts.crashes).toBeGreaterThan(extent(12, 40));
  expect(counts.doubleCrashes).toBeGreaterThan(extent(0, 4));
});

it('positions, by poll and by day, killed at any write of a table, the archive, calls or state', async () => {
  const { counts } = await positionCrashPoints(extent(1, 2), 3, extent(16, 4));
  expect(counts.crashes).toBeGreaterThan(extent(15, 100));
  expect(counts.doubleCrashes).toBeGreaterThan(extent(1, 4));
});

it('a store that is unavailable for a day', async () => {
  expect((await storeDown(24, 3)).counts.failedPasses).toBe(24);
});

longIt('an upstream that is unavailable for a month', async () => {
  const { counts } = await upstreamDown(3, 24);
  expect(counts.failedPasses).toBeGreaterThan(0);
  expect(counts.scoredDays).toBeGreaterThan(0);
  expect(counts.alerts).toBeGreaterThan(0);
});

it('a clock that jumps', async () => {
  expect((await clockJumps(60, 4)).counts.jumps).toBeGreaterThan(0);
});

it.each(replyBases().map(({ name, make }) => [name, make] as const))(
  'an upstream of %s that lies, and then sends the truth',
  async (_name, make) => {
    const base = make();
    const replies = base.replies.slice(-7);
    const every = extent(48, 2);
    const results = await lieAbout({ ...base, replies }, (_lie, index) => index % every === 0);
    expect(results.length).toBeGreaterThan(1);
    expect(results.filter(({ outcome }) => outcome === 'figures changed')).toEqual([]);
    expect(results.filter(({ isBlocked, isLasting }) => isBlocked || isLasting)).toEqual([]);
  },
);

it('an upstream that lies below its replies', async () => {
  const base = replyBases()[0]?.make();
  if (base === undefined) throw new Error('there are no replies');
  const results = await lieBelow({ ...base, replies: base.replies.slice(-7) });
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
  expect(results.filter(({ isBlocked, isLasting }) => isBlocked || isLasting)).toEqual([]);
});

it('the comparison itself sees a row that is lost, added or changed', () => {
  const rows = { calls: ['a', 'b'] };
  expect(() => expectEqualRows('same', { calls: ['a', 'b'] }, rows)).not.toThrow();
  for (const calls of [['a'], ['a', 'b', 'c'], ['a', 'c']])
    expect(() => expectEqualRows('other', { calls }, rows)).toThrow('calls has');
});
