/** The snapshot: counts of the instant and the running average, with few berthings and with none. */
import { describe, expect, it } from '@jest/globals';
import { dailyMetrics } from '../../../core/metrics/daily.ts';
import { snapshotAt } from '../../../core/metrics/snapshot.ts';
import { dayOf } from '../../../core/reference/time.ts';
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

describe('a snapshot', () => {
  it('counts merchant vessels and scores cargo with the queue of the instant', () => {
    const snapshot = snapshotAt({ coverage: [], asOfAt: AS_OF, calls: CALLS });
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

  it('has the average of the running day', () => {
    const coverage = [{ fromAt: atHour(-100), toAt: AS_OF }];
    const running = dailyMetrics({ day: dayOf(AS_OF), calls: CALLS, coverage, asOfAt: AS_OF });
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF, calls: CALLS }).avgWaitHours).toBe(running.avgWaitHours);
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
    const one = waitingCall(-30, 10, 20);
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF, calls: [one] })).toMatchObject({
      avgWaitHours: 10,
      waitBasis: 'berthed',
    });
    const waiting = [callOf([leg('anchorage', -10)]), callOf([leg('anchorage', 0)])];
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF, calls: [one, ...waiting] })).toMatchObject({
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
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF, calls: open })).toMatchObject({
      avgWaitHours: 12.5,
      waitBasis: 'open',
    });
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF, calls: [] })).toEqual({
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
    expect(snapshotAt({ coverage: [], asOfAt: AS_OF, calls: [laidUp] })).toMatchObject({
      avgWaitHours: 0,
      inPort: 0,
    });
  });
});
