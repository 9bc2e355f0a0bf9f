/** What a spot is used for, and which port the vessels that wait there berth at next. A run pins one version. */
import { createHash } from 'node:crypto';
import type { StayKind } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import { DEGREE, fixedDegrees } from './geometry.ts';
import { type AnchorageArea, anchorageAt } from './port-areas.ts';

/** Side of a cell, north and south. */
export const CELL_METRES = 350;
/** The same in 1e-5 degrees of latitude. */
export const CELL = Math.round(CELL_METRES / 1.11195);

/** Width of the cells of a row, in 1e-5 degrees of longitude. */
export const columnWidth = (row: number): number =>
  CELL / Math.max(0.05, Math.cos((((row + 0.5) * CELL) / DEGREE) * (Math.PI / 180)));

/** A number of its own for each cell: up to 72,000 columns in a row. */
export const cellKey = (row: number, column: number): number => row * 1_000_000 + column;

export function cellAt(latitude: number, longitude: number): number {
  const row = Math.floor(latitude / CELL);
  return cellKey(row, Math.floor(longitude / columnWidth(row)));
}

/** A cell, with the stays within `CELL_METRES` of its middle. A vessel counts once for each kind and each port. */
export interface Place {
  /** The middle of the cell, in 1e-5 degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly vessels: number;
  readonly berths: number;
  readonly waits: number;
  /** Undefined where the stays do not agree yet. */
  readonly label: StayKind | undefined;
  /** Vessels by the port of the berth that followed their wait. */
  readonly nextPorts: ReadonlyMap<Locode, number>;
}

export interface PlaceTable {
  readonly version: string;
  readonly places: readonly Place[];
}

const LABELS: Readonly<Record<string, StayKind | undefined>> = { berth: 'berth', wait: 'wait' };

/** `33.73445 -118.20031 12 10 2 berth USLAX:2`, as the study of places writes it. */
function readPlace(text: string): Place {
  const [latitude, longitude, vessels, berths, waits, label = '', ...ports] = text.split(' ');
  return {
    latitude: fixedDegrees(Number(latitude)),
    longitude: fixedDegrees(Number(longitude)),
    vessels: Number(vessels),
    berths: Number(berths),
    waits: Number(waits),
    label: LABELS[label],
    nextPorts: new Map(ports.map((port) => [port.slice(0, 5), Number(port.slice(6))])),
  };
}

/** The table in the parsed content of a `places.json`; a test holds the files to what the study writes. */
export const readPlaces = ({
  version,
  places,
}: {
  readonly version: string;
  readonly places: readonly string[];
}): PlaceTable => ({ version, places: places.map(readPlace) });

/** With fewer vessels a place is unknown, and so is the port that vessels waiting there go to. */
export const MIN_VESSELS = 3;
const MIN_PORT_SHARE = 0.6;

export const placesByCell = ({ places }: PlaceTable): Map<number, Place> =>
  new Map(places.map((place) => [cellAt(place.latitude, place.longitude), place]));

export interface Places {
  /** Identifies the table and the anchorage areas. A state records the version that its calls were made with. */
  readonly version: string;
  /** Kind of the stays at a position (1e-5 degrees); undefined where it is unknown. */
  kindAt(latitude: number, longitude: number): StayKind | undefined;
  /** The port that most vessels waiting there berth at next. */
  portAt(latitude: number, longitude: number): Locode | undefined;
}

function servedPort({ nextPorts }: Place): Locode | undefined {
  const all = [...nextPorts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...nextPorts].find(([, count]) => count / all >= MIN_PORT_SHARE);
  return all >= MIN_VESSELS ? most?.[0] : undefined;
}

/** The kind of a stay: the label of its place; without one, a stay inside an anchorage area is a wait. */
export function indexPlaces(table: PlaceTable, areas: readonly AnchorageArea[] = []): Places {
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
      return place && servedPort(place);
    },
  };
}
