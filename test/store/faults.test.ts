/** A seeded slice of `npm run study -- faults`. */
import { expect, it } from '@jest/globals';
import { extent, longIt } from '../builders/extent.ts';
import { crashPoints, positionCrashPoints } from '../faults/crash-points.ts';
import { expectEqualRows } from '../faults/fault-run.ts';
import { lieAbout, lieBelow } from '../faults/lying-upstream.ts';
import { clockJumps, storeDown, upstreamDown } from '../faults/outages.ts';
import { replyBases } from '../faults/reply-bases.ts';

it('a process killed at any write, once or twice, before it or after it', async () => {
  const { counts } = await crashPoints(extent(1, 3), 3, extent(16, 3));
  expect(counts.crashes).toBeGreaterThan(extent(3, 40));
  expect(counts.doubleCrashes).toBeGreaterThanOrEqual(extent(0, 5));
});

it('positions, by poll and by day, killed at any write of a table, the archive, calls or state', async () => {
  const { counts } = await positionCrashPoints(extent(1, 2), 3, extent(64, 4), extent(6, 1));
  expect(counts.crashes).toBeGreaterThan(extent(3, 100));
  expect(counts.doubleCrashes).toBeGreaterThanOrEqual(extent(0, 5));
});

it('a store that is unavailable for hours, in the whole run for a day', async () => {
  expect((await storeDown(extent(6, 24), 3)).counts.failedPasses).toBe(extent(6, 24));
});

longIt('an upstream that is unavailable for a month', async () => {
  const { counts } = await upstreamDown(3, 24);
  expect(counts.failedPasses).toBeGreaterThan(0);
  expect(counts.scoredDays).toBeGreaterThan(0);
  expect(counts.alerts).toBeGreaterThan(0);
});

it('a clock that jumps', async () => {
  expect((await clockJumps(extent(30, 60), 4)).counts.jumps).toBeGreaterThan(0);
});

/** One of each kind of source: reports, records, tables, polls of positions and days of positions. */
const SLICE = ['hk', 'fintraffic', 'us-census-trade', 'kystdatahuset', 'dma'];
const bases = replyBases().filter(({ name }) =>
  extent(
    SLICE.some((start) => name.startsWith(start)),
    true,
  ),
);

/** Six replies before a lie and four after it: in its first hour a service of positions has confirmed no stop yet. */
const BEFORE_AND_AFTER = 10;

// The lies are 24 about each field, 10 about each list and 13 about files: a step that has no divisor in common with these
// numbers takes every kind.
it.each(bases.map(({ name, make }) => [name, make] as const))(
  'an upstream of %s that lies, and then sends the truth',
  async (_name, make) => {
    const base = make();
    const replies = base.replies.slice(-BEFORE_AND_AFTER);
    const [every, taken] = extent([89, 1], [7, 3]);
    const results = await lieAbout({ ...base, replies }, (_lie, index) => index % every < taken);
    expect(results.length).toBeGreaterThan(extent(0, 1));
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
