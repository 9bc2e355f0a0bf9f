/** Places: what closed stays teach, and what a table says of a position. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEGREE, fixedDegrees } from '../../../core/positions/geometry.ts';
import { indexPlaces, readPlaces } from '../../../core/positions/places.ts';
import {
  ANCHORAGE_AREAS,
  type AnchorageArea,
  anchorageAt,
  isInside,
} from '../../../core/positions/port-areas.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import { type ClosedStay, learnPlaces, splitHalfAgreement } from '../../../studies/places/learn-places.ts';
import { NO_PLACES, writePlaces } from '../../../studies/places/place-file.ts';

const [LATITUDE, LONGITUDE] = [fixedDegrees(33.6), fixedDegrees(-118.1)];

/** Stays of vessels numbered from `first`, all in one spot. */
const stays = (
  count: number,
  kind: ClosedStay['kind'],
  first = 0,
  more: Partial<ClosedStay> = {},
): ClosedStay[] =>
  Array.from({ length: count }, (_, index) => ({
    mmsi: 205_000_000 + first + index,
    latitude: LATITUDE,
    longitude: LONGITUDE,
    kind,
    ...more,
  }));

const kindOf = (taught: readonly ClosedStay[], before = NO_PLACES): string | undefined =>
  indexPlaces(learnPlaces(taught, before)).kindAt(LATITUDE, LONGITUDE);

describe('a place that was learned', () => {
  it('is labelled where three vessels or more agree by 70 %', () => {
    expect(kindOf(stays(2, 'berth'))).toBeUndefined();
    expect(kindOf(stays(3, 'berth'))).toBe('berth');
    expect(kindOf([...stays(7, 'wait'), ...stays(3, 'berth', 7)])).toBe('wait');
    expect(kindOf([...stays(6, 'wait'), ...stays(4, 'berth', 6)])).toBeUndefined();
  });

  it('counts a vessel once, however often it comes', () => {
    expect(kindOf([...stays(1, 'berth'), ...stays(1, 'berth'), ...stays(1, 'berth')])).toBeUndefined();
    const often = Array.from({ length: 10 }, () => stays(1, 'wait', 9)).flat();
    expect(kindOf([...stays(3, 'berth'), ...often])).toBe('berth');
  });

  it('keeps its label until 70 % of the vessels say otherwise', () => {
    const before = learnPlaces(stays(5, 'berth'));
    expect(kindOf([...stays(6, 'wait'), ...stays(4, 'berth', 6)], before)).toBe('berth');
    expect(kindOf([...stays(7, 'wait'), ...stays(3, 'berth', 7)], before)).toBe('wait');
  });

  it('reaches a cell further and no more', () => {
    const places = indexPlaces(learnPlaces(stays(3, 'berth')));
    expect(places.kindAt(LATITUDE + 100, LONGITUDE)).toBe('berth');
    expect(places.kindAt(LATITUDE + 1000, LONGITUDE)).toBeUndefined();
  });

  it('names the port at which 60 % of the vessels that wait there berth next', () => {
    const portOf = (taught: readonly ClosedStay[]) =>
      indexPlaces(learnPlaces(taught)).portAt(LATITUDE, LONGITUDE);
    const toLosAngeles = stays(6, 'wait', 0, { nextPort: 'USLAX' });
    expect(portOf([...toLosAngeles, ...stays(4, 'wait', 6, { nextPort: 'USLGB' })])).toBe('USLAX');
    expect(portOf([...toLosAngeles, ...stays(5, 'wait', 6, { nextPort: 'USLGB' })])).toBeUndefined();
    expect(portOf([...stays(5, 'wait'), ...toLosAngeles.slice(0, 2)])).toBeUndefined();
  });
});

const anyStay: fc.Arbitrary<ClosedStay> = fc.record(
  {
    mmsi: fc.integer({ min: 205_000_000, max: 205_000_009 }),
    latitude: fc.integer({ min: LATITUDE - 800, max: LATITUDE + 800 }),
    longitude: fc.integer({ min: LONGITUDE - 800, max: LONGITUDE + 800 }),
    kind: fc.constantFrom('berth' as const, 'wait' as const),
    nextPort: fc.constantFrom('USLAX', 'USLGB'),
  },
  { requiredKeys: ['mmsi', 'latitude', 'longitude', 'kind'] },
);

