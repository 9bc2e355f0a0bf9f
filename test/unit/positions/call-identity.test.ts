/** A call keeps its identity and its past, whatever its vessel does next. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closedStays } from '../../../core/calls/port-call.ts';
import { toPortCall } from '../../../core/calls/records.ts';
import { Engine, readState, writeState } from '../../../core/positions/engine.ts';
import { type Fix, POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import { KNOT, metresBetween } from '../../../core/positions/geometry.ts';
import type { OutageSeconds } from '../../../core/positions/reception.ts';
import { publishedAfter } from '../../../core/positions/steps.ts';
import {
  changedRecords,
  type PublishedRecords,
  settleVessels,
  toRecords,
} from '../../../core/positions/vessel-calls.ts';
import type { Locode } from '../../../core/reference/codes.ts';
import { extent } from '../../builders/extent.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { fixAt, LONG_BEACH, LOS_ANGELES, START } from './world.ts';

const SETTLED_MS = POLL_PARAMETERS.settledSeconds * 1000;
const HANDED_OVER_MINUTES = 6 * 60;
const POLL_MINUTES = 15;

interface Poll {
  readonly minute: number;
  readonly fixes: readonly Fix[];
  readonly outages?: OutageSeconds;
  readonly covered?: readonly Locode[];
}

/** What is stored of the calls of a port, as the ingest applies each step's records. */
class Tables {
  /** Closed stays, by port, call and start, as they were when they had been closed for the settling time. */
  readonly settled = new Map<string, string>();
  readonly withdrawn: string[] = [];
  /** The name under which each closed stay was first stored, by port and start. */
  private readonly names = new Map<string, string>();
  readonly renamed: string[] = [];
  private stays = new Map<string, { readonly text: string; readonly endAt: number }>();

  apply(port: Locode, record: Parameters<typeof toPortCall>[0], at: number): void {
    const prefix = `${port} ${record.callId} `;
    for (const key of this.stays.keys()) if (key.startsWith(prefix)) this.stays.delete(key);
    if (record.cancelled) this.withdrawn.push(prefix);
    const call = record.cancelled ? undefined : toPortCall(record, { port, observedAt: at });
    for (const { kind, startAt, endAt } of call === undefined ? [] : closedStays(call)) {
      this.stays.set(`${prefix}${startAt}`, { text: `${kind} ${endAt}`, endAt });
      const name = this.names.get(`${port} ${startAt}`) ?? record.callId;
      this.names.set(`${port} ${startAt}`, name);
      if (name !== record.callId) this.renamed.push(`${port} ${startAt}: ${name}, now ${record.callId}`);
    }
  }

  /** Keys of settled stays that are gone or changed at `at`. */
  changedSettled(at: number): string[] {
    const faults = [...this.settled]
      .filter(([key, text]) => this.stays.get(key)?.text !== text)
      .map(([key, text]) => `${key}: ${text}, now ${this.stays.get(key)?.text}`);
    for (const [key, { text, endAt }] of this.stays) if (at - endAt > SETTLED_MS) this.settled.set(key, text);
    return faults;
  }
}

/** Steps as a source of polls makes them, with a state written and read back between two of them. */
function runPolls(polls: Iterable<Poll>, ports = [LOS_ANGELES, LONG_BEACH]): Tables {
  const alone = stayParts(ports, POLL_PARAMETERS);
  const tables = new Tables();
  let [vessels, published]: [ReturnType<typeof readState>, PublishedRecords] = [new Map(), new Map()];
  for (const { minute, fixes, outages, covered = ['USLAX', 'USLGB'] } of polls) {
    const time = START / 1000 + minute * 60;
    const parts = { ...alone, outages };
    const engine = new Engine({ parameters: POLL_PARAMETERS, vessels, outages });
    for (const fix of fixes) engine.push(fix);
    const records = [...engine.vessels.values()].flatMap((vessel) => toRecords(vessel, time, parts));
    const step = changedRecords(published, records, time, POLL_PARAMETERS);
    for (const { port, record } of step.changed)
      if (covered.includes(port)) tables.apply(port, record, time * 1000);
    published = publishedAfter(published, step.published, new Map(covered.map((port) => [port, 0])));
    settleVessels(vessels.values(), time, parts, (port) => covered.includes(port));
    expect(tables.changedSettled(time * 1000)).toEqual([]);
    if (minute % HANDED_OVER_MINUTES !== 0) continue;
    vessels = readState(writeState(vessels));
  }
  return tables;
}

