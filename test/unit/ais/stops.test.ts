/** Kinds that spread alone does not tell: at a buoy, warped along a quay, and with coarse positions. */
import { describe, expect, it } from '@jest/globals';
import type { Fix } from '../../../core/ais/fix.ts';
import { sailing, staysAfter, textOf } from './paths.ts';

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
