/** Polls that cannot be true or cannot be read are refused with their reason; single bad rows are counted. */
import { describe, expect, it } from '@jest/globals';
import { decodeOpenWaters } from '../../../core/ais/decoders/open-waters.ts';
import type { Fix } from '../../../core/ais/fix.ts';
import { parsePoll, stepPoll } from '../../../core/sources/open-waters-ais/step.ts';
import { RefusedReply } from '../../../core/sources/source.ts';
import { mutated, seededRandom } from '../../builders/mutated-reply.ts';
import { BOXES, canaries, collection, feature, files, POLLED_AT, pollOf, replyOf } from './polls.ts';

const good = collection([feature(POLLED_AT), ...canaries(POLLED_AT)]);

describe('a poll', () => {
  it('covers the ports in whose boxes vessels were heard', () => {
    const { batches, refused, refusals } = replyOf(pollOf(good));
    expect(refused).toBeUndefined();
    expect(refusals).toEqual([]);
    expect(batches.map(({ port }) => port)).toEqual(['JPKWS', 'JPTYO', 'JPYOK', 'NLRTM', 'USLAX', 'USLGB']);
    expect(batches[0]).toMatchObject({ observedAt: POLLED_AT, coveredFromAt: POLLED_AT, records: [] });
  });

  const yesterday = [feature(POLLED_AT, { age: 86_400 }), ...canaries(POLLED_AT - 86_400_000)];
  const swapped = [
    feature(POLLED_AT, { latitude: -118.2, longitude: 33.7 }),
    feature(POLLED_AT, { latitude: 103.8, longitude: 1.26 }),
    feature(POLLED_AT, { latitude: 4.2, longitude: 51.9 }),
  ];
  it.each([
    ['a web page', '<!doctype html><html></html>', 'html'],
    ['half a body', good.slice(0, good.length / 2), 'malformed'],
    ['nothing', '', 'empty'],
    ['JSON of another form', '{"error":"rate limited"}', 'malformed'],
    ['a body ten times the size', `${good}${' '.repeat(320_000_000 - good.length)}`, 'too-large'],
    ['coordinates swapped', collection(swapped), 'outside-boxes'],
    ['yesterday, again', collection(yesterday), 'silent-upstream'],
    ['no vessel at all', collection([]), 'silent-upstream'],
    ['all times in the future', collection([feature(POLLED_AT, { age: -3600 })]), 'silent-upstream'],
    ['silence in the busy ports', collection([feature(POLLED_AT)]), 'silent-canaries'],
    ['a reply cut at the record limit', collection(canaries(POLLED_AT), { truncated: true }), 'truncated'],
  ])('is refused when it is %s', (_name, text, reason) => {
    const { calls } = stepPoll(pollOf(text), undefined);
    const parse = () => parsePoll({ fetchedAt: POLLED_AT, files: calls });
    expect(parse).toThrow(RefusedReply);
    expect(parse).toThrow(expect.objectContaining({ reason }));
  });

  it('is refused when the feed says that it is not well, and taken without a word of its health', () => {
    expect(replyOf(pollOf(good, { 'health.txt': 'ok\n' })).refused).toBeUndefined();
    expect(replyOf(pollOf(good, { 'health.txt': 'status 503: kystverket silent\n' })).refused).toEqual({
      reason: 'unhealthy',
      detail: 'status 503: kystverket silent',
    });
  });

  it('counts rows that cannot be used, and takes the others', () => {
    const rows = [
      feature(POLLED_AT, { mmsi: 205_000_002, seen: 'yesterday' }),
      feature(POLLED_AT, { mmsi: 205_000_003, latitude: 40 }),
      feature(POLLED_AT, { mmsi: 205_000_004, age: 3600 }),
      feature(POLLED_AT, { mmsi: 205_000_005, age: -900 }),
    ];
    const { refused, refusals } = replyOf(
      pollOf(collection([feature(POLLED_AT), ...canaries(POLLED_AT), ...rows])),
    );
    expect(refused).toBeUndefined();
    expect(refusals.map(({ reason, detail }) => `${reason}: ${detail}`)).toEqual([
      'broken-row: 1 rows could not be read',
      'outside-box: 1 positions outside the boxes asked for',
      'old-position: 1 positions older than 30 minutes',
      'future-position: 1 positions from the future',
    ]);
  });

  it('is read at any size within the limit of a file', () => {
    const many = Array.from({ length: 150_000 }, (_, index) =>
      feature(POLLED_AT, { mmsi: 205_000_000 + index, longitude: -118.2 + (index % 100) / 1000 }),
    );
    const text = collection([...canaries(POLLED_AT), ...many]);
    expect(text.length).toBeGreaterThan(20_000_000);
    const { batches, refused } = replyOf(pollOf(text));
    expect(refused).toBeUndefined();
    expect(batches.map(({ port }) => port)).toContain('USLAX');
  });

  it('starts with an empty state when the state cannot be used, and reports it', () => {
    const { refused, refusals } = replyOf(pollOf(good), new Uint8Array([1, 2, 3]));
    expect(refused).toBeUndefined();
    expect(refusals).toEqual([{ reason: 'state-reset', detail: 'the state does not decompress' }]);
  });

  it('makes nothing but a refusal of a spoilt reply', () => {
    const random = seededRandom(20_260_310);
    for (let run = 0; run < 400; run += 1) {
      const text = mutated(good, random);
      const { calls } = stepPoll(
        { fetchedAt: POLLED_AT, files: files({ 'vessels-1.geojson': text }) },
        undefined,
      );
      try {
        const { reports } = parsePoll({ fetchedAt: POLLED_AT, files: calls });
        for (const report of reports) expect(report.observedAt).toBe(POLLED_AT);
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedReply);
      }
    }
  });
});