/** Where the vessel sails next, in 1e-5 degrees, at what speed, and what it does there for how long. */
interface Leg {
  readonly to: readonly [number, number];
  readonly knots: number;
  readonly state: 'berth' | 'anchor' | 'silent';
  readonly minutes: number;
}

/** The fixes along the legs, which follow one another. */
function* fixesAlong(legs: readonly Leg[], changes: Partial<Fix> = {}): Generator<Fix> {
  let [minute, latitude, longitude] = [0, 3_360_000, -11_820_000];
  for (const { to, knots, state, minutes } of legs) {
    const [fromLatitude, fromLongitude] = [latitude, longitude];
    const sailing = metresBetween(latitude, longitude, ...to) / (knots * KNOT * 60);
    const arriving = minute + sailing;
    for (; minute < arriving; minute += POLL_MINUTES) {
      const share = 1 - (arriving - minute) / sailing;
      latitude = Math.round(fromLatitude + (to[0] - fromLatitude) * share);
      longitude = Math.round(fromLongitude + (to[1] - fromLongitude) * share);
      yield fixAt(minute, { latitude, longitude, speed: knots * 10, heading: 90, ...changes });
    }
    for (const until = minute + minutes; minute < until; minute += POLL_MINUTES) {
      const turn = state === 'anchor' ? Math.sin(minute / 90) : 0;
      const lying = { latitude: Math.round(to[0] + 220 * turn), longitude: to[1] };
      const heading = Math.floor(90 + 80 * turn);
      if (state !== 'silent') yield fixAt(minute, { ...lying, speed: 1, heading, ...changes });
    }
    [latitude, longitude] = to;
  }
}

/** Polls, each with the fixes since the one before. */
function* pollsOf(fixes: readonly Fix[], more: Partial<Poll> = {}): Generator<Poll> {
  const inOrder = fixes.toSorted((a, b) => a.time - b.time);
  let at = 0;
  for (let minute = POLL_MINUTES; at < inOrder.length; minute += POLL_MINUTES) {
    const from = at;
    while (at < inOrder.length && (inOrder[at]?.time ?? 0) <= START / 1000 + minute * 60) at += 1;
    yield { minute, fixes: inOrder.slice(from, at), ...more };
  }
}

const QUAY = [3_373_500, -11_826_500] as const;
const JETTY = [3_373_500, -11_823_300] as const;

