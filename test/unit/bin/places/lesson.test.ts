/** What `npm run places` learns from, says and refuses to write. */
import { describe, expect, it } from '@jest/globals';
import { geojsonOf, lessonOf } from '../../../../bin/places/lesson.ts';
import { readPlacesOptions } from '../../../../bin/places/places-options.ts';
import { fixedDegrees } from '../../../../core/ais/fix.ts';
import type { ClosedStay } from '../../../../core/ais/learn-places.ts';
import { NO_PLACES } from '../../../../core/ais/places.ts';
import type { StaySurvey } from '../../../../core/sources/closed-stays.ts';

/** `vessels` stays at each of `spots` spots, 2 km apart. */
const survey = (
  spots: number,
  vessels: number,
  kindOf: (mmsi: number) => ClosedStay['kind'] = () => 'berth',
): StaySurvey => ({
  fetches: 7,
  leftOut: 1,
  stays: Array.from({ length: spots * vessels }, (_, index) => {
    const mmsi = 205_000_000 + (index % vessels);
    const latitude = fixedDegrees(33 + Math.floor(index / vessels) * 0.02);
    const kind = kindOf(mmsi);
    const next = kind === 'wait' ? { nextPort: 'USLAX' } : {};
    return { mmsi, latitude, longitude: fixedDegrees(-118.2), kind, ...next };
  }),
});

describe('the lesson of an archive', () => {
  it('states its figures', () => {
    const { table, figures, refusal } = lessonOf(
      survey(25, 24, (mmsi) => (mmsi % 8 ? 'berth' : 'wait')),
      NO_PLACES,
    );
    expect(refusal).toBeUndefined();
    const places = table.places.length;
    expect(figures).toEqual([
      '7 fetches, 1 left out',
      '600 closed stays of 24 cargo vessels: 525 berths, 75 waits',
      `${places} places of 350 m: ${places} berths, 0 waits, 0 undecided; ${places} with 20 vessels or more`,
      `halves of the vessels agree on 1.000 of ${places} places`,
      'next berth of waits: USLAX 75',
      `since ${NO_PLACES.version}: ${places} new, 0 gone, 0 with another label`,
    ]);
  });

  it('says what has changed since the table before', () => {
    const before = lessonOf(survey(25, 8), NO_PLACES).table;
    const { figures } = lessonOf(
      survey(26, 8, () => 'wait'),
      before,
    );
    const places = before.places.length;
    expect(figures.at(-1)).toMatch(
      new RegExp(`^since ${before.version}: \\d+ new, 0 gone, ${places} with another`),
    );
  });

  it('is refused when the halves of the vessels disagree', () => {
    const isFirst = (mmsi: number): boolean => Math.imul(mmsi, 0x9e3779b1) >= 0;
    const { refusal } = lessonOf(
      survey(25, 16, (mmsi) => (isFirst(mmsi) ? 'berth' : 'wait')),
      NO_PLACES,
    );
    expect(refusal).toMatch(/agree on 0\.000 of the places, 0\.95 are required: use more days/);
  });

  it('is refused without a place', () => {
    expect(lessonOf({ stays: [], fetches: 3, leftOut: 3 }, NO_PLACES).refusal).toMatch(
      /no place has stays of/,
    );
    expect(lessonOf(survey(30, 2), NO_PLACES).refusal).toMatch(/no place has stays of three vessels/);
  });

  it('of too few stays to judge says so, and replaces an empty table only', () => {
    const few = survey(3, 4);
    const first = lessonOf(few, NO_PLACES);
    expect(first.figures.join('\n')).toMatch(/cannot be compared: both label \d+ places, 20 are needed/);
    expect(first.refusal).toBeUndefined();
    const { places } = first.table;
    expect(lessonOf(few, first.table).refusal).toBe(
      `too few places to judge, and the table before has ${places.length}: use more days of the archive`,
    );
  });

  it('shows places of 20 vessels or more, and none of fewer', () => {
    const shown = (vessels: number) => JSON.parse(geojsonOf(lessonOf(survey(1, vessels), NO_PLACES).table));
    expect(shown(19).features).toEqual([]);
    const { features } = shown(20);
    expect(features.length).toBeGreaterThan(0);
    expect(features[0]).toMatchObject({ properties: { label: 'berth', vessels: 20, next_ports: {} } });
    expect(features[0].geometry.coordinates[0]).toBeCloseTo(-118.2, 2);
  });
});

describe('the options of npm run places', () => {
  it('name a source, an archive and days', () => {
    const options = readPlacesOptions([
      'dma-ais',
      '--archive',
      'a',
      '--from',
      '2026-01-05',
      '--to',
      '2026-01-06',
    ]);
    expect(options).toMatchObject({
      declaration: { id: 'dma-ais' },
      where: { archive: 'a' },
      afterAt: Date.UTC(2026, 0, 5) - 1,
      untilAt: Date.UTC(2026, 0, 7),
    });
    expect(readPlacesOptions(['open-waters-ais', '--bucket', 'b']).where).toEqual({ bucket: 'b' });
  });

  it.each([
    [[], "missing required argument 'source'"],
    [
      ['antaq-berthing', '--archive', 'a'],
      'name one source of positions: dma-ais, kystdatahuset-ais, noaa-marinecadastre-ais, open-waters-ais',
    ],
    [['dma-ais', 'noaa-marinecadastre-ais', '--archive', 'a'], 'too many arguments'],
    [['dma-ais'], 'say where the archive is: --archive DIR or --bucket NAME'],
    [['dma-ais', '--archive', 'a', '--bucket', 'b'], 'say where the archive is'],
    [
      ['dma-ais', '--archive', 'a', '--from', '5 January'],
      '--from must be a UTC day like 2026-01-31, not 5 January',
    ],
    [['dma-ais', '--archive', 'a', '--from', '2026-01-02', '--to', '2026-01-01'], '--to is before --from'],
    [['dma-ais', '--achive', 'a'], "unknown option '--achive'"],
  ])('are refused with what to do: %j', (args, message) => {
    expect(() => readPlacesOptions(args)).toThrow(message);
  });
});
