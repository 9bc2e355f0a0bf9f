/** Snapshots in the published form as call records: every field, every fault, and a whole call. */
import { describe, expect, it } from '@jest/globals';
import { readPositions } from '../../../core/positions/poll-read.ts';
import { CANARY_PORTS, NORWEGIAN_PORTS } from '../../../core/sources/kystdatahuset-ais/declaration.ts';
import { source } from '../../../core/sources/kystdatahuset-ais/source.ts';
import { type ParsedFetch, RefusedReply } from '../../../core/upstream/source.ts';
import { collection } from '../../builders/geojson-feed.ts';
import { feature, POLLED_AT, pollOf, surroundings } from './snapshots.ts';

const good = collection([feature(POLLED_AT), ...surroundings(POLLED_AT)]);

const parsed = (text: string): ParsedFetch => {
  const poll = pollOf(text);
  return source.parse({ ...poll, files: source.step(poll, undefined).calls });
};

/** The fixes of a poll, as the engine gets them. */
const fixesOf = (text: string) => readPositions(source.feed, pollOf(text)).fixes;

it('the canary ports are ports of the source', () => {
  expect(NORWEGIAN_PORTS).toEqual(expect.arrayContaining([...CANARY_PORTS]));
});

describe('a row', () => {
  it('is the last point of its line, with speed in knots and time in UTC', () => {
    const vessel = { imo: 9_074_729, speed: 12.3, true_heading: 87, status: 5, age: 90 };
    const [fix] = fixesOf(collection([feature(POLLED_AT, vessel)]));
    expect(fix).toEqual({
      mmsi: 257_000_001,
      time: POLLED_AT / 1000 - 90,
      latitude: 6_040_000,
      longitude: 531_000,
      speed: 123,
      heading: 87,
      status: 5,
      vesselType: 70,
      imo: 9_074_729,
    });
  });

  it.each([
    ['without a zone', '2026-03-10T11:59:00'],
    ['with one', '2026-03-10T11:59:00Z'],
    ['with a space', '2026-03-10 11:59:00'],
    ['with an offset', '2026-03-10T12:59:00+01:00'],
    ['with a fraction', '2026-03-10T11:59:00.000'],
  ])('has the same time %s', (_what, text) => {
    expect(fixesOf(collection([feature(POLLED_AT, { date_time_utc: text })]))).toMatchObject([
      { time: POLLED_AT / 1000 - 60 },
    ]);
  });

  it('may be a point, and need not state type, speed, heading and IMO number', () => {
    const row = feature(POLLED_AT, { ship_type: null, speed: 102.3, true_heading: 511, imo: 0 });
    const point = { ...row, geometry: { type: 'Point', coordinates: [5.31, 60.4] } };
    expect(fixesOf(collection([point]))).toEqual(fixesOf(collection([row])));
    expect(fixesOf(collection([point]))).toMatchObject([
      { latitude: 6_040_000, longitude: 531_000, speed: 1023, heading: 511, vesselType: 0, imo: 0 },
    ]);
  });

  it.each([
    ['no geometry', { ...feature(POLLED_AT), geometry: null }],
    ['an empty line', { ...feature(POLLED_AT), geometry: { type: 'LineString', coordinates: [] } }],
    ['no MMSI', feature(POLLED_AT, { mmsi: 0 })],
    ['no time', feature(POLLED_AT, { date_time_utc: null })],
    ['something else', 'vessel'],
  ])('with %s is counted, and the others are read', (_what, row) => {
    const { counts, refusals } = parsed(collection([row as object, ...surroundings(POLLED_AT)]));
    expect(counts).toMatchObject({ broken: 1 });
    expect(refusals.count).toBe(0);
  });
});

describe('a poll', () => {
  it('covers the ports in whose boxes vessels were received', () => {
    const { observations, refusals, asOfAt } = parsed(good);
    expect(asOfAt).toBe(POLLED_AT);
    expect(refusals.count).toBe(0);
    const ports = observations.map((report) => ('port' in report ? report.port : ''));
    expect(ports).toEqual(expect.arrayContaining(['NOBGO', 'NOOSL']));
    expect(ports).not.toContain('NOTOS');
  });

  it('may have far more vessels outside of the boxes than inside', () => {
    const atSea = Array.from({ length: 200 }, (_, index) =>
      feature(POLLED_AT, { mmsi: 258_000_000 + index, latitude: 72 + index / 100, longitude: 10 }),
    );
    expect(parsed(collection([...atSea, ...surroundings(POLLED_AT)])).observations.length).toBeGreaterThan(0);
  });

  const swapped = surroundings(POLLED_AT).map((row, index) => ({
    ...row,
    geometry: { type: 'Point', coordinates: [60 + index, 5.3] },
  }));
  it.each([
    ['the envelope of another call', '{"success":false,"msg":"error","data":null}', 'malformed'],
    ['coordinates swapped', collection(swapped), 'outside-boxes'],
    [
      'silence in the busy ports',
      collection([feature(POLLED_AT, { latitude: 69.65, longitude: 18.97 })]),
      'silent-canaries',
    ],
  ])('is refused when it is %s', (_what, text, reason) => {
    expect(() => parsed(text)).toThrow(RefusedReply);
    expect(() => parsed(text)).toThrow(expect.objectContaining({ reason }));
  });
});
