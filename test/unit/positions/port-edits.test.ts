/** Ports are added, moved and removed between two polls: the state of every other port stays as it was. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_PARAMETERS, POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import type { PollFeed } from '../../../core/positions/poll-read.ts';
import { BORDER_DEGREES } from '../../../core/positions/port-areas.ts';
import { CALLS_FILE, pinAreas, pollReader, type StepCalls } from '../../../core/positions/steps.ts';
import type { Approach, PortBox } from '../../../core/reference/port-boxes.ts';
import { PORTS, type Port } from '../../../core/reference/ports.ts';
import { MINUTE_MS } from '../../../core/reference/time.ts';
import {
  openWatersAisDeclaration as declaration,
  findFeed,
} from '../../../core/sources/open-waters-ais/declaration.ts';
import { decodeOpenWaters } from '../../../core/sources/open-waters-ais/source.ts';
import { extent } from '../../builders/extent.ts';
import { collection, files } from '../../builders/geojson-feed.ts';
import { feature, POLLED_AT } from '../../sources/open-waters-ais/polls.ts';

/** A port on a grid of its own waters, three degrees from the next. */
const portAt = (locode: string, latitude: number, longitude: number): Port => ({
  locode,
  name: locode,
  countryCode: locode.slice(0, 2),
  latitude,
  longitude,
});
const GRID: readonly Port[] = ['XXAAA', 'XXBBB', 'XXCCC', 'XXDDD'].map((locode, index) =>
  portAt(locode, 10, 3 * index),
);
const boxAround = ({ locode, latitude, longitude }: Port): PortBox => ({
  ports: [locode],
  neighbours: [],
  south: latitude - 0.5,
  north: latitude + 0.5,
  west: longitude - 0.5,
  east: longitude + 0.5,
});

const feedWith = ({ boxes, approaches = [] }: Omit<Ports, 'reference'>): PollFeed => ({
  declaration,
  boxes,
  approaches,
  canaryPorts: [],
  vesselsFile: /^vessels-\d+\.geojson$/,
  decode: decodeOpenWaters,
  feedOf: findFeed,
});

interface Ports {
  readonly reference: readonly Port[];
  readonly boxes: readonly PortBox[];
  readonly approaches?: readonly Approach[];
}

const WHOLE: Ports = { reference: GRID, boxes: GRID.map(boxAround) };

/** Two vessels alongside at each port of the grid; one of them sails after poll `SAILS`. */
const [POLLS, SAILS] = [15, 11];
function pollAt(index: number) {
  const fetchedAt = POLLED_AT + index * 10 * MINUTE_MS;
  const vessels = GRID.flatMap(({ latitude, longitude }, port) => [
    feature(fetchedAt, { mmsi: 205_000_001 + port, latitude, longitude: longitude + 0.01 }),
    index > SAILS
      ? feature(fetchedAt, {
          mmsi: 205_000_101 + port,
          latitude,
          longitude: longitude + 0.05 * (index - SAILS),
          sog: 18,
        })
      : feature(fetchedAt, { mmsi: 205_000_101 + port, latitude, longitude: longitude + 0.02 }),
  ]);
  return { fetchedAt, files: files({ 'vessels-1.geojson': collection(vessels) }) };
}

/** Replies of all polls; the ports change before poll `EDITED`. */
const EDITED = 9;
function repliesWith(edited: Ports): StepCalls[] {
  const readers = [WHOLE, edited].map(({ reference, ...areas }) => pollReader(feedWith(areas), reference));
  let state: Uint8Array | undefined;
  return Array.from({ length: POLLS }, (_, index) => {
    const step = readers[index < EDITED ? 0 : 1]?.step(pollAt(index), state);
    state = step?.state;
    return JSON.parse(new TextDecoder().decode(step?.calls.get(CALLS_FILE)));
  });
}

const batchesOf = (replies: readonly StepCalls[], port: string) =>
  replies.flatMap(({ batches }) => batches.filter((batch) => batch.port === port));

const noticesOf = (replies: readonly StepCalls[]) => replies.flatMap(({ notices = [] }) => notices);

const UNCHANGED = repliesWith(WHOLE);

const degrees = (least: number, most: number) =>
  fc.double({ min: least, max: most, noNaN: true, noDefaultInfinity: true });

/** An edit, and the ports that it concerns. */
interface Edit {
  readonly ports: Ports;
  readonly concerned: readonly string[];
}

const away = fc.record({ latitude: degrees(-60, 60), longitude: degrees(60, 170) });

