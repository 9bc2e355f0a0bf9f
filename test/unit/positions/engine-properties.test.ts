/** Properties of the engine for any traffic: order, chunks, hand-over, neighbours, memory. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Engine, readState, writeState } from '../../../core/positions/engine.ts';
import { blankFix, type Fix, UNKNOWN } from '../../../core/positions/fix.ts';
import { DEGREE, metresBetween, wrapLongitude } from '../../../core/positions/geometry.ts';
import { addToSpread, meanPosition, newSpread } from '../../../core/positions/stops.ts';
import { settleVessels, trackStays, type VesselStay } from '../../../core/positions/vessel-calls.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { extent } from '../../builders/extent.ts';
import { cargoStays, lookAt, stayParts, toFix } from '../../worlds/traffic/engine-run.ts';
import type { GeneratedFix, World } from '../../worlds/traffic/world-types.ts';
import { END, START, smallWorld, stateAfter } from './world.ts';

const RUNS = { numRuns: extent(2, 12) };
let world: World;
let fixes: readonly GeneratedFix[];
let whole: string;

beforeAll(() => {
  world = smallWorld({ vessels: 16, days: 1, fixSeconds: 120 });
  fixes = [...world.fixes];
  whole = stateAfter(fixes);
});

/** A permutation that moves no fix past another more than `seconds` older. */
function shuffled(all: readonly GeneratedFix[], seconds: number, draws: readonly number[]): GeneratedFix[] {
  return all
    .map((fix, index) => ({ fix, key: fix.at + (draws[index % draws.length] ?? 0) * seconds * 1000, index }))
    .sort((a, b) => a.key - b.key || a.index - b.index)
    .map(({ fix }) => fix);
}

/** The stays of a state as text, one line each. */
function stayLines(state: string, endAt = END): string[] {
  const engine = new Engine({ vessels: readState(state) });
  return cargoStays([lookAt(engine, endAt / 1000)], stayParts(world.ports))
    .map((stay) => JSON.stringify(stay))
    .sort();
}

