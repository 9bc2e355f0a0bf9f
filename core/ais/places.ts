/**
 * Places: what a spot is used for, and which port the vessels that wait there berth at next. A run pins one version, so
 * that the same fixes give the same stays again.
 */
import { createHash } from 'node:crypto';
import type { StayKind } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import { type AnchorageArea, anchorageAt } from './anchorage-areas.ts';
import { cellAt } from './place-cells.ts';
import type { Place, PlaceTable } from './place-table.ts';

/** Fewer vessels say nothing about a place, and nothing about where those that wait there go. */
export const LEAST_VESSELS = 3;
const LEAST_PORT_SHARE = 0.6;

export const placesByCell = ({ places }: PlaceTable): Map<number, Place> =>
  new Map(places.map((place) => [cellAt(place.latitude, place.longitude), place]));

export interface Places {
  /** Which table and anchorage areas these are. A state says the version that its calls were made with. */
  readonly version: string;
  /** What stays at a position (1e-5 degrees) are; undefined where nothing is known. */
  kindAt(latitude: number, longitude: number): StayKind | undefined;
  /** The port that most vessels waiting there berth at next. */
  portAt(latitude: number, longitude: number): Locode | undefined;
}

/** The port with 60 % of the vessels. */
function portOf({ nextPorts }: Place): Locode | undefined {
  const all = [...nextPorts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...nextPorts].find(([, count]) => count / all >= LEAST_PORT_SHARE);
  return all >= LEAST_VESSELS ? most?.[0] : undefined;
}

/** A stay is what the place's label says; where there is none, a stay inside an anchorage area is a wait. */
export function placesOf(table: PlaceTable, areas: readonly AnchorageArea[] = []): Places {
  const places = placesByCell(table);
  const areasDigest = createHash('sha256').update(JSON.stringify(areas)).digest('hex').slice(0, 8);
  return {
    version: areas.length === 0 ? table.version : `${table.version}+${areasDigest}`,
    kindAt(latitude, longitude) {
      const label = places.get(cellAt(latitude, longitude))?.label;
      return label ?? (anchorageAt(areas, latitude, longitude) === undefined ? undefined : 'wait');
    },
    portAt(latitude, longitude) {
      const place = places.get(cellAt(latitude, longitude));
      return place && portOf(place);
    },
  };
}
