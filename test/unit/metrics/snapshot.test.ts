/** The snapshot: counts of the instant, the running average, thirty daily scores, and each figure beside that of a week before. */
import { describe, expect, it } from '@jest/globals';
import type { PortCall } from '../../../core/calls/port-call.ts';
import { dailySeries } from '../../../core/metrics/day-figures.ts';
import { recentFigures, snapshotAt } from '../../../core/metrics/snapshot.ts';
import { addDays, DAY_MS, dayOf, daysBetween } from '../../../core/reference/time.ts';
import { atHour, callOf, leg, waitingCall } from '../../builders/calls.ts';

const AS_OF = atHour(10);
const CALLS = [
  waitingCall(-30, 10, 20),
  waitingCall(-20, 4, 40),
  waitingCall(-5, 0, 9),
  callOf([leg('anchorage', 2)]),
  callOf([leg('berth', 1)], { traffic: 'visitor' }),
  callOf([leg('anchorage', 1)], { traffic: 'ferry' }),
];

const snapshotOf = (calls: readonly PortCall[]) => snapshotAt({ coverage: [], asOfAt: AS_OF, calls });

describe('a snapshot', () => {
  it('counts merchant vessels and scores cargo with the queue of the instant', () => {
    const snapshot = snapshotOf(CALLS);
    expect(snapshot).toMatchObject({
      asOfAt: AS_OF,
      inPort: 3,
      atAnchor: 1,
      arrivals24h: 3,
      departures24h: 2,
    });
    // Three berthings after 10, 4 and 0 h, and one vessel that has waited 8 h.
    const terms = [(2 + 1.5) / (3 + 5), 5.5 / (5.5 + 24), 1 / (2 + 2)];
    expect(snapshot.avgWaitHours).toBe(5.5);
    expect(snapshot.congestionScore).toBeCloseTo(terms.reduce((a, b) => a + b) / 3, 3);
  });

  it('counts a wait that ends at its own instant', () => {
    const calls = [waitingCall(0, 10, 20)];
    const scores = [AS_OF, AS_OF + 1000].map(
      (asOfAt) => snapshotAt({ coverage: [], asOfAt, calls }).congestionScore,
    );
    expect(scores[0]).toBe(scores[1]);
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF - 1000, calls }).congestionScore).not.toBe(scores[0]);
  });

  it('averages berthings and open waits that are too few for a day', () => {
    const first = waitingCall(-30, 10, 20);
    expect(snapshotOf([first])).toMatchObject({
      avgWaitHours: 10,
      waitBasis: 'berthed',
    });
    const waiting = [callOf([leg('anchorage', -10)]), callOf([leg('anchorage', 0)])];
    expect(snapshotOf([first, ...waiting])).toMatchObject({
      avgWaitHours: 13.3,
      waitBasis: 'mixed',
    });
  });

  it('has the mean age of the open waits when nothing has berthed, and 0 when nothing waits', () => {
    const open = [
      callOf([leg('anchorage', 0)]),
      callOf([leg('anchorage', -20, -10), leg('anchorage', 5)]),
      callOf([leg('anchorage', -90)], { traffic: 'ferry' }),
    ];
    expect(snapshotOf(open)).toMatchObject({
      avgWaitHours: 12.5,
      waitBasis: 'open',
    });
    expect(snapshotOf([])).toEqual({
      asOfAt: AS_OF,
      congestionScore: 0.1,
      avgWaitHours: 0,
      arrivals24h: 0,
      departures24h: 0,
      atAnchor: 0,
      inPort: 0,
    });
  });

  it('does not count the open wait of a laid-up vessel', () => {
    const laidUp = callOf([leg('anchorage', -24 * 61)]);
    expect(snapshotOf([laidUp])).toMatchObject({
      avgWaitHours: 0,
      inPort: 0,
    });
  });
});

const coverage = [{ fromAt: AS_OF - 60 * DAY_MS, toAt: AS_OF }];
const today = dayOf(AS_OF);

