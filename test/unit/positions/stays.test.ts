/** Stays and stops: their kinds, their borders between two fixes, and vessels that pass an outlier. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Fix } from '../../../core/positions/fix.ts';
import { fixedDegrees, KNOT } from '../../../core/positions/geometry.ts';
import { sailing, staysAfter, textOf } from './paths.ts';
import { engineAfter, fixAt, START } from './world.ts';

const LATITUDE = fixedDegrees(33.7);
/** Metres of 1e-5 degrees of latitude. */
const METRES = 1.11195;

describe('the border of a stay between two fixes', () => {
  /** Seconds to and from rest, at rest for four hours in between. */
  const REST_SECONDS = 4 * 3600;

  /** Knots, and metres from the place of rest, `seconds` before the vessel came to rest or after it left. */
  const motion = (seconds: number, knotsEachMinute: number): { knots: number; metres: number } => {
    const knots = (Math.max(0, seconds) * knotsEachMinute) / 60;
    return { knots, metres: (knots * KNOT * Math.max(0, seconds)) / 2 };
  };

  const rate = fc.double({ min: 0.2, max: 0.8, noNaN: true });
  const interval = fc.constantFrom(60, 120, 180, 300);
  const offset = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

  it('is where a steady change of speed and the distance made good put it', () => {
    fc.assert(
      fc.property(rate, rate, interval, offset, (slows, gathers, step, share) => {
        const fixes: Fix[] = [];
        for (let at = -1200 + share * step; at < REST_SECONDS + 1200; at += step) {
          const seconds = Math.round(at);
          const isComing = seconds < REST_SECONDS / 2;
          const { knots, metres } = isComing
            ? motion(-seconds, slows)
            : motion(seconds - REST_SECONDS, gathers);
          const latitude = Math.round(LATITUDE + ((isComing ? -1 : 1) * metres) / METRES);
          fixes.push(fixAt(seconds / 60, { latitude, speed: Math.round(knots * 10) }));
        }
        const [stay, ...others] = staysAfter(fixes);
        expect(others).toEqual([]);
        // The stay begins and ends between one knot and rest; half a minute for rounded speeds and positions.
        const [start, end] = [stay?.start ?? 0, stay?.end ?? 0].map((time) => time - START / 1000);
        expect(start).toBeGreaterThan(-60 / slows - 30);
        expect(start).toBeLessThan(30);
        expect(end).toBeGreaterThan(REST_SECONDS - 30);
        expect(end).toBeLessThan(REST_SECONDS + 60 / gathers + 30);
      }),
    );
  });

  it('is half-way where a speed is not stated', () => {
    const moving = [0, 5, 10].map((minute) =>
      fixAt(minute, { latitude: LATITUDE + 4000 - 250 * minute, speed: 60 }),
    );
    const still = Array.from({ length: 40 }, (_, index) => fixAt(20 + 5 * index, { latitude: LATITUDE }));
    const unstated = moving.map((fix, index) => (index === 2 ? { ...fix, speed: -1 } : fix));
    expect(staysAfter([...unstated, ...still])[0]?.start).toBe(START / 1000 + 15 * 60);
  });
});

describe('a vessel that passes an outlier of its own', () => {
  it('stays on its track', () => {
    const passage = Array.from({ length: 60 }, (_, minute) =>
      fixAt(minute, { latitude: LATITUDE + Math.round((minute * 600 * KNOT) / METRES), speed: 100 }),
    );
    const outlier = {
      ...fixAt(10, { latitude: passage[40]?.latitude ?? 0, speed: 100 }),
      time: START / 1000 + 630,
    };
    const engine = engineAfter([...passage.slice(0, 11), outlier, ...passage.slice(11)]);
    const tracks = [...engine.vessels.values()].flatMap((vessel) => vessel.tracks);
    expect(tracks.map(({ fixes }) => fixes)).toEqual([60, 1]);
  });
});

/**
 * Comes in from sea at the status given, and then reports every five minutes for ten hours what `at` says of the minute.
 * Coordinates are multiples of `unit`, in 1e-5 degrees.
 */
function staying(statusUnderWay: number, at: (minute: number) => Partial<Fix>, unit = 1): string[] {
  const rounded = (fix: Fix): Fix => ({
    ...fix,
    latitude: Math.round(fix.latitude / unit) * unit,
    longitude: Math.round(fix.longitude / unit) * unit,
  });
  const legs = [
    { hours: 1, knots: 10, course: 0 },
    { hours: 10, knots: 0, course: 0 },
    { hours: 1, knots: 10, course: 90 },
  ];
  const path = sailing(legs, 5, { status: statusUnderWay }).map((fix, index): Fix => {
    const minute = (index - 12) * 5;
    if (minute < 0 || minute >= 600) return fix;
    const { latitude = 0, longitude = 0, ...rest } = at(minute);
    return { ...fix, ...rest, latitude: fix.latitude + latitude, longitude: fix.longitude + longitude };
  });
  return textOf(staysAfter(path.map(rounded)));
}

const [UNDER_WAY, AT_ANCHOR, MOORED] = [0, 1, 5];

/** Swings with the tide on a circle, in 1e-5 degrees. */
const swing =
  (radius: number, status: number) =>
  (minute: number): Partial<Fix> => {
    const angle = Math.PI * Math.sin(minute / 100);
    return {
      latitude: Math.round(radius * Math.cos(angle)),
      longitude: Math.round(radius * Math.sin(angle)),
      heading: Math.round((angle * 180) / Math.PI + 360) % 360,
      status,
    };
  };

describe('a vessel that swings within some 50 m', () => {
  it('lies at a mooring buoy where it states nearly all the time that it is moored', () => {
    expect(staying(UNDER_WAY, swing(45, MOORED))).toEqual(['berth 1-11']);
    const late = (minute: number) => swing(45, minute < 30 ? UNDER_WAY : MOORED)(minute);
    expect(staying(UNDER_WAY, late)).toEqual(['berth 1-11']);
  });

  it('lies at anchor where it states so, states nothing, or states that it is moored under way, too', () => {
    expect(staying(UNDER_WAY, swing(45, AT_ANCHOR))).toEqual(['wait 1-11']);
    expect(staying(UNDER_WAY, swing(45, UNDER_WAY))).toEqual(['wait 1-11']);
    expect(staying(MOORED, swing(45, MOORED))).toEqual(['wait 1-11']);
  });
});

it('a vessel warped along its quay has one berth stay', () => {
  // 133 m along the heading of 45 degrees, at a fifth of a knot or between two fixes.
  for (const minutes of [20, 1]) {
    const warped = (minute: number): Partial<Fix> => {
      const units = Math.round((Math.min(1, Math.max(0, (minute - 300) / minutes)) * 133) / 1.11195);
      const along = Math.round(units * Math.SQRT1_2);
      return { latitude: along, longitude: along, heading: 45, status: MOORED };
    };
    expect(staying(UNDER_WAY, warped)).toEqual(['berth 1-11']);
  }
});

describe('with coordinates of three decimals', () => {
  it('a vessel that swings in one spot is at anchor', () => {
    expect(staying(UNDER_WAY, swing(40, AT_ANCHOR), 100)).toEqual(['wait 1-11']);
    expect(staying(UNDER_WAY, swing(40, -1), 100)).toEqual(['wait 1-11']);
  });

  it('a vessel between two spots that keeps its heading is at a berth', () => {
    const between = (minute: number): Partial<Fix> => ({
      latitude: minute % 10 === 0 ? -50 : 50,
      heading: 30,
    });
    expect(staying(UNDER_WAY, between, 100)).toEqual(['berth 1-11']);
  });
});
