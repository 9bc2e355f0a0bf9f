import { describe, expect, it } from '@jest/globals';
import { createTally, formatDuration } from '../../../../bin/ingest/tally.ts';

describe('a tally of a run', () => {
  it('adds up the fetches of all partitions and estimates what is left from what was done', () => {
    const tally = createTally(
      new Map([
        ['a#FIHEL', 100],
        ['a#FIRAU', 300],
      ]),
      0,
    );
    expect(tally.total).toBe(400);
    expect(tally.left(1000)).toBe('');
    expect(tally.hear({ news: 'fetch', of: 'a#FIHEL', done: 50, total: 100 })).toBe(50);
    expect(tally.hear({ news: 'fetch', of: 'a#FIRAU', done: 50, total: 300 })).toBe(100);
    expect(tally.left(60_000)).toBe('about 3 min left');
    expect(tally.hear({ news: 'over', of: 'a#FIHEL' })).toBe(150);
  });

  it('does not take what an earlier run did for its own speed', () => {
    const tally = createTally(
      new Map([
        ['a', 100],
        ['b', 50],
      ]),
      0,
    );
    expect(tally.hear({ news: 'over', of: 'b' })).toBe(50);
    expect(tally.hear({ news: 'fetch', of: 'a', done: 1, total: 11 })).toBe(140);
    expect(tally.left(1000)).toBe('about 10 s left');
  });

  it('counts the days of a past and then what they bring', () => {
    const tally = createTally(
      new Map([
        ['a', 2],
        ['a#whole', 2],
      ]),
      0,
    );
    tally.hear({ news: 'day', of: 'a' });
    expect(tally.hear({ news: 'day', of: 'a' })).toBe(2);
    expect(tally.hear({ news: 'fetch', of: 'a#whole', done: 72, total: 144 })).toBe(3);
    expect(tally.hear({ news: 'fetch', of: 'a#whole', done: 144, total: 144 })).toBe(4);
  });

  it.each([
    [400, '1 s'],
    [40_000, '40 s'],
    [180_000, '3 min'],
    [7_500_000, '2 h 05 min'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
