/** Limits of what the rows of a day file may say of one another. */
import { expect, it } from '@jest/globals';
import { type Fix, UNKNOWN } from '../../../core/positions/fix.ts';
import { DEGREE, KNOT } from '../../../core/positions/geometry.ts';
import { DayPlausibility } from '../../../core/positions/plausibility.ts';

const METRES_A_DEGREE = 111_195;

/** Twelve vessels that sail north at ten knots, with a row a minute for an hour. */
function faultOf(change: (fix: Fix, vessel: number, minute: number) => Partial<Fix> = () => ({})) {
  const day = new DayPlausibility();
  for (let minute = 0; minute < 60; minute += 1)
    for (let vessel = 0; vessel < 12; vessel += 1) {
      const sailed = (10 * KNOT * minute * 60) / METRES_A_DEGREE;
      const fix = {
        mmsi: 200_000_000 + vessel,
        time: 1_000_000 + minute * 60,
        latitude: Math.round((55 + sailed) * DEGREE),
        longitude: Math.round((10 + vessel / 10) * DEGREE),
        speed: 100,
        heading: 0,
        imo: 0,
        vesselType: vessel % 2 === 0 ? 70 : 80,
        status: 0,
      } as Fix;
      day.take({ ...fix, ...change(fix, vessel, minute) });
    }
  return day.fault()?.[0];
}

it.each<[string, Parameters<typeof faultOf>[0], string | undefined]>([
  ['as they are', undefined, undefined],
  ['with the speeds of half the vessels wrong', (_, vessel) => (vessel < 6 ? { speed: 300 } : {}), undefined],
  ['with those of one more wrong', (_, vessel) => (vessel < 7 ? { speed: 300 } : {}), 'false-speeds'],
  [
    'with three vessels of two types',
    (fix, vessel, minute) => ({ vesselType: vessel < 3 && minute % 2 ? 30 : fix.vesselType }),
    undefined,
  ],
  [
    'with four vessels of two types',
    (fix, vessel, minute) => ({ vesselType: vessel < 4 && minute % 2 ? 30 : fix.vesselType }),
    'mixed-types',
  ],
  ['without a type', () => ({ vesselType: 0 }), 'no-types'],
  ['with one type for all', () => ({ vesselType: 70 }), 'no-types'],
  ['with a speed in five rows', (_, __, minute) => (minute % 5 === 0 ? {} : { speed: UNKNOWN }), undefined],
  ['with a speed in six rows', (_, __, minute) => (minute % 6 === 0 ? {} : { speed: UNKNOWN }), 'no-speeds'],
  ['with no vessel under way', () => ({ speed: 0 }), 'no-speeds'],
  ['with one longitude', () => ({ longitude: 10 * DEGREE }), 'one-place'],
  [
    'with a quarter of the vessels where another is',
    (fix, vessel) => (vessel < 4 ? { longitude: 10 * DEGREE } : fix),
    undefined,
  ],
  ['with one more there', (fix, vessel) => (vessel < 5 ? { longitude: 10 * DEGREE } : fix), 'shared-places'],
])('rows %s', (_, change, reason) => {
  expect(faultOf(change)).toBe(reason);
});
