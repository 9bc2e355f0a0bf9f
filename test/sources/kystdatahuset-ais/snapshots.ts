/** Snapshots for the tests, made from the published list of fields: no real reply has been read. */
import type { ArchivedFetch } from '../../../core/upstream/source.ts';
import { files, type MadeVessel } from '../../builders/geojson-feed.ts';

export const POLLED_AT = Date.parse('2026-03-10T12:00:00Z');

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

export const pollOf = (text: string, fetchedAt = POLLED_AT): ArchivedFetch => ({
  fetchedAt,
  files: files({ 'vessels.geojson': text }),
});