function recentOf(calls: readonly PortCall[], over = coverage) {
  const days = daysBetween(dayOf(over[0]?.fromAt ?? AS_OF), today);
  const series = new Map(
    dailySeries({ days, calls, coverage: over, asOfAt: AS_OF }).map((row) => [row.day, row]),
  );
  const running = series.get(today);
  const snapshot = snapshotAt({ asOfAt: AS_OF, calls, coverage: over, running });
  return { snapshot, series, ...recentFigures({ snapshot, calls, coverage: over, series }) };
}

/** A berthing a day at the same hour, after a wait of `waitHours(daysAgo)`. */
const daily = (waitHours: (ago: number) => number): PortCall[] =>
  Array.from({ length: 59 }, (_, ago) => waitingCall(-24 * ago, waitHours(ago), 3));

describe('what led to a snapshot', () => {
  it('has the scores of thirty days, the running one last, and null where a day has none', () => {
    const { scores, series } = recentOf(daily(() => 5));
    expect(scores).toHaveLength(30);
    expect(scores.at(-1)).toBe(series.get(today)?.congestionScore);
    expect(scores[0]).toBe(series.get(addDays(today, -29))?.congestionScore);
    const young = recentOf(
      daily(() => 5),
      [{ fromAt: AS_OF - 10 * DAY_MS, toAt: AS_OF }],
    );
    expect(young.scores.slice(0, 19)).toEqual(Array(19).fill(null));
  });

  it('does not change where every week is the same', () => {
    expect(recentOf(daily(() => 5)).change).toEqual({ congestionScore: 0, avgWaitHours: 0, atAnchor: 0 });
  });

  it('has each figure less that of the same hour a week before', () => {
    const calls = daily((ago) => (ago < 7 ? 20 : 5));
    const anchored = Array.from({ length: 4 }, (_, i) => callOf([leg('anchorage', i)]));
    const { snapshot, change } = recentOf([...calls, ...anchored]);
    const thenAt = AS_OF - 7 * DAY_MS;
    const until = calls.filter(({ ataAt }) => ataAt <= thenAt);
    const before = snapshotAt({ asOfAt: thenAt, calls: until, coverage });
    expect(change?.atAnchor).toBe(snapshot.atAnchor - before.atAnchor);
    expect(change?.avgWaitHours).toBeCloseTo(snapshot.avgWaitHours - before.avgWaitHours, 6);
    expect(change?.avgWaitHours).toBeGreaterThan(10);
    expect(change?.congestionScore).toBeGreaterThan(0.1);
  });

  it('compares with the score of a week before whole, its lack of berthings included', () => {
    const closedFrom = -24 * 9;
    const working = Array.from({ length: 59 * 8 }, (_, i) => waitingCall(-3 * i, 1, 3));
    const calls = [
      ...working.filter(({ ataAt }) => ataAt < atHour(closedFrom) || ataAt > AS_OF - 6 * DAY_MS),
      ...Array.from({ length: 9 }, (_, i) => waitingCall(closedFrom + i, 24 * 4, 3)),
    ];
    const { snapshot, change } = recentOf(calls);
    const thenAt = AS_OF - 7 * DAY_MS;
    const until = { calls, coverage: [{ fromAt: AS_OF - 60 * DAY_MS, toAt: thenAt }], asOfAt: thenAt };
    const [row] = dailySeries({
      days: daysBetween(dayOf(AS_OF - 60 * DAY_MS), dayOf(thenAt)),
      ...until,
    }).slice(-1);
    expect(row?.flowTerm).toBeGreaterThan(0.7);
    const before = snapshotAt({ ...until, running: row });
    expect(change?.congestionScore).toBeCloseTo(snapshot.congestionScore - before.congestionScore, 6);
  });

  it.each([
    ['was never observed', []],
    ['was not observed a week ago', [{ fromAt: AS_OF - 5 * DAY_MS, toAt: AS_OF }]],
    ['had been observed for less than a week by then', [{ fromAt: AS_OF - 13 * DAY_MS, toAt: AS_OF }]],
    [
      'was in a gap a week ago',
      [
        { fromAt: AS_OF - 60 * DAY_MS, toAt: AS_OF - 8 * DAY_MS },
        { fromAt: AS_OF - 6 * DAY_MS, toAt: AS_OF },
      ],
    ],
  ])('has no change where the port %s', (_, over) => {
    expect(
      recentOf(
        daily(() => 5),
        over,
      ).change,
    ).toBeUndefined();
  });
});