const edits: fc.Arbitrary<Edit> = fc.oneof(
  away.map(({ latitude, longitude }) => ({
    ports: { ...WHOLE, reference: [...GRID, portAt('YYNEW', latitude, longitude)] },
    concerned: [],
  })),
  away.map(({ latitude, longitude }) => {
    const added = portAt('YYNEW', latitude, longitude);
    return {
      ports: { reference: [...GRID, added], boxes: [boxAround(added), ...WHOLE.boxes] },
      concerned: ['YYNEW'],
    };
  }),
  fc
    .record({ index: fc.nat(3), latitude: degrees(0.05, 0.3), longitude: degrees(-0.3, 0.3) })
    .map(({ index, latitude, longitude }) => {
      const reference = GRID.map((port, at) =>
        at === index ? portAt(port.locode, port.latitude + latitude, port.longitude + longitude) : port,
      );
      return {
        ports: { reference, boxes: reference.map(boxAround) },
        concerned: [GRID[index]?.locode ?? ''],
      };
    }),
  fc.nat(3).map((index) => {
    const reference = GRID.filter((_, at) => at !== index);
    return {
      ports: { reference, boxes: reference.map(boxAround) },
      concerned: [GRID[index]?.locode ?? ''],
    };
  }),
  // A roadstead is drawn, in the port's box or beyond it.
  fc.record({ index: fc.nat(3), latitude: degrees(0.1, 0.9) }).map(({ index, latitude: northward }) => {
    const { locode, latitude, longitude } = GRID[index] ?? portAt('', 0, 0);
    const south = latitude + northward;
    const bounds = { south, north: south + 0.1, west: longitude - 0.1, east: longitude };
    const approach = {
      name: 'road',
      kind: 'roadstead',
      ports: [locode],
      reason: '',
      source: '',
      reviewed: '',
    };
    return {
      ports: { ...WHOLE, approaches: [{ ...approach, ...bounds } as Approach] },
      concerned: [locode],
    };
  }),
  // A port that is not counted, near one that is.
  fc.record({ index: fc.nat(3), latitude: degrees(0.1, 0.3) }).map(({ index, latitude }) => {
    const near = GRID[index] ?? portAt('', 0, 0);
    return {
      ports: {
        reference: [...GRID, portAt('YYNEW', near.latitude + latitude, near.longitude)],
        boxes: WHOLE.boxes.map((box, at) => (at === index ? { ...box, neighbours: ['YYNEW'] } : box)),
      },
      concerned: [near.locode],
    };
  }),
);

describe('an edit of the ports', () => {
  it('has records of every port to compare', () => {
    for (const { locode } of GRID) {
      const records = batchesOf(UNCHANGED, locode).flatMap((batch) => batch.records);
      expect(new Set(records.map(({ callId }) => callId)).size).toBe(2);
      expect(records.some(({ stops }) => stops[0]?.atdAt !== undefined)).toBe(true);
    }
  });

  it('changes no record of a port that it does not concern, and resets nothing', () => {
    fc.assert(
      fc.property(edits, ({ ports, concerned }) => {
        const replies = repliesWith(ports);
        for (const { locode } of GRID)
          if (!concerned.includes(locode))
            expect(batchesOf(replies, locode)).toEqual(batchesOf(UNCHANGED, locode));
        const notices = noticesOf(replies);
        expect(notices.map(({ reason }) => reason)).toEqual(concerned.length === 0 ? [] : ['ports-changed']);
        for (const locode of concerned) expect(notices[0]?.detail).toContain(locode);
      }),
      { numRuns: extent(12, 200) },
    );
  });

  it('keeps the vessels of a port that is taken back', () => {
    const last = repliesWith({
      reference: GRID,
      boxes: WHOLE.boxes.map((box) => ({ ...box, north: box.north + BORDER_DEGREES })),
    });
    for (const { locode } of GRID)
      expect(batchesOf(last, locode).flatMap((batch) => batch.records)).toEqual(
        batchesOf(UNCHANGED, locode).flatMap((batch) => batch.records),
      );
  });
});

it('a state is pinned to the parameters, and port by port to what decides their stays', () => {
  const of = (parameters = POLL_PARAMETERS, points = PORTS, boxes = WHOLE.boxes) =>
    pinAreas({ parameters, boxes, approaches: [] }, points);
  expect(of()).toEqual(of());
  expect(of(DEFAULT_PARAMETERS).engine).not.toBe(of().engine);
  expect(of(POLL_PARAMETERS, PORTS.slice(1)).engine).toBe(of().engine);
});
