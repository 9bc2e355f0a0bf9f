/**
 * Generated positions served, from day files and from live polls: snapshot, trend, dwell, alerts and forecast of each port, beside
 * those that the same service gives when the generator's own calls are its records.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { extent, longIt } from '../builders/extent.ts';
import { noaaAround, openWatersAround } from '../builders/narrowed-sources.ts';
import {
  dayFilesOf,
  figuresOfFeed,
  livePollsEvery,
  type PortFigures,
  shareAmong,
} from '../worlds/traffic/served-figures.ts';

const TRAFFIC = { startAt: Date.UTC(2026, 0, 5), days: 9, fixSeconds: 300, hard: false };

/**
 * Few vessels at few ports, so that a port always receives some. With these seeds vessels wait longer at one port than the
 * lowest line of an alert. Polls come less often than the service's every five minutes: that takes less time, and is
 * harder, because a poll shows every second or third fix.
 */
const DAY_PORTS = ['USOAK', 'USSEA', 'USORF'];
const LIVE_PORTS = ['USSAV', 'USHOU'];
const FEEDS = [
  {
    name: 'day files',
    feed: dayFilesOf(noaaAround(DAY_PORTS)),
    traffic: { ...TRAFFIC, seed: 49, vessels: 24, ports: DAY_PORTS },
  },
  {
    name: 'live polls',
    feed: livePollsEvery(extent(15, 10), openWatersAround(LIVE_PORTS)),
    traffic: { ...TRAFFIC, days: extent(6, 9), seed: 7, vessels: 14, ports: LIVE_PORTS },
  },
];

describe.each(extent(FEEDS.slice(1), FEEDS))('$name of generated traffic', ({ feed, traffic }) => {
  let figures: Awaited<ReturnType<typeof figuresOfFeed>>;
  beforeAll(async () => {
    figures = await figuresOfFeed(feed, traffic, traffic.ports);
  });
  const both = (port: string): readonly [PortFigures, PortFigures] => {
    const [served, expected] = [figures.served.get(port), figures.expected.get(port)];
    if (served === undefined || expected === undefined) throw new Error(`no figures of ${port}`);
    return [served, expected];
  };

  it.each(traffic.ports)(
    'give the snapshot of %s: vessels within one, the average wait within an hour',
    (port) => {
      const [served, expected] = both(port);
      const off = (figure: (of: PortFigures['snapshot']) => number): number =>
        Math.abs(figure(served.snapshot) - figure(expected.snapshot));
      expect(expected.snapshot.vessels.in_port).toBeGreaterThan(0);
      expect(off(({ vessels }) => vessels.in_port)).toBeLessThanOrEqual(1);
      expect(off(({ vessels }) => vessels.at_anchor)).toBeLessThanOrEqual(1);
      expect(off((snapshot) => snapshot.avg_wait_hours)).toBeLessThanOrEqual(1);
      expect(off((snapshot) => snapshot.congestion_score)).toBeLessThanOrEqual(0.05);
    },
  );

  it.each(traffic.ports)('give the trend of %s: the average wait of every day within an hour', (port) => {
    const [served, expected] = both(port);
    expect(served.trend.map(({ date }) => date)).toEqual(expected.trend.map(({ date }) => date));
    expect(expected.trend.length).toBeGreaterThan(3);
    for (const [index, row] of expected.trend.entries())
      expect(Math.abs((served.trend[index]?.avg_wait_hours ?? 99) - row.avg_wait_hours)).toBeLessThanOrEqual(
        1,
      );
  });

  it.each(traffic.ports)(
    'give the dwell of %s: 90 %% of the true stays, and 90 %% of those given are true',
    (port) => {
      const [served, expected] = both(port);
      expect(expected.dwell.length).toBeGreaterThan(15);
      expect(shareAmong(expected.dwell, served.dwell)).toBeGreaterThanOrEqual(0.9);
      expect(shareAmong(served.dwell, expected.dwell)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it('give the alerts of the truth where vessels wait long, on the days of the truth', () => {
    const alertsOf = (all: ReadonlyMap<string, PortFigures>) =>
      [...all].flatMap(([port, { alerts }]) =>
        alerts.map(({ type, metric, severity, as_of }) => ({ port, type, metric, severity, as_of })),
      );
    expect(alertsOf(figures.expected)).not.toEqual([]);
    expect(alertsOf(figures.served)).toEqual(alertsOf(figures.expected));
  });
});

longIt(
  'a hundred days of positions give the forecast of the truth, within an hour each day',
  async () => {
    const ports = ['USOAK', 'USSEA'];
    const traffic = { ...TRAFFIC, days: 100, seed: 49, vessels: 16, ports };
    const { served, expected } = await figuresOfFeed(dayFilesOf(), traffic, ports);
    for (const port of ports) {
      const [forecast, truth] = [served.get(port)?.forecast, expected.get(port)?.forecast];
      expect(forecast).toMatchObject({ reason: null, history_days: truth?.history_days });
      expect(forecast?.rows.map(({ date }) => date)).toEqual(truth?.rows.map(({ date }) => date));
      expect(forecast?.rows).toHaveLength(7);
      for (const [index, { p50 }] of (forecast?.rows ?? []).entries())
        expect(Math.abs(p50 - (truth?.rows[index]?.p50 ?? 99))).toBeLessThanOrEqual(1);
    }
  },
  300_000,
);
