/** Outages of receivers: what is remembered of them, and what they do to stays. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Engine, readState, writeState } from '../../../core/positions/engine.ts';
import type { Fix } from '../../../core/positions/fix.ts';
import {
  type OutageSeconds,
  outagesIn,
  type PortReception,
  receptionAfter,
} from '../../../core/positions/reception.ts';
import { trackStays, type VesselStay } from '../../../core/positions/vessel-calls.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { engineAfter, fixAt, LOS_ANGELES, START } from './world.ts';

const HERE = { latitude: 3_370_000, longitude: -11_820_000 };
const BOX = {
  south: 33.4,
  west: -118.6,
  north: 34.1,
  east: -117.8,
  ports: ['USLAX', 'USLGB'],
  neighbours: [],
};
const hour = (hours: number): Instant => START + hours * HOUR_MS;
const seconds = (hours: number): number => hour(hours) / 1000;

describe('the reception at a port', () => {
  /** After covered spans in hours. */
  const covering = (...spans: readonly [number, number][]): PortReception =>
    spans.reduce<PortReception>(
      (before, [from, to]) => receptionAfter(before, { fromAt: hour(from), toAt: hour(to) }),
      {},
    );
  const hoursOf = (reception: PortReception, at: number, from: number, to: number, position = HERE): number =>
    outagesIn([BOX], { USLAX: reception }, hour(at))(position, seconds(from), seconds(to)) / 3600;

  it('has no outage before it is first covered, nor between spans at most four hours apart', () => {
    expect(hoursOf({}, 50, 0, 50)).toBe(0);
    expect(hoursOf(covering([0, 10], [14, 20]), 24, 0, 24)).toBe(0);
  });

  it('has those between spans further apart, and the one under way', () => {
    expect(hoursOf(covering([0, 10], [15, 20], [40, 41]), 41, 0, 41)).toBe(25);
    expect(hoursOf(covering([0, 10]), 30, 0, 30)).toBe(20);
    expect(hoursOf(receptionAfter(covering([0, 10]), undefined), 30, 0, 30)).toBe(20);
  });

  it('counts the part between the two times only, in its box only', () => {
    const reception = covering([0, 10], [30, 31]);
    expect(hoursOf(reception, 31, 20, 25)).toBe(5);
    expect(hoursOf(reception, 31, 0, 10)).toBe(0);
    expect(hoursOf(reception, 31, 0, 31, { latitude: 3_300_000, longitude: -11_820_000 })).toBe(0);
  });

  it('forgets outages two weeks after their end, so that it does not grow', () => {
    const spans = Array.from({ length: 200 }, (_, index): [number, number] => [index * 24, index * 24 + 12]);
    expect(covering(...spans).outages?.length).toBe(14);
  });

  it('of two boxes that overlap has the longest outage', () => {
    const two = [BOX, { ...BOX, ports: ['USSAN'] }];
    const receptions = { USLAX: covering([0, 10], [20, 40]), USSAN: covering([0, 20], [40, 41]) };
    expect(outagesIn(two, receptions, hour(41))(HERE, seconds(0), seconds(41))).toBe(20 * 3600);
  });
});

const PARTS = stayParts([LOS_ANGELES]);

/** An outage from one hour to the other, everywhere. */
const outage =
  (fromHour: number, toHour: number): OutageSeconds =>
  (_, from, to) =>
    Math.max(0, Math.min(to, seconds(toHour)) - Math.max(from, seconds(fromHour)));

/** Alongside between the hours: a fix every five minutes. */
const alongside = (from: number, to: number, changes: Partial<Fix> = {}): Fix[] =>
  Array.from({ length: (to - from) * 12 }, (_, index) =>
    fixAt(from * 60 + index * 5, { heading: 45, ...changes }),
  );
/** Under way at sea in the hour before. */
const arriving = (hours: number): Fix[] => [
  fixAt(hours * 60 - 10, { latitude: 3_366_000, speed: 100 }),
  fixAt(hours * 60 - 5, { latitude: 3_368_000, speed: 100 }),
];

const staysAt = ({ vessels }: Engine, at: number, outages: OutageSeconds): VesselStay[] =>
  [...vessels.values()].flatMap(({ tracks }) =>
    tracks.flatMap((track) => trackStays(track, seconds(at), { ...PARTS, outages })),
  );