describe('a table of places', () => {
  it('is the same for the same stays in any order, and reads back as it was written', () => {
    const shuffled = fc
      .array(anyStay, { maxLength: 60 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const written = writePlaces(learnPlaces(all));
        expect(writePlaces(learnPlaces(other))).toBe(written);
        const read = readPlaces(JSON.parse(written));
        expect(writePlaces(read)).toBe(written);
        const [places, again] = [indexPlaces(learnPlaces(all)), indexPlaces(read)];
        for (const { latitude, longitude } of all) {
          expect(again.kindAt(latitude, longitude)).toBe(places.kindAt(latitude, longitude));
          expect(again.portAt(latitude, longitude)).toBe(places.portAt(latitude, longitude));
        }
      }),
    );
  });

  it('changes its version with its content, with its labels and with the anchorage areas', () => {
    const table = learnPlaces(stays(3, 'berth'));
    const versions = [
      NO_PLACES.version,
      table.version,
      learnPlaces(stays(4, 'berth')).version,
      learnPlaces(stays(3, 'wait')).version,
      indexPlaces(table, ANCHORAGE_AREAS).version,
      indexPlaces(table, ANCHORAGE_AREAS.slice(1)).version,
    ];
    expect(new Set(versions).size).toBe(versions.length);
  });

  it('may be empty', () => {
    const table = readPlaces(JSON.parse(writePlaces(NO_PLACES)));
    expect(table).toEqual(NO_PLACES);
    expect(indexPlaces(table).kindAt(LATITUDE, LONGITUDE)).toBeUndefined();
  });

  const ids = SOURCE_DECLARATIONS.filter(({ boxes }) => boxes !== undefined).map(({ id }) => id);
  it.each(ids)('of %s is as the study wrote it', (id) => {
    const text = readFileSync(new URL(`../../../core/sources/${id}/places.json`, import.meta.url), 'utf8');
    expect(writePlaces(readPlaces(JSON.parse(text)))).toBe(text);
  });
});

describe('the split halves', () => {
  it('agree where all vessels do the same', () => {
    expect(splitHalfAgreement(stays(40, 'berth')).share).toBe(1);
  });

  it('judge nothing where a half has too few vessels', () => {
    expect(splitHalfAgreement(stays(4, 'berth'))).toEqual({ places: 0, share: Number.NaN });
  });

  it('disagree where one half of the vessels waits and the other berths', () => {
    const isFirst = ({ mmsi }: ClosedStay): boolean => Math.imul(mmsi, 0x9e3779b1) >= 0;
    const divided = stays(40, 'berth').map((stay) =>
      isFirst(stay) ? stay : { ...stay, kind: 'wait' as const },
    );
    const { places, share } = splitHalfAgreement(divided);
    expect(places).toBeGreaterThan(0);
    expect(share).toBe(0);
  });
});

describe('anchorage areas', () => {
  const centreOf = ({ corners }: AnchorageArea): readonly [number, number] => {
    const mean = (values: number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
    return [
      mean(corners.map(([latitude = 0]) => latitude)),
      mean(corners.map(([, longitude = 0]) => longitude)),
    ];
  };
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

  const [area] = ANCHORAGE_AREAS;
  const [latitude, longitude] = (area === undefined ? [0, 0] : centreOf(area)).map(fixedDegrees) as [
    number,
    number,
  ];

  it('make a stay inside a wait, unless a learned place says otherwise', () => {
    expect(indexPlaces(NO_PLACES, ANCHORAGE_AREAS).kindAt(latitude, longitude)).toBe('wait');
    expect(indexPlaces(NO_PLACES).kindAt(latitude, longitude)).toBeUndefined();
    const berth = learnPlaces(stays(3, 'berth', 0, { latitude, longitude }));
    expect(indexPlaces(berth, ANCHORAGE_AREAS).kindAt(latitude, longitude)).toBe('berth');
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
