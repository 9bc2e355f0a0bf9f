/** Snapshots in the published form as call records: every field, every fault, and a whole call. */
import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../core/calls/observation.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { CANARY_PORTS, NORWEGIAN_PORTS } from '../../../core/sources/kystdatahuset-ais/declaration.ts';
import { kystdatahusetAis as source } from '../../../core/sources/kystdatahuset-ais/source.ts';
import { type ParsedFetch, RefusedReply } from '../../../core/sources/source.ts';
import {
  collection,
  feature,
  fileOf,
  POLLED_AT,
  pollOf,
  snapshotAt,
  surroundings,
  VOYAGE,
} from './snapshots.ts';

const good = collection([feature(POLLED_AT), ...surroundings(POLLED_AT)]);

const parsed = (text: string): ParsedFetch => {
  const poll = pollOf(text);
  return source.parse({ ...poll, files: source.step(poll, undefined).calls });
};

/** The fixes of a poll, as the engine gets them. */
function fixesOf(text: string) {
  const fixes: object[] = [];
  source.fixes.push(pollOf(text), 'norway', (fix) => fixes.push({ ...fix }));
  return fixes;
}

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
    expect(refusals).toEqual([]);
  });

  it('outside of the boxes is counted, as is an old one and one from the future', () => {
    const rows = [feature(POLLED_AT, { age: 3600 }), feature(POLLED_AT, { mmsi: 257_000_002, age: -3600 })];
    const { counts } = parsed(collection([...rows, ...surroundings(POLLED_AT)]));
    expect(counts).toMatchObject({ outside: 4, old: 1, future: 1 });
  });
});

describe('a poll', () => {
  it('covers the ports in whose boxes vessels were received', () => {
    const { reports, refusals, asOfAt } = parsed(good);
    expect(asOfAt).toBe(POLLED_AT);
    expect(refusals).toEqual([]);
    const ports = reports.map((report) => ('port' in report ? report.port : ''));
    expect(ports).toEqual(expect.arrayContaining(['NOBGO', 'NOOSL']));
    expect(ports).not.toContain('NOTOS');
  });

  it('may have far more vessels outside of the boxes than inside', () => {
    const atSea = Array.from({ length: 200 }, (_, index) =>
      feature(POLLED_AT, { mmsi: 258_000_000 + index, latitude: 72 + index / 100, longitude: 10 }),
    );
    expect(parsed(collection([...atSea, ...surroundings(POLLED_AT)])).reports.length).toBeGreaterThan(0);
  });

  const swapped = surroundings(POLLED_AT).map((row, index) => ({
    ...row,
    geometry: { type: 'Point', coordinates: [60 + index, 5.3] },
  }));
  it.each([
    ['a web page', '<!doctype html><html></html>', 'html'],
    ['half a body', good.slice(0, good.length / 2), 'malformed'],
    ['nothing', '', 'empty'],
    ['the envelope of another call', '{"success":false,"msg":"error","data":null}', 'malformed'],
    ['a body above the limit', good.padEnd(source.declaration.largestReplyBytes + 1), 'too-large'],
    ['coordinates swapped', collection(swapped), 'outside-boxes'],
    ['yesterday, again', collection(surroundings(POLLED_AT - 86_400_000)), 'silent-upstream'],
    [
      'the present where a past moment was asked for',
      collection(surroundings(POLLED_AT + 86_400_000)),
      'silent-upstream',
    ],
    ['no vessel at all', collection([]), 'silent-upstream'],
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

describe('a call of Bergen', () => {
  const START = Date.parse('2026-03-08T00:00:00Z');
  /** The newest record of the cargo vessel, from polls every so many minutes. */
  function callFrom(everyMinutes: number): CallRecord | undefined {
    let state: Uint8Array | undefined;
    let call: CallRecord | undefined;
    for (let at = START; at < START + 36 * HOUR_MS; at += everyMinutes * MINUTE_MS) {
      const step = source.step({ fetchedAt: at, files: fileOf(snapshotAt(START, at)) }, state);
      state = step.state;
      for (const report of source.parse({ fetchedAt: at, files: step.calls }).reports)
        if ('records' in report && report.port === 'NOBGO') call = report.records.at(-1) ?? call;
    }
    return call;
  }
  const { anchoredAt, leftAnchorageAt, berthedAt, sailedAt } = VOYAGE;

  it.each([
    ['live polls', 5, 0.25],
    ['a back-fill', 10, 0.4],
  ])('has its wait and its berth from %s', (_what, everyMinutes, tolerance) => {
    const call = callFrom(everyMinutes);
    expect(call).toMatchObject({ traffic: 'cargo', vesselId: expect.stringContaining('9074729') });
    const hours = (at: number | undefined): number => ((at ?? Number.NaN) - START) / HOUR_MS;
    const [wait, berth, ...more] = call?.stops.filter(({ zone }) => zone !== 'moving') ?? [];
    expect(more).toEqual([]);
    expect([wait?.zone, berth?.zone]).toEqual(['anchorage', 'berth']);
    const found = [wait?.ataAt, wait?.atdAt, berth?.ataAt, berth?.atdAt].map(hours);
    const truth = [anchoredAt, leftAnchorageAt, berthedAt, sailedAt];
    for (const [index, value] of truth.entries())
      expect(Math.abs((found[index] ?? Number.NaN) - value)).toBeLessThan(tolerance);
  });
});