describe('the engine', () => {
  it('finds stays at all in the traffic of these tests', () => {
    expect(stayLines(whole).length).toBeGreaterThan(10);
  });

  it('goes on from a written state at any row as if it had not been interrupted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 4 }), (cuts) => {
        const borders = [0, ...cuts.map((cut) => cut % fixes.length).sort((a, b) => a - b), fixes.length];
        let state = writeState(new Map());
        for (const [index, from] of borders.slice(0, -1).entries()) {
          const engine = new Engine({ vessels: readState(state) });
          for (const fix of fixes.slice(from, borders[index + 1])) engine.push(toFix(fix));
          if (index === borders.length - 2) engine.flush();
          state = writeState(engine.vessels);
        }
        expect(state).toBe(whole);
      }),
      RUNS,
    );
  });

  it('does not depend on how the vessels are interleaved', () => {
    const byVessel = fixes.toSorted((a, b) => a.mmsi - b.mmsi);
    expect(stateAfter(byVessel)).toBe(whole);
  });

  it('does not depend on the order of rows within 30 seconds, nor on doubled rows', () => {
    const draw = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(draw, { minLength: 7, maxLength: 50 }), fc.nat(20), (draws, every) => {
        const doubled = fixes.flatMap((fix, index) => (index % (every + 2) === 0 ? [fix, fix] : [fix]));
        expect(stateAfter(shuffled(doubled, 14, draws))).toBe(stateAfter(shuffled(fixes, 0, [0])));
      }),
      RUNS,
    );
  });

  it('keeps the stays of all other vessels when one is left out', () => {
    const without = fixes[0]?.mmsi ?? 0;
    const rest = stateAfter(fixes.filter(({ mmsi }) => mmsi !== without));
    const expected = stayLines(whole).filter(
      (line) => (JSON.parse(line) as { mmsi: number }).mmsi !== without,
    );
    expect(stayLines(rest)).toEqual(expected);
  });

  it('moves stays by whole days with the fixes', () => {
    const later = fixes.map((fix) => ({ ...fix, at: fix.at + 7 * DAY_MS }));
    const moved = stayLines(whole).map((line) => {
      const stay = JSON.parse(line) as { start: number; firstTime: number; end?: number };
      const byAWeek = (time: number): number => time + (7 * DAY_MS) / 1000;
      const end = stay.end === undefined ? {} : { end: byAWeek(stay.end) };
      const begin = { start: byAWeek(stay.start), firstTime: byAWeek(stay.firstTime) };
      return JSON.stringify({ ...stay, ...begin, ...end });
    });
    expect(stayLines(stateAfter(later), END + 7 * DAY_MS)).toEqual(moved.sort());
  });

  it('finds the same stays across the antimeridian', () => {
    const move = (fix: GeneratedFix): GeneratedFix => {
      const longitude = fix.longitude + 298.2;
      return { ...fix, longitude: Number((longitude > 180 ? longitude - 360 : longitude).toFixed(5)) };
    };
    const placed = (state: string, eastward = 0): string[] =>
      stayLines(state)
        .map((line) => {
          const { mmsi, kind, start, end, latitude, longitude } = JSON.parse(line) as VesselStay & {
            mmsi: number;
          };
          const east = longitude + eastward * DEGREE;
          return JSON.stringify([mmsi, kind, start, end, latitude, Math.round(wrapLongitude(east))]);
        })
        .sort();
    const moved = fixes.map(move);
    const sides = new Set(
      moved.filter(({ latitude }) => Math.abs(latitude - 33.7) < 0.3).map((fix) => Math.sign(fix.longitude)),
    );
    expect(sides.size).toBe(2);
    const longitudes = stayLines(stateAfter(moved)).map((line) => (JSON.parse(line) as VesselStay).longitude);
    expect(longitudes.filter((longitude) => Math.abs(longitude) > 180 * DEGREE)).toEqual([]);
    expect(placed(stateAfter(moved))).toEqual(placed(whole, 298.2));
  });

  it('moves borders of stays by at most six minutes when it has a fix every three minutes instead of every one', () => {
    const { fixes: every, truth } = smallWorld({ vessels: 24, days: 2, fixSeconds: 60 });
    // Only fixes that are near to one another distinguish two vessels under one MMSI.
    const shared = new Set(truth.filter((stay) => stay.shared).map(({ mmsi }) => mmsi));
    const minutely = [...every].filter(({ mmsi }) => !shared.has(mmsi));
    const kept = new Map<number, number>();
    const thinned = minutely.filter(({ mmsi, at }) => {
      if (at - (kept.get(mmsi) ?? Number.NEGATIVE_INFINITY) < 3 * MINUTE_MS) return false;
      kept.set(mmsi, at);
      return true;
    });
    expect(thinned.length).toBeLessThan(0.4 * minutely.length);
    const staysIn = (of: readonly GeneratedFix[]) =>
      stayLines(stateAfter(of))
        .map((line) => JSON.parse(line) as VesselStay & { mmsi: number })
        .sort((stay, other) => stay.mmsi - other.mmsi || stay.start - other.start);
    const [all, fewer] = [staysIn(minutely), staysIn(thinned)];
    expect(all.length).toBeGreaterThan(30);
    const kinds = (stays: typeof all) => stays.map(({ mmsi, kind, end }) => [mmsi, kind, end === undefined]);
    expect(kinds(fewer)).toEqual(kinds(all));
    const moved = all.flatMap(({ start, end }, index) => {
      const same = fewer[index];
      return [start - (same?.start ?? 0), (end ?? 0) - (same?.end ?? 0)].map(Math.abs);
    });
    expect(Math.max(...moved)).toBeLessThanOrEqual(6 * 60);
  });

  it('puts a stop on the antimeridian in one cell, from whichever side it is summed', () => {
    const offset = fc.integer({ min: -200, max: 200 });
    const around = fc.array(fc.tuple(offset, offset), { minLength: 3, maxLength: 20 });
    const meanOf = (fixes: readonly Fix[]) => {
      const spread = newSpread(fixes[0]?.latitude ?? 0, fixes[0]?.longitude ?? 0, UNKNOWN);
      for (const fix of fixes) addToSpread(spread, fix);
      return meanPosition(spread);
    };
    fc.assert(
      fc.property(around, fc.integer({ min: -60, max: 60 }), (offsets, latitude) => {
        const here = (middle: number): Fix[] =>
          offsets.map(([north, east]) => ({
            ...blankFix(),
            latitude: latitude * DEGREE + north,
            longitude: wrapLongitude(middle + east),
          }));
        const [across, inland] = [meanOf(here(180 * DEGREE)), meanOf(here(100 * DEGREE))];
        expect(Math.abs(across.longitude)).toBeLessThanOrEqual(180 * DEGREE);
        expect(across).toEqual({ ...inland, longitude: wrapLongitude(inland.longitude + 80 * DEGREE) });
        const fromTheOther = meanOf(here(180 * DEGREE).reverse());
        const metres = metresBetween(
          across.latitude,
          across.longitude,
          fromTheOther.latitude,
          fromTheOther.longitude,
        );
        expect(metres).toBeLessThan(3);
      }),
      { numRuns: 200 },
    );
  });

  it('has stays of a track that never overlap, begin before they end and lie inside the data', () => {
    const engine = new Engine({ vessels: readState(whole) });
    const parts = stayParts(world.ports);
    const tracks = [...engine.vessels.values()].flatMap((vessel) => vessel.tracks);
    for (const track of tracks) {
      const stays = trackStays(track, (START + DAY_MS) / 1000, parts);
      for (const [index, stay] of stays.entries()) {
        const end = stay.end ?? (START + DAY_MS) / 1000;
        expect(stay.start).toBeLessThan(end);
        expect(stay.start).toBeGreaterThanOrEqual(START / 1000);
        expect(end).toBeLessThanOrEqual((START + DAY_MS) / 1000);
        expect(stays[index + 1]?.start ?? end).toBeGreaterThanOrEqual(end);
      }
    }
  });

  it('is not moved by one far outlier between two fixes', () => {
    const middle = Math.floor(fixes.length / 2);
    const near = fixes[middle];
    if (near === undefined) throw new Error('no fixes');
    const outlier = { ...near, at: near.at + MINUTE_MS / 2, latitude: near.latitude + 20, speed: 0 };
    const spoilt = stateAfter([...fixes.slice(0, middle + 1), outlier, ...fixes.slice(middle + 1)]);
    expect(stayLines(spoilt)).toEqual(stayLines(whole));
  });

  it('finds the same stays at any time when types are garbled, no three of one vessel in a row', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 0, 0, 31, 52, 60, 90), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: fixes.length }),
        (draws, length) => {
          const known = fixes.slice(0, length);
          const inARow = new Map<number, number>();
          const garbled = known.map((fix, index) => {
            const row = inARow.get(fix.mmsi);
            const type = draws[index % draws.length] ?? 0;
            // A vessel's first type is believed.
            const isGarbled = type !== 0 && fix.vesselType !== undefined && row !== undefined && row < 2;
            if (fix.vesselType !== undefined) inARow.set(fix.mmsi, isGarbled ? (row ?? 0) + 1 : 0);
            return isGarbled ? { ...fix, vesselType: type } : fix;
          });
          const endAt = known.at(-1)?.at ?? END;
          expect(stayLines(stateAfter(garbled), endAt)).toEqual(stayLines(stateAfter(known), endAt));
        },
      ),
      RUNS,
    );
  });

  it('takes any numbers whatever without throwing, and its state reads back', () => {
    const any = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.constantFrom(0, -1, 205_000_001, 1_767_571_200, 90 * DEGREE),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(any, any, any, any, any, any, any, any), { maxLength: 60 }), (rows) => {
        const engine = new Engine({ latest: 2_000_000_000 });
        for (const [mmsi, time, latitude, longitude, speed, heading, status, vesselType] of rows)
          engine.push({ ...blankFix(), mmsi, time, latitude, longitude, speed, heading, status, vesselType });
        engine.flush();
        expect(readState(writeState(engine.vessels)).size).toBe(engine.vessels.size);
      }),
      { numRuns: 60 },
    );
  });

  it('has a state that does not grow with the length of the stream', () => {
    const engine = new Engine();
    const parts = stayParts(world.ports);
    const thinned = fixes.filter(
      ({ at }) => Math.floor((at - START) / (2 * MINUTE_MS)) % extent(10, 5) === 0,
    );
    const size = (): number => writeState(engine.vessels).length;
    const day = (from: number): void => {
      for (const fix of thinned) engine.push(toFix({ ...fix, at: fix.at + from * DAY_MS }));
      engine.flush();
      const time = (START + (from + 1) * DAY_MS) / 1000;
      settleVessels(engine.vessels.values(), time, parts);
      engine.forget(time);
    };
    // Vessels that sail the same day again and again are in one call until they count as laid up.
    for (let from = 0; from < 64; from += 1) day(from);
    const before = size();
    for (let from = 64; from < 78; from += 1) day(from);
    expect(size()).toBeLessThan(before * 1.15);
    engine.forget((START + 120 * DAY_MS) / 1000);
    expect(engine.vessels.size).toBe(0);
  });
});
