/** Stays that positions show only in part, through the ingest and the served API: no figure is made up from them. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { collection, files, type MadeVessel } from '../builders/geojson-feed.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { openWatersAround } from '../builders/narrowed-sources.ts';
import { readHandlers } from '../builders/read-handlers.ts';
import { canaries, feature } from '../sources/open-waters-ais/polls.ts';

const START = Date.UTC(2026, 2, 10);
const EVERY_MS = 15 * MINUTE_MS;
const { source } = openWatersAround(['USLAX', 'USLGB']);

type Place = readonly [latitude: number, longitude: number];
/** At the border of the ports' box. */
const SEA: Place = [33.27, -118.2];
const ROADSTEAD: Place = [33.68, -118.17];
const BERTHS: readonly Place[] = [
  [33.735, -118.265],
  [33.745, -118.27],
  [33.755, -118.275],
  [33.73, -118.25],
];

/** A vessel's stays in hours since the first poll; between them it sails for an hour, from the sea and back to it. */
interface Voyage {
  readonly mmsi: number;
  readonly stays: readonly {
    readonly kind: 'wait' | 'berth';
    readonly place: Place;
    readonly from: number;
    readonly to: number;
  }[];
  /** Hours in which it does not transmit. */
  readonly silent?: readonly [from: number, to: number];
}

/** A tug, which counts nowhere and shows that the port is received. */
const TUG: MadeVessel = { mmsi: 338_000_001, latitude: 33.74, longitude: -118.22, type: 52 };

const between = ([a, b]: Place, [c, d]: Place, share: number): Place => [
  a + (c - a) * share,
  b + (d - b) * share,
];

/** The vessel at `hour`: swinging at anchor, still at its berth, under way for an hour before and after a stay. */
function vesselAt({ mmsi, stays, silent = [0, 0] }: Voyage, hour: number): MadeVessel | undefined {
  if (hour >= silent[0] && hour < silent[1]) return undefined;
  const stay = stays.find(({ from, to }) => hour >= from && hour < to);
  const made = (at: Place, more: MadeVessel): MadeVessel => ({
    mmsi,
    latitude: Number(at[0].toFixed(5)),
    longitude: Number(at[1].toFixed(5)),
    ...more,
  });
  if (stay?.kind === 'berth') return made(stay.place, { heading: 45 });
  if (stay?.kind === 'wait') {
    const turn = Math.sin(hour * 1.3);
    const [latitude, longitude] = stay.place;
    return made([latitude + 0.0015 * turn, longitude], { sog: 0.1, heading: Math.floor((turn + 1) * 175) });
  }
  const before = stays.findLast(({ to }) => to <= hour);
  const next = stays.find(({ from }) => from > hour);
  const left = before === undefined ? 99 : hour - before.to;
  const due = next === undefined ? 99 : next.from - hour;
  if (left > 1 && due > 1) return undefined;
  const share = due <= 1 ? 1 - due : left;
  const at = between(before?.place ?? SEA, next?.place ?? SEA, share);
  return made(at, { sog: 9 });
}

/** Returns what is served for Los Angeles after polls of the voyages over `hours`, without reception in the hours of `dark`. */
async function served(voyages: readonly Voyage[], hours: number, dark: readonly [number, number] = [0, 0]) {
  const endAt = START + hours * HOUR_MS;
  const ingest = startMemoryIngest({ nowAt: endAt });
  for (let at = START; at <= endAt; at += EVERY_MS) {
    const hour = (at - START) / HOUR_MS;
    const isDark = hour >= dark[0] && hour < dark[1];
    const made = voyages.map((voyage) => vesselAt(voyage, hour)).filter((vessel) => vessel !== undefined);
    const vessels = isDark ? [] : [TUG, ...made];
    const features = [...vessels.map((vessel) => feature(at, vessel)), ...canaries(at)];
    await ingest.archive.write(
      source.declaration.id,
      at,
      files({ 'vessels-1.geojson': collection(features) }),
    );
  }
  expect(await ingest.pass(source, { ask: false })).toMatchObject({ state: 'ok' });
  const reads = readHandlers(ingest.tables, () => endAt);
  const path = { UNLOCODE: 'USLAX' };
  const [snapshot, dwell] = await Promise.all([reads.snapshot({ path }), reads.dwell({ path })]);
  expect([snapshot.status, dwell.status]).toEqual([200, 200]);
  const rows: readonly { kind: string; start: string; hours: number }[] = JSON.parse(dwell.body);
  return {
    snapshot: JSON.parse(snapshot.body),
    dwell: rows.map(({ kind, start, hours: long }) => [
      kind,
      Math.round((Date.parse(start) - START) / HOUR_MS),
      Math.round(long),
    ]),
  };
}