/** Each stay as hours from and to; `?` marks a time that is not known. */
const textOf = (stays: readonly VesselStay[]): string[] =>
  stays.map(({ start, end, startKnown, endKnown }) => {
    const hours = (time: number): number => Math.round((time - START / 1000) / 3600);
    const until = end === undefined ? '' : `${endKnown ? '' : '?'}${hours(end)}`;
    return `${startKnown ? '' : '?'}${hours(start)}-${until}`;
  });

const staysAfter = (fixes: readonly Fix[], at: number, outages: OutageSeconds): string[] =>
  textOf(staysAt(engineAfter(fixes, { outages }), at, outages));

describe('a vessel alongside', () => {
  const before = [...arriving(2), ...alongside(2, 8)];

  it('before and after an outage has one stay', () => {
    const dark = outage(8, 21);
    expect(staysAfter([...before, ...alongside(21, 25)], 25, dark)).toEqual(['2-']);
    const none = outage(0, 0);
    expect(staysAfter([...before, ...alongside(21, 25)], 25, none)).toEqual(['2-?8', '?21-']);
  });

  it('or at anchor, received on the other side of its anchor after one, has one stay', () => {
    const swung = (from: number, to: number, north: number): Fix[] =>
      alongside(from, to).map((fix, index) => ({
        ...fix,
        latitude: fix.latitude + Math.round(north + 40 * Math.sin(index / 4)),
        heading: Math.floor(180 + 40 * Math.sin(index / 4)),
      }));
    const fixes = [...arriving(2), ...swung(2, 8, -300), ...swung(13, 18, 300)];
    expect(staysAfter(fixes, 18, outage(8, 13))).toEqual(['2-']);
    // A vessel alongside that lies as far off after it has shifted.
    const shifted = alongside(13, 18, { latitude: 3_370_600 });
    expect(staysAfter([...before, ...shifted], 18, outage(8, 13))).toEqual(['2-?13', '?13-']);
  });

  it('counts as there for as long after an outage as after any silence, and then left at an unknown time', () => {
    const dark = outage(8, 21);
    expect(staysAfter(before, 21 + 11, dark)).toEqual(['2-']);
    expect(staysAfter(before, 21 + 13, dark)).toEqual(['2-?21']);
  });

  it('before an outage and elsewhere after it left at an unknown time', () => {
    const elsewhere = alongside(22, 25, { latitude: 3_375_000 });
    expect(staysAfter([...before, ...elsewhere], 25, outage(8, 21))).toEqual(['2-?21', '?22-']);
  });

  it('that moves when it is first received after an outage left at an unknown time', () => {
    const leaving = [0, 5, 10, 15].map((minutes) =>
      fixAt(21 * 60 + minutes, { latitude: 3_370_000 - 400 * minutes, speed: 100 }),
    );
    expect(staysAfter([...before, ...leaving], 22, outage(8, 21))).toEqual(['2-?21']);
  });

  it('that is back after six days and more has left, because a weekly service is', () => {
    const [five, seven] = [8 + 5 * 24, 8 + 7 * 24];
    const back = (at: number): string[] =>
      staysAfter([...before, ...alongside(at, at + 3)], at + 3, outage(8, at));
    expect(back(five)).toEqual(['2-']);
    expect(back(seven)).toEqual([`2-?${seven}`, `?${seven}-`]);
  });

  it('is not forgotten during an outage, however long', () => {
    const dark = outage(8, 30 * 24);
    const engine = engineAfter(before, { outages: dark });
    engine.forget((START + 29 * DAY_MS) / 1000);
    expect(engine.vessels.size).toBe(1);
    engine.forget((START + 45 * DAY_MS) / 1000);
    expect(engine.vessels.size).toBe(0);
  });
});

it('a state handed over at any fix, with the outage as far as it is known then, gives the same stays', () => {
  const fixes = [
    ...arriving(2),
    ...alongside(2, 8),
    ...alongside(21, 25),
    ...alongside(26, 30, { latitude: 3_375_000 }),
  ];
  const dark = outage(8, 21);
  const whole = writeState(engineAfter(fixes, { outages: dark }).vessels);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: fixes.length - 1 }), (cut) => {
      const known = outage(8, Math.min(21, ((fixes[cut - 1]?.time ?? 0) - START / 1000) / 3600));
      const first = new Engine({ outages: known });
      for (const fix of fixes.slice(0, cut)) first.push(fix);
      const vessels = readState(writeState(first.vessels));
      const second = engineAfter(fixes.slice(cut), { vessels, outages: dark });
      expect(writeState(second.vessels)).toBe(whole);
    }),
    { numRuns: 30 },
  );
});
