/** Polls that cannot be true or cannot be read are refused with their reason; single bad rows are counted. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Fix } from '../../../core/positions/fix.ts';
import { fixedDegrees } from '../../../core/positions/geometry.ts';
import { BORDER_DEGREES, isInside } from '../../../core/positions/port-areas.ts';
import { MINUTE_MS } from '../../../core/reference/time.ts';
import { openWatersAisDeclaration } from '../../../core/sources/open-waters-ais/declaration.ts';
import { decodeOpenWaters, source as openWatersAis } from '../../../core/sources/open-waters-ais/source.ts';
import { type ArchivedFetch, RefusedReply } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { collection, files } from '../../builders/geojson-feed.ts';
import { BOXES, canaries, feature, POLLED_AT, pollOf, replyOf } from './polls.ts';

const good = collection([feature(POLLED_AT), ...canaries(POLLED_AT)]);

describe('a poll', () => {
  it('covers the ports in whose boxes vessels were received', () => {
    const { batches, refused, refusals } = replyOf(pollOf(good));
    expect(refused).toBeUndefined();
    expect(refusals).toEqual([]);
    const vessels = [
      [33.7, -118.2],
      [35.44, 139.66],
      [51.92, 4.2],
    ].map(([latitude = 0, longitude = 0]) => ({
      latitude: fixedDegrees(latitude),
      longitude: fixedDegrees(longitude),
    }));
    const received = BOXES.filter((box) => vessels.some((vessel) => isInside(box, vessel, BORDER_DEGREES)));
    const ports = batches.map(({ port }) => port);
    expect(ports).toEqual(received.flatMap((box) => box.ports).toSorted());
    expect(ports).toEqual(expect.arrayContaining(['JPTYO', 'JPYOK', 'NLRTM', 'USLAX', 'USLGB']));
    expect(ports).not.toContain('USHOU');
    expect(batches[0]).toMatchObject({ observedAt: POLLED_AT, coveredFromAt: POLLED_AT, records: [] });
  });

  const yesterday = [feature(POLLED_AT, { age: 86_400 }), ...canaries(POLLED_AT - 86_400_000)];
  const swapped = [
    feature(POLLED_AT, { latitude: -118.2, longitude: 33.7 }),
    feature(POLLED_AT, { latitude: 103.8, longitude: 1.26 }),
    feature(POLLED_AT, { latitude: 4.2, longitude: 51.9 }),
  ];
  it.each([
    ['JSON of another form', '{"error":"rate limited"}', 'malformed'],
    ['coordinates swapped', collection(swapped), 'outside-boxes'],
    ['yesterday, again', collection(yesterday), 'silent-upstream'],
    ['no vessel at all', collection([]), 'silent-upstream'],
    ['all times in the future', collection([feature(POLLED_AT, { age: -3600 })]), 'silent-upstream'],
    ['silence in the busy ports', collection([feature(POLLED_AT)]), 'silent-canaries'],
    ['a reply cut at the record limit', collection(canaries(POLLED_AT), { truncated: true }), 'truncated'],
  ])('is refused when it is %s', (_name, text, reason) => {
    const { calls } = openWatersAis.step(pollOf(text), undefined);
    const parse = () => openWatersAis.parse({ fetchedAt: POLLED_AT, files: calls });
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

  const noRows = {
    broken: 0,
    otherRows: 0,
    outside: 0,
    old: 0,
    future: 0,
    uncreditedRows: 0,
    excludedRows: 0,
  };
  const noCounts = {
    ...noRows,
    taken: 0,
    otherVessels: 0,
    repeated: 0,
    late: 0,
    mmsi: 0,
    position: 0,
    time: 0,
    unknownTypes: 0,
  };

  it('reads rows of a feed that the attribution lacks, counts them, and names the feed', () => {
    const known = [
      'aishub',
      'kystverket',
      'barentswatch',
      'digitraffic',
      'euris',
      'aisstream',
      'udp:84a377dcf41b',
    ];
    const rows = [...known, 'newfeed', 'newfeed', 'other-feed'].map((source, index) =>
      feature(POLLED_AT, { mmsi: 205_000_010 + index, source }),
    );
    const { refused, notices, counts } = replyOf(pollOf(collection([...rows, ...canaries(POLLED_AT)])));
    expect(refused).toBeUndefined();
    expect(counts).toEqual({ ...noCounts, taken: 10, otherVessels: 2, uncreditedRows: 3 });
    expect(notices).toEqual([{ reason: 'uncredited-feed', detail: '3 rows of newfeed, other-feed' }]);
  });

  it('counts rows of excluded feeds and never uses them', () => {
    const names = (openWatersAisDeclaration.feeds ?? []).map(({ name }) => name);
    const sources = [...names.slice(0, 6), 'udp:84a377dcf41b', '', 'newfeed'];
    const rows = sources.map((source, index) => feature(POLLED_AT, { mmsi: 205_000_010 + index, source }));
    for (const name of names) {
      const busy = canaries(POLLED_AT, { source: name === 'kystverket' ? 'digitraffic' : 'kystverket' });
      const { counts } = replyOf(
        pollOf(collection([...rows, ...busy])),
        undefined,
        openWatersAis.without([name]),
      );
      const uncreditedRows = name === 'others' ? 0 : 1;
      expect([name, counts]).toEqual([
        name,
        { ...noCounts, taken: 8, otherVessels: 2, uncreditedRows, excludedRows: 1 },
      ]);
    }
  });

  it('names at most five feeds, and little of each', () => {
    const rows = Array.from({ length: 8 }, (_, index) =>
      feature(POLLED_AT, { mmsi: 205_000_010 + index, source: `${index}${'x'.repeat(500)}` }),
    );
    const { notices } = replyOf(pollOf(collection([...rows, ...canaries(POLLED_AT)])));
    expect(notices?.[0]?.detail).toMatch(/^8 rows of 0x{39}, .* and 3 more$/);
  });

  it('is of feeds whose licences the README states', () => {
    const readme = readFileSync('core/sources/open-waters-ais/README.md', 'utf8');
    for (const { name, licence } of openWatersAisDeclaration.feeds ?? [])
      expect(readme).toContain(`| \`${name}\` | ${licence} |`);
  });

  it('counts rows that cannot be used, by reason, and takes the others', () => {
    const rows = [
      feature(POLLED_AT, { mmsi: 205_000_002, seen: 'yesterday' }),
      feature(POLLED_AT, { mmsi: 205_000_003, latitude: 40 }),
      feature(POLLED_AT, { mmsi: 205_000_004, age: 3600 }),
      feature(POLLED_AT, { mmsi: 205_000_005, age: -900 }),
      { ...feature(POLLED_AT, { mmsi: 205_000_006 }), geometry: null },
      feature(POLLED_AT, { mmsi: 970_000_001 }),
    ];
    const { refused, refusals, counts } = replyOf(
      pollOf(collection([feature(POLLED_AT), ...canaries(POLLED_AT), ...rows])),
    );
    expect(refused).toBeUndefined();
    expect(refusals).toEqual([]);
    const rejected = { broken: 1, otherRows: 1, outside: 1, old: 1, future: 1, mmsi: 1 };
    // The two vessels at the busy ports are tugs; a clock that is ahead is set back.
    expect(counts).toEqual({ ...noCounts, taken: 2, otherVessels: 2, ...rejected });
  });

  it('counts positions that are repeated and late, and stopped vessels of unknown type', () => {
    const pollAt = (minutes: number, features: (at: number) => readonly object[]): ArchivedFetch => {
      const fetchedAt = POLLED_AT + minutes * MINUTE_MS;
      const text = collection([...features(fetchedAt), ...canaries(fetchedAt)]);
      return { fetchedAt, files: files({ 'vessels-1.geojson': text }) };
    };
    const untyped = { mmsi: 205_000_007, type: undefined };
    let state: Uint8Array | undefined;
    const countsOf = (poll: ArchivedFetch) => {
      const { counts } = replyOf(poll, state);
      state = openWatersAis.step(poll, state).state;
      return counts;
    };
    const stopped = (at: number) => [feature(at), feature(at, untyped)];
    for (const minutes of [0, 5, 10])
      expect(countsOf(pollAt(minutes, stopped))).toEqual({ ...noCounts, taken: 2, otherVessels: 2 });
    expect(countsOf(pollAt(20, stopped))).toMatchObject({ taken: 2, unknownTypes: 1 });
    const again = (at: number) => [feature(at, { age: 6 * 60 }), feature(at, { ...untyped, age: 10 * 60 })];
    expect(countsOf(pollAt(25, again))).toMatchObject({ taken: 0, repeated: 1, late: 1, unknownTypes: 1 });
    const typed = (at: number) => [feature(at), feature(at, { mmsi: 205_000_007 })];
    expect(countsOf(pollAt(30, typed))).toMatchObject({ taken: 2, unknownTypes: 0 });
  });

  it('keeps its counts of rows and its notices when it is refused', () => {
    const { calls } = openWatersAis.step(pollOf(collection([feature(POLLED_AT)])), new Uint8Array([1, 2, 3]));
    const parse = () => openWatersAis.parse({ fetchedAt: POLLED_AT, files: calls });
    const notices = [{ reason: 'state-reset', detail: 'the state does not decompress' }];
    expect(parse).toThrow(
      expect.objectContaining({
        reason: 'silent-canaries',
        noted: expect.objectContaining({ notices, counts: noRows }),
      }),
    );
  });

  it('is read at any size within the limit of a file', () => {
    const many = Array.from({ length: extent(6_000, 150_000) }, (_, index) =>
      feature(POLLED_AT, { mmsi: 205_000_000 + index, longitude: -118.2 + (index % 100) / 1000 }),
    );
    const text = collection([...canaries(POLLED_AT), ...many]);
    expect(text.length).toBeGreaterThan(extent(800_000, 20_000_000));
    const { batches, refused } = replyOf(pollOf(text));
    expect(refused).toBeUndefined();
    expect(batches.map(({ port }) => port)).toContain('USLAX');
  });

  it('starts with an empty state when the state cannot be used, and reports it', () => {
    const { refused, refusals, notices } = replyOf(pollOf(good), new Uint8Array([1, 2, 3]));
    expect(refused).toBeUndefined();
    expect(refusals).toEqual([]);
    expect(notices).toEqual([{ reason: 'state-reset', detail: 'the state does not decompress' }]);
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

  it('counts objects that are not vessels, and vessels without a position', () => {
    const buoy = { ...documented, properties: { ...documented.properties, kind: 'aton' } };
    const volunteered = {
      ...documented,
      properties: { ...documented.properties, source: 'udp:84a377dcf41b' },
    };
    const rows = [buoy, { ...documented, geometry: null }, {}, 'text', documented, volunteered];
    const feeds = new Map([
      ['', 1],
      ['udp:84a377dcf41b', 1],
    ]);
    expect(decode(rows).decoded).toEqual({ fixes: 2, others: 2, broken: 2, truncated: false, feeds });
  });
});

describe('the boxes', () => {
  it('contain 150 ports, each once, in fewer square degrees than two requests allow', () => {
    const ports = BOXES.flatMap((box) => box.ports);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports.length).toBe(150);
    const area = BOXES.reduce(
      (sum, { south, west, north, east }) => sum + (north - south) * (east - west),
      0,
    );
    expect(area).toBeLessThan(200);
    for (const { south, west, north, east } of BOXES) {
      expect(north).toBeGreaterThan(south);
      expect(east).toBeGreaterThan(west);
    }
  });
});
