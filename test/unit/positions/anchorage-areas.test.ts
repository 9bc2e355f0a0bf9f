/** Anchorage areas: their form, and where they end. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEGREE, fixedDegrees } from '../../../core/positions/geometry.ts';
import {
  ANCHORAGE_AREAS,
  type AnchorageArea,
  anchorageAt,
  isInside,
} from '../../../core/positions/port-areas.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import { staysAfter } from './paths.ts';
import { fixAt } from './world.ts';

describe('anchorage areas', () => {
  /** Whether two sides that share no corner cross. */
  const crossesItself = ({ corners }: AnchorageArea): boolean => {
    const turn = (a: readonly number[], b: readonly number[], c: readonly number[]): number =>
      Math.sign(
        ((b[0] ?? 0) - (a[0] ?? 0)) * ((c[1] ?? 0) - (a[1] ?? 0)) -
          ((b[1] ?? 0) - (a[1] ?? 0)) * ((c[0] ?? 0) - (a[0] ?? 0)),
      );
    const sides = corners.map(
      (corner, index) => [corner, corners[(index + 1) % corners.length] ?? []] as const,
    );
    return sides.some(([a, b], at) =>
      sides.some(
        ([c, d], other) =>
          other > at + 1 &&
          !(at === 0 && other === sides.length - 1) &&
          turn(a, b, c) !== turn(a, b, d) &&
          turn(c, d, a) !== turn(c, d, b),
      ),
    );
  };

  const boxes = SOURCE_DECLARATIONS.flatMap(({ boxes: all }) => all ?? []);

  it.each(ANCHORAGE_AREAS.map((area) => [area.name, area] as const))('%s', (_name, area) => {
    expect(area.section).toMatch(/^33 CFR 110\.\d+/);
    expect(area.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(area.corners.length).toBeGreaterThanOrEqual(4);
    expect(area.corners.every((corner) => corner.length === 2)).toBe(true);
    expect(crossesItself(area)).toBe(false);
    for (const locode of area.ports) {
      const box = boxes.find(({ ports }) => ports.includes(locode));
      expect(box).toBeDefined();
      for (const [latitude = 0, longitude = 0] of area.corners) {
        const corner = { latitude: fixedDegrees(latitude), longitude: fixedDegrees(longitude) };
        expect(box && isInside(box, corner)).toBe(true);
      }
    }
  });

  it('have a name each', () => {
    expect(new Set(ANCHORAGE_AREAS.map(({ name }) => name)).size).toBe(ANCHORAGE_AREAS.length);
  });

  it('make a stay inside a wait, which by its spread would be a berth', () => {
    const [area] = ANCHORAGE_AREAS;
    const middle = (axis: number): number =>
      (area?.corners ?? []).reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) /
      (area?.corners.length ?? 1);
    const at = { latitude: fixedDegrees(middle(0)), longitude: fixedDegrees(middle(1)), heading: 90 };
    const fixes = Array.from({ length: 60 }, (_, index) => fixAt(index * 5, at));
    const kinds = (anchorageAreas: readonly AnchorageArea[]): string[] =>
      staysAfter(fixes, { anchorageAreas }).map(({ kind }) => kind);
    expect(kinds([])).toEqual(['berth']);
    expect(kinds(ANCHORAGE_AREAS)).toEqual(['wait']);
  });

  it('end at their sides', () => {
    const square: AnchorageArea = {
      name: 'square',
      section: '33 CFR 110.1',
      asOf: '2026-01-01',
      ports: [],
      corners: [
        [1, 1],
        [1, 2],
        [2, 2],
        [2, 1],
      ],
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * DEGREE }),
        fc.integer({ min: 0, max: 3 * DEGREE }),
        (north, east) => {
          fc.pre([DEGREE, 2 * DEGREE].every((side) => side !== north && side !== east));
          const isInside = [north, east].every((value) => value > DEGREE && value < 2 * DEGREE);
          expect(anchorageAt([square], north, east) === square).toBe(isInside);
        },
      ),
    );
  });
});