const [FIRST, SECOND, THIRD, FOURTH] = BERTHS as readonly [Place, Place, Place, Place];

describe('the start of a feed', () => {
  const voyages: readonly Voyage[] = [
    // Alongside before the first poll.
    { mmsi: 205_000_001, stays: [{ kind: 'berth', place: FIRST, from: -20, to: 20 }] },
    // At anchor before the first poll, then alongside.
    {
      mmsi: 205_000_002,
      stays: [
        { kind: 'wait', place: ROADSTEAD, from: -9, to: 16 },
        { kind: 'berth', place: SECOND, from: 17, to: 31 },
      ],
    },
    // Seen from its arrival to its departure.
    {
      mmsi: 205_000_003,
      stays: [
        { kind: 'wait', place: [33.67, -118.2], from: 4, to: 10 },
        { kind: 'berth', place: THIRD, from: 11, to: 32 },
      ],
    },
    // Falls silent alongside, while others are received.
    {
      mmsi: 205_000_004,
      stays: [{ kind: 'berth', place: FOURTH, from: 3, to: 60 }],
      silent: [20, 60],
    },
  ];
  let figures: Awaited<ReturnType<typeof served>>;
  beforeAll(async () => {
    figures = await served(voyages, 36);
  });

  it('gives dwell rows of the stays whose start and end were seen, and of no others', () => {
    expect(figures.dwell).toEqual([
      ['wait', 4, 6],
      ['berth', 11, 21],
      ['berth', 17, 14],
    ]);
  });

  it('gives an average wait and counts of the events that were seen', () => {
    expect(figures.snapshot).toMatchObject({ vessels: { arrivals_24h: 0, departures_24h: 3, in_port: 0 } });
    expect(figures.snapshot.avg_wait_hours).toBeCloseTo(3, 0);
  });
});

describe('an outage of the receivers of one port for 13 hours', () => {
  const voyages: readonly Voyage[] = [
    // Alongside before, during and after it.
    { mmsi: 205_000_001, stays: [{ kind: 'berth', place: FIRST, from: 2, to: 25 }] },
    // Leaves during it.
    { mmsi: 205_000_002, stays: [{ kind: 'berth', place: SECOND, from: 2, to: 15 }] },
    // Goes from the anchorage to its berth during it.
    {
      mmsi: 205_000_003,
      stays: [
        { kind: 'wait', place: ROADSTEAD, from: 3, to: 16 },
        { kind: 'berth', place: THIRD, from: 17, to: 30 },
      ],
    },
    // Arrives during it.
    { mmsi: 205_000_004, stays: [{ kind: 'berth', place: FOURTH, from: 12, to: 31 }] },
  ];

  it('does not divide a stay, and gives no row of a stay whose start or end fell into it', async () => {
    const { dwell, snapshot } = await served(voyages, 40, [8, 21]);
    expect(dwell).toEqual([['berth', 2, 23]]);
    expect(snapshot.vessels).toMatchObject({ in_port: 0, departures_24h: 3 });
  });

  it('keeps the vessels in port that were there before it, until they could have been received again', async () => {
    const { snapshot } = await served(voyages, 22, [8, 21]);
    expect(snapshot.vessels).toMatchObject({ in_port: 4, at_anchor: 0, departures_24h: 0, arrivals_24h: 3 });
  });
});
