/** Port calls from stays, and the records that change from one step to the next. */
import { describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../core/positions/engine.ts';
import { DEFAULT_PARAMETERS, type Fix, UNKNOWN } from '../../../core/positions/fix.ts';
import { fixedDegrees } from '../../../core/positions/geometry.ts';
import {
  type CallOfPort,
  changedRecords,
  type PublishedRecords,
  toRecords,
} from '../../../core/positions/vessel-calls.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { engineAfter, fixAt, LONG_BEACH, LOS_ANGELES, START } from './world.ts';

const parts = stayParts([LOS_ANGELES, LONG_BEACH]);
const at = (latitude: number, longitude: number): Partial<Fix> => ({
  latitude: fixedDegrees(latitude),
  longitude: fixedDegrees(longitude),
});
const ROADSTEAD = at(33.68, -118.17);
const BERTH_LAX = at(33.735, -118.265);

/** Fixes every two minutes at one place: swinging at anchor, still at a berth. */
function stayFixes(from: number, to: number, place: Partial<Fix>, kind: 'wait' | 'berth'): Fix[] {
  return Array.from({ length: (to - from) / 2 }, (_, index) => {
    const minute = from + 2 * index;
    const turn = kind === 'wait' ? Math.sin(minute / 90) : 0;
    const latitude = (place.latitude ?? 0) + Math.round(250 * turn);
    return fixAt(minute, { ...place, latitude, speed: 1, heading: Math.floor((turn + 1) * 175) });
  });
}

/** Fixes every two minutes on the straight way between two places. */
function sail(from: number, to: number, start: Partial<Fix>, end: Partial<Fix>): Fix[] {
  const { latitude = 0, longitude = 0 } = start;
  return Array.from({ length: (to - from) / 2 }, (_, index) => {
    const share = (index + 0.5) / ((to - from) / 2);
    return fixAt(from + 2 * index, {
      latitude: Math.round(latitude + ((end.latitude ?? 0) - latitude) * share),
      longitude: Math.round(longitude + ((end.longitude ?? 0) - longitude) * share),
      speed: 120,
    });
  });
}

const IN_FROM_SEA = sail(0, 20, at(33.61, -118.16), ROADSTEAD);
const time = (minutes: number): number => START / 1000 + minutes * 60;

function calls(engine: Engine, minutes: number): CallOfPort[] {
  return [...engine.vessels.values()].flatMap((vessel) => toRecords(vessel, time(minutes), parts));
}

describe('a call', () => {
  const wait = stayFixes(20, 320, ROADSTEAD, 'wait');
  const toBerth = sail(320, 350, ROADSTEAD, BERTH_LAX);
  const berth = stayFixes(350, 650, BERTH_LAX, 'berth');
  const out = sail(650, 690, BERTH_LAX, at(33.6, -118.2));

  it('has the wait and the berth as stops, and the ATA of the wait', () => {
    const [call, ...others] = calls(
      engineAfter([...IN_FROM_SEA, ...wait, ...toBerth, ...berth, ...out]),
      700,
    );
    expect(others).toEqual([]);
    expect(call?.port).toBe('USLAX');
    expect(call?.record.stops.map(({ zone }) => zone)).toEqual(['anchorage', 'berth']);
    const [first, second] = call?.record.stops ?? [];
    // A steady change between 12 knots and none over 390 m takes the two minutes between the fixes.
    expect(first?.ataAt).toBe(START + 20 * 60_000 - 4000);
    expect(second?.atdAt).toBe(START + 648 * 60_000 + 4000);
    expect(call?.record).not.toHaveProperty('ataInferred');
    expect(call?.record).not.toHaveProperty('waitKnown');
  });

  it('counts an open wait for the nearest port, and moves it to the port of the berth that follows', () => {
    const waiting = calls(engineAfter([...IN_FROM_SEA, ...wait]), 320);
    expect(waiting.map(({ port }) => port)).toEqual(['USLGB']);
    const berthed = calls(engineAfter([...IN_FROM_SEA, ...wait, ...toBerth, ...berth]), 650);
    const first = changedRecords(new Map(), waiting, time(320), DEFAULT_PARAMETERS);
    const second = changedRecords(first.published, berthed, time(650), DEFAULT_PARAMETERS);
    expect(second.changed.map(({ port, record }) => [port, record.cancelled ?? false])).toEqual([
      ['USLAX', false],
      ['USLGB', true],
    ]);
  });

  it('stays open between the anchorage and the berth', () => {
    const [call] = calls(engineAfter([...IN_FROM_SEA, ...wait, ...toBerth]), 350);
    expect(call?.record.stops.at(-1)).toEqual({ zone: 'berth', place: '' });
  });

  it('has two berths where a vessel shifts 490 m between two polls and one shows it under way', () => {
    const alongside = (from: number, latitude: number): Fix[] =>
      Array.from({ length: 60 }, (_, index) =>
        fixAt(from + 5 * index, { ...at(latitude, -118.265), heading: latitude < 33.737 ? 134 : 39 }),
      );
    const second = 33.735 + 490 / 111_195;
    const shift = [
      fixAt(300, { ...at(33.735 + 19 / 111_195, -118.265), speed: 8, heading: 11 }),
      fixAt(305, { ...at(33.735 + 250 / 111_195, -118.265), speed: 27, heading: 24 }),
    ];
    const [call, ...others] = calls(
      engineAfter([...alongside(0, 33.735), ...shift, ...alongside(310, second)]),
      605,
    );
    expect(others).toEqual([]);
    expect(call?.record.stops).toMatchObject([
      { zone: 'berth', ataAt: START, atdAt: START + 300 * 60_000 - 34_000 },
      { zone: 'berth', ataAt: START + 310 * 60_000 - 56_000 },
    ]);
  });

  it('has a berth where the first fix of a vessel that casts off states no speed', () => {
    const alongside = Array.from({ length: 74 }, (_, index) =>
      fixAt(5 * index, { ...at(33.735 + (index % 2) / 9000, -118.265), heading: 320 }),
    );
    const castOff = fixAt(370, { ...at(33.735 + 84 / 111_195, -118.265), speed: UNKNOWN, heading: 89 });
    const underWay = [375, 380].map((minute, index) =>
      fixAt(minute, { ...at(33.74 + index / 100, -118.265), speed: 80, heading: 87 }),
    );
    const [call] = calls(engineAfter([...alongside, ...[castOff], ...underWay]), 385);
    expect(call?.record.stops).toMatchObject([{ zone: 'berth', atdAt: START + 367.5 * 60_000 }]);
  });

  it('has an inferred ATA and an unknown wait when the vessel was there already', () => {
    const [call] = calls(engineAfter([...wait, ...toBerth, ...berth]), 650);
    expect(call?.record).toMatchObject({ ataInferred: true, waitKnown: false });
  });

  it('states that it does not know since when the vessel is there when it was there already', () => {
    const [call] = calls(engineAfter([...berth]), 650);
    expect(call?.record.stops).toMatchObject([{ startUnknown: true }]);
    expect(call?.record.stops[0]).not.toHaveProperty('endUnknown');
    const [seen] = calls(engineAfter([...IN_FROM_SEA, ...wait]), 320);
    expect(seen?.record.stops[0]).not.toHaveProperty('startUnknown');
  });

  it('stays open for 12 hours of silence, and then ends at an unknown time after the vessel was last received', () => {
    const engine = engineAfter([...IN_FROM_SEA, ...wait]);
    const [open] = calls(engine, 318 + 11 * 60)[0]?.record.stops ?? [];
    expect(open).not.toHaveProperty('atdAt');
    expect(open).not.toHaveProperty('endUnknown');
    const [closed] = calls(engine, 318 + 13 * 60)[0]?.record.stops ?? [];
    expect(closed).toMatchObject({ atdAt: START + 318 * 60_000, endUnknown: true });
  });

  it('does not know when the vessel left that was silent for hours before it was seen to move', () => {
    const later = sail(318 + 6 * 60, 318 + 7 * 60, ROADSTEAD, BERTH_LAX);
    const [call] = calls(engineAfter([...IN_FROM_SEA, ...wait, ...later]), 318 + 7 * 60);
    expect(call?.record.stops[0]).toMatchObject({ atdAt: START + (318 + 6 * 60) * 60_000, endUnknown: true });
    expect(call?.record.waitKnown).toBe(false);
  });

  it('is of a ferry where the type says so, and is left out while the type is unknown', () => {
    const typed = (vesselType: number) => berth.map((fix) => ({ ...fix, vesselType }));
    expect(calls(engineAfter([...IN_FROM_SEA, ...typed(69)]), 650)[0]?.record.traffic).toBe('ferry');
    expect(calls(engineAfter([...typed(0)]), 650)).toEqual([]);
    expect(calls(engineAfter([...typed(52)]), 650)).toEqual([]);
  });

  it('is published again only when its content changed, and a settled one is not withdrawn', () => {
    const engine = engineAfter([...IN_FROM_SEA, ...wait, ...toBerth, ...berth, ...out]);
    const step = (before: PublishedRecords, records: CallOfPort[], minutes: number) =>
      changedRecords(before, records, time(minutes), DEFAULT_PARAMETERS);
    const first = step(new Map(), calls(engine, 700), 700);
    expect(first.changed).toHaveLength(1);
    expect(step(first.published, calls(engine, 705), 705).changed).toEqual([]);
    const settled = 700 + 4 * 24 * 60;
    expect(step(first.published, [], settled)).toEqual({ published: new Map(), changed: [] });
    const elsewhere = calls(engine, 700).map((call) => ({ ...call, port: 'USZZZ' }));
    expect(step(first.published, elsewhere, 705).changed).toHaveLength(2);
    expect(step(first.published, elsewhere, settled)).toEqual({ published: first.published, changed: [] });
  });
});
