/** What led to a snapshot: thirty daily scores, and each figure beside that of a week before. */
import { describe, expect, it } from '@jest/globals';
import type { PortCall } from '../../../core/calls/port-call.ts';
import { dailySeries } from '../../../core/metrics/daily.ts';
import { recentFigures, snapshotAt } from '../../../core/metrics/snapshot.ts';
import { addDays, DAY_MS, dayOf, daysBetween } from '../../../core/reference/time.ts';
import { atHour, callOf, leg, waitingCall } from '../../builders/calls.ts';

const AS_OF = atHour(10);
const coverage = [{ fromAt: AS_OF - 60 * DAY_MS, toAt: AS_OF }];
const today = dayOf(AS_OF);

function recentOf(calls: readonly PortCall[], over = coverage) {
  const days = daysBetween(dayOf(over[0]?.fromAt ?? AS_OF), today);
  const series = new Map(
    dailySeries({ days, calls, coverage: over, asOfAt: AS_OF }).map((row) => [row.day, row]),
  );
  const flowTerm = series.get(today)?.flowTerm;
  const snapshot = snapshotAt({ asOfAt: AS_OF, calls, coverage: over, flowTerm });
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

  it.each([
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