describe('the published form of a vessel', () => {
  // From the publisher's documentation (openwatersio/aiscast, docs/API.md, MIT).
  const documented = {
    type: 'Feature',
    id: 368168720,
    geometry: { type: 'Point', coordinates: [-70.63165, 41.680075] },
    properties: {
      mmsi: 368168720,
      kind: 'vessel',
      type: 36,
      cog: 237.4,
      sog: 0,
      heading: 237,
      nav_status: 0,
      seen: '2026-08-20T19:12:31Z',
    },
  };
  const decode = (features: readonly unknown[]) => {
    const fixes: Fix[] = [];
    const decoded = decodeOpenWaters({ type: 'FeatureCollection', features }, (fix) =>
      fixes.push({ ...fix }),
    );
    return { fixes, decoded };
  };

  it('is read field by field, and what is left out is unknown', () => {
    expect(decode([documented]).fixes).toEqual([
      {
        mmsi: 368168720,
        time: Date.parse('2026-08-20T19:12:31Z') / 1000,
        latitude: 4168008,
        longitude: -7063165,
        speed: 0,
        heading: 237,
        status: 0,
        vesselType: 36,
        imo: 0,
      },
    ]);
    const { kind: _, sog: __, heading: ___, nav_status: ____, type: _____, ...bare } = documented.properties;
    expect(decode([{ ...documented, properties: bare }]).fixes[0]).toMatchObject({
      speed: -1,
      heading: -1,
      status: -1,
      vesselType: 0,
    });
  });

  it('counts what is no vessel and what has no position', () => {
    const buoy = { ...documented, properties: { ...documented.properties, kind: 'aton' } };
    const { decoded } = decode([buoy, { ...documented, geometry: null }, {}, 'text', documented]);
    expect(decoded).toEqual({ fixes: 1, others: 2, broken: 2, truncated: false });
  });
});

describe('the boxes', () => {
  it('contain a hundred ports, each once, in fewer square degrees than one request allows', () => {
    const ports = BOXES.flatMap((box) => box.ports);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports.length).toBeGreaterThanOrEqual(90);
    const area = BOXES.reduce(
      (sum, { south, west, north, east }) => sum + (north - south) * (east - west),
      0,
    );
    expect(area).toBeLessThan(100);
    for (const { south, west, north, east } of BOXES) {
      expect(north).toBeGreaterThan(south);
      expect(east).toBeGreaterThan(west);
    }
  });
});