describe('a call', () => {
  it.each([
    [4, 1],
    [1, 1],
  ])(
    'of a tanker that is %i h alongside and %i h under way in turn keeps its stays and its name',
    (alongside, underWay) => {
      const days = 4 + alongside;
      const legs = Array.from(
        { length: (days * 24) / (alongside + underWay) },
        (_, index): Leg => ({
          to: index % 2 === 0 ? QUAY : JETTY,
          knots: 1.6,
          state: 'berth',
          minutes: alongside * 60,
        }),
      );
      const { settled, withdrawn } = runPolls(pollsOf([...fixesAlong(legs)]));
      expect(withdrawn).toEqual([]);
      expect(settled.size).toBeGreaterThan(((days - 4) * 24) / (alongside + underWay));
      expect(new Set([...settled.keys()].map((key) => key.split(' ')[1])).size).toBe(1);
    },
  );

  it('of a vessel that shifts for longer than a vessel is laid up is still one', () => {
    const legs = Array.from(
      { length: 400 },
      (_, index): Leg => ({ to: index % 2 === 0 ? QUAY : JETTY, knots: 1.6, state: 'berth', minutes: 180 }),
    );
    const engine = new Engine({ parameters: POLL_PARAMETERS });
    const [vessels, parts] = [engine.vessels, stayParts([LOS_ANGELES], POLL_PARAMETERS)];
    const names = new Set<string>();
    const stops: number[] = [];
    let day = 0;
    for (const fix of fixesAlong(legs)) {
      engine.push(fix);
      if (fix.time < START / 1000 + (day + 1) * 86_400) continue;
      day += 1;
      for (const { record } of [...vessels.values()].flatMap((stays) => toRecords(stays, fix.time, parts))) {
        names.add(record.callId);
        stops.push(record.stops.length);
      }
      settleVessels(vessels.values(), fix.time, parts);
    }
    expect(day).toBeGreaterThan(65);
    expect(names.size).toBe(1);
    // Nothing is added for the days after the sixtieth but the last three.
    expect(Math.max(...stops)).toBeLessThan((66 * 24) / 4);
  });

  const spot = fc.tuple(
    fc.integer({ min: 3_362_000, max: 3_376_000 }),
    fc.integer({ min: -11_835_000, max: -11_812_000 }),
  );
  const leg: fc.Arbitrary<Leg> = fc.record({
    to: fc.oneof(spot, fc.constantFrom(QUAY, JETTY)),
    knots: fc.constantFrom(0.8, 2, 6, 12),
    state: fc.constantFrom<Leg['state'][]>('berth', 'berth', 'anchor', 'silent'),
    minutes: fc.oneof(fc.integer({ min: 10, max: 500 }), fc.integer({ min: 10, max: 4000 })),
  });
  const darkness = fc.record({
    port: fc.constantFrom('USLAX', 'USLGB'),
    from: fc.integer({ min: 0, max: 20_000 }),
    minutes: fc.integer({ min: 20, max: 9000 }),
  });

  it('keeps its name and its settled stays in any traffic, with any reception', () => {
    const berthings = [QUAY, JETTY, QUAY, JETTY].map(
      (to): Leg => ({ to, knots: 2, state: 'berth', minutes: 4000 }),
    );
    let count = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(leg, { minLength: 4, maxLength: 16 }), { minLength: 1, maxLength: 2 }),
        fc.array(darkness, { maxLength: 4 }),
        fc.boolean(),
        (vessels, dark, isAlone) => {
          // The second vessel transmits the MMSI of the first.
          const fixes = vessels.flatMap((legs, index) =>
            [...fixesAlong(legs)].map((fix) => ({ ...fix, latitude: fix.latitude + index * 2000 })),
          );
          const outagesAt =
            (until: number): OutageSeconds =>
            (_, from, to) =>
              Math.max(
                0,
                ...dark.map((outage) => {
                  const begin = START / 1000 + outage.from * 60;
                  const end = Math.min(begin + outage.minutes * 60, until);
                  return end - begin <= 4 * 3600 ? 0 : Math.min(to, end) - Math.max(from, begin);
                }),
              );
          const polls = [...pollsOf(fixes)].map(({ minute, fixes: received }) => {
            const isDark = (port: string): boolean =>
              dark.some(
                (outage) =>
                  outage.port === port && outage.from <= minute && minute < outage.from + outage.minutes,
              );
            return {
              minute,
              fixes: isDark('USLAX') ? [] : received,
              outages: outagesAt(START / 1000 + minute * 60),
              covered: ['USLAX', 'USLGB'].filter((port) => !isDark(port)),
            };
          });
          const tables = runPolls(polls, isAlone ? [LOS_ANGELES] : undefined);
          // A wait moves to the port of the berth that follows, and the call there begins with it.
          if (isAlone) expect(tables.renamed).toEqual([]);
          count += tables.settled.size;
        },
      ),
      // In the example a stay certainly settles.
      { numRuns: extent(2, 100), examples: [[[berthings], [], true]] },
    );
    expect(count).toBeGreaterThan(0);
  });
});
