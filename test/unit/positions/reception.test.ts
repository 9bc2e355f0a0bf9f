/** An outage of receivers is not an empty port, for as long as it lasts; a port that has become quiet is covered again. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DAY_MEMORY,
  POLL_MEMORY,
  receiveAt,
  receivePoll,
  type UsualReception,
  withoutSilentApproaches,
} from '../../../core/positions/reception.ts';

/** Receives each number in turn; which of them cover the port. */
function coverage(
  received: Iterable<number>,
  memory = POLL_MEMORY,
  from?: UsualReception,
): { covered: boolean[]; reception: UsualReception } {
  let reception = from ?? { usual: 0, samples: 0 };
  const covered: boolean[] = [];
  for (const now of received) {
    const step = receiveAt(covered.length === 0 ? from : reception, now, memory);
    reception = step.reception;
    covered.push(step.isCovered);
  }
  return { covered, reception };
}

const MILLION = 1_000_000;
const polls = (days: number, vessels: number): number[] =>
  Array.from({ length: days * 288 }, () => vessels * MILLION);
const days = (count: number, vesselHours: number): number[] =>
  Array.from({ length: count }, () => vesselHours);
/** Days after which a fall from 50 vessels to `vessels` is covered again. */
const daysUncovered = (vessels: number): number => {
  const { reception } = coverage(polls(10, 50));
  return coverage(polls(120, vessels), POLL_MEMORY, reception).covered.indexOf(true) / 288;
};

describe('a port that is polled', () => {
  it('with 50 vessels is not covered by the 4 that are received through three days of an outage, nor by fewer', () => {
    const { reception } = coverage(polls(10, 50));
    for (const left of [0, 1, 2, 4, 8]) {
      const outage = coverage(polls(3, left), POLL_MEMORY, reception);
      expect(outage.covered).not.toContain(true);
      // Covered from the first poll with all vessels on, and the next outage is as long.
      const after = coverage(polls(1, 50), POLL_MEMORY, outage.reception);
      expect(after.covered).not.toContain(false);
      expect(coverage(polls(3, left), POLL_MEMORY, after.reception).covered).not.toContain(true);
    }
  });

  it('is covered all along when it falls to a half, a quarter or by steps to a twentieth', () => {
    const { reception } = coverage(polls(10, 50));
    for (const left of [25, 13])
      expect(coverage(polls(60, left), POLL_MEMORY, reception).covered).not.toContain(false);
    const steps = [40, 30, 20, 10, 5, 2].flatMap((vessels) => polls(7, vessels));
    expect(coverage(steps, POLL_MEMORY, reception).covered).not.toContain(false);
  });

  it('that has truly become quiet is covered again after days to weeks', () => {
    expect(daysUncovered(8)).toBeCloseTo(7.6, 0);
    expect(daysUncovered(4)).toBeCloseTo(29.6, 0);
    expect(daysUncovered(2)).toBeLessThan(7 * 8);
    expect(daysUncovered(1)).toBeLessThan(7 * 11);
  });

  it('is not covered before anything was received, and then by what is usual from there on', () => {
    const silent = coverage(polls(1, 0));
    expect(silent.covered).not.toContain(true);
    const start = coverage(
      [1, 50, 50, 50].map((vessels) => vessels * MILLION),
      POLL_MEMORY,
      silent.reception,
    );
    expect(start.covered).toEqual([true, true, true, true]);
    // One poor poll at first is not what is usual.
    expect(coverage(polls(3, 2), POLL_MEMORY, start.reception).covered).not.toContain(true);
  });

  it('with a few vessels is covered by any of them', () => {
    const { reception } = coverage(polls(10, 5));
    expect(coverage(polls(2, 1), POLL_MEMORY, reception).covered).not.toContain(false);
  });
});

