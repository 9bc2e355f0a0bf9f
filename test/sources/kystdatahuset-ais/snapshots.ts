/** Snapshots for the tests, made from the published list of fields: no real reply has been read. */
import type { ArchivedFetch } from '../../../core/sources/source.ts';

export const POLLED_AT = Date.parse('2026-03-10T12:00:00Z');

export interface MadeVessel {
  readonly mmsi?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  /** Seconds before the poll. */
  readonly age?: number;
  readonly [property: string]: unknown;
}

/** A cargo vessel at a berth of Bergen, with a line of where it was before, received a minute before the poll. */
export function feature(polledAt: number, vessel: MadeVessel = {}): object {
  const { mmsi = 257_000_001, latitude = 60.4, longitude = 5.31, age = 60, ...properties } = vessel;
  return {
    type: 'Feature',
    geometry: {
      type: 'LineString',
      coordinates: [
        [longitude - 0.01, latitude - 0.01],
        [longitude, latitude],
      ],
    },
    properties: {
      mmsi,
      imo: null,
      ship_name: 'EXAMPLE',
      ship_type: 70,
      ais_class: 'A',
      callsign: 'LAAA',
      length: 90,
      breadth: 15,
      draught: 5.2,
      cog: 12.3,
      speed: 0,
      true_heading: 511,
      status: 0,
      maneuvre: 0,
      destination: 'BERGEN',
      date_time_utc: new Date(polledAt - age * 1000).toISOString().slice(0, 19),
      ...properties,
    },
  };
}

/** A tug at Bergen and one at Oslo, and vessels at sea, outside of every box. */
export const surroundings = (polledAt: number): object[] => [
  feature(polledAt, { mmsi: 257_000_101, ship_type: 52 }),
  feature(polledAt, { mmsi: 257_000_102, latitude: 59.9, longitude: 10.74, ship_type: 52 }),
  ...[56.5, 66.1, 71.9, 78.2].map((latitude, index) =>
    feature(polledAt, { mmsi: 257_000_200 + index, latitude, longitude: 3.2, speed: 12 }),
  ),
];

export const collection = (features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });

export const fileOf = (text: string): ReadonlyMap<string, Uint8Array> =>
  new Map([['vessels.geojson', new TextEncoder().encode(text)]]);

export const pollOf = (text: string, fetchedAt = POLLED_AT): ArchivedFetch => ({
  fetchedAt,
  files: fileOf(text),
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The hours of a voyage after its begin. */
export const VOYAGE = { anchoredAt: 2, leftAnchorageAt: 12, berthedAt: 13, sailedAt: 30, goneAt: 32 };

/**
 * A vessel on its way from the sea to an anchorage off Bergen, where it swings, to a berth, where it does not, and to
 * sea again; one position a minute.
 */
function positionAt(hours: number): MadeVessel {
  const { anchoredAt, leftAnchorageAt, berthedAt, sailedAt, goneAt } = VOYAGE;
  const sea = [60.6, 4.75] as const;
  const anchorage = [60.44, 5.1] as const;
  const berth = [60.4, 5.305] as const;
  const between = (from: readonly [number, number], to: readonly [number, number], share: number) => ({
    latitude: from[0] + (to[0] - from[0]) * share,
    longitude: from[1] + (to[1] - from[1]) * share,
    speed: 7,
    true_heading: 120,
  });
  if (hours < anchoredAt) return between(sea, anchorage, hours / anchoredAt);
  if (hours < leftAnchorageAt) {
    const angle = hours * 1.3;
    const [latitude, longitude] = [
      anchorage[0] + 0.0012 * Math.sin(angle),
      anchorage[1] + 0.0024 * Math.cos(angle),
    ];
    return {
      latitude,
      longitude,
      speed: 0.2,
      true_heading: Math.round(((angle * 180) / Math.PI) % 360),
      status: 1,
    };
  }
  if (hours < berthedAt) return between(anchorage, berth, hours - leftAnchorageAt);
  if (hours < sailedAt)
    return { latitude: berth[0], longitude: berth[1], speed: 0, true_heading: 87, status: 5 };
  return between(berth, sea, Math.min(1, (hours - sailedAt) / (goneAt - sailedAt)));
}

/** The snapshot of a moment of the voyage that began at `startAt`. */
export const snapshotAt = (startAt: number, at: number): string =>
  collection([
    feature(at, { imo: 9_074_729, ...positionAt((at - MINUTE_MS - startAt) / HOUR_MS) }),
    ...surroundings(at),
  ]);