describe('a port of day files', () => {
  it('is not covered by an eighth of its vessel-hours for a week, and is again after weeks', () => {
    const { reception } = coverage(days(60, 1200), DAY_MEMORY);
    expect(coverage(days(7, 150), DAY_MEMORY, reception).covered).not.toContain(true);
    const quiet = coverage(days(200, 150), DAY_MEMORY, reception).covered.indexOf(true);
    expect(quiet).toBeGreaterThan(14);
    expect(quiet).toBeLessThan(7 * 10);
    expect(coverage(days(30, 600), DAY_MEMORY, reception).covered).not.toContain(false);
  });

  it('that was silent on its first day is not covered by one vessel later on', () => {
    const { covered, reception } = coverage([0, 0, 1200, 1200], DAY_MEMORY);
    expect(covered).toEqual([false, false, true, true]);
    expect(coverage([24], DAY_MEMORY, reception).covered).toEqual([false]);
  });
});

it('a box that has an outage covers none of its ports, and the others as before', () => {
  const boxes = [
    { south: 0, west: 0, north: 1, east: 1, ports: ['USLAX', 'USLGB'], neighbours: [] },
    { south: 2, west: 2, north: 3, east: 3, ports: ['NLRTM'], neighbours: [] },
  ];
  const [at, step] = [Date.UTC(2026, 0, 5), 5 * 60_000];
  const first = receivePoll({}, boxes, [50, 0], at);
  expect([...first.covered]).toEqual([
    ['USLAX', at],
    ['USLGB', at],
  ]);
  const second = receivePoll(first.receptions, boxes, [4, 7], at + step);
  expect([...second.covered]).toEqual([['NLRTM', at + step]]);
  const third = receivePoll(second.receptions, boxes, [50, 7], at + 2 * step);
  expect([...third.covered]).toEqual([
    ['USLAX', at],
    ['USLGB', at],
    ['NLRTM', at + step],
  ]);
});

it('what is usual lies between the least and the most that was received, in whole numbers', () => {
  const received = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(received, fc.constantFrom(POLL_MEMORY, DAY_MEMORY), (all, memory) => {
      const { reception } = coverage(all, memory);
      expect(Number.isInteger(reception.usual)).toBe(true);
      expect(reception.usual).toBeGreaterThanOrEqual(0);
      expect(reception.usual).toBeLessThanOrEqual(all.reduce((most, now) => Math.max(most, now), 0));
    }),
  );
});

it('a silent roadstead in which five vessels or more are usual leaves its ports uncovered, and no others', () => {
  const roadstead = (name: string, ports: readonly string[]) => ({
    name,
    kind: 'roadstead' as const,
    ports,
    south: 0,
    west: 0,
    north: 1,
    east: 1,
    reason: '',
    reviewed: '2026-11-22',
    source: '',
  });
  const approaches = [roadstead('German Bight', ['DEHAM', 'DEBRV']), roadstead('Kutubdia', ['BDCGP'])];
  const areas = [['DEHAM'], ['DEBRV'], ['NLRTM'], ['BDCGP'], ['German Bight'], ['Kutubdia']].map((ports) => ({
    ports,
  }));
  const at = Date.parse('2026-03-10T12:00:00Z');
  const portsOf = ({ covered, receptions }: ReturnType<typeof receivePoll>) => [
    ...withoutSilentApproaches(covered, receptions, approaches).keys(),
  ];
  const first = receivePoll({}, areas, [50, 40, 90, 20, 30, 4], at);
  expect(portsOf(first)).toEqual(['DEHAM', 'DEBRV', 'NLRTM', 'BDCGP']);
  // Kutubdia may be empty; the German Bight is not.
  const silent = receivePoll(first.receptions, areas, [50, 40, 90, 20, 0, 0], at + 300_000);
  expect(portsOf(silent)).toEqual(['NLRTM', 'BDCGP']);
  const back = receivePoll(silent.receptions, areas, [50, 40, 90, 20, 28, 0], at + 600_000);
  expect(portsOf(back)).toEqual(['DEHAM', 'DEBRV', 'NLRTM', 'BDCGP']);
});
