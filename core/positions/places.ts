/**
 * Places: what a spot is used for, and which port the vessels that wait there berth at next. A run pins one version, so
 * that the same fixes give the same stays again.
 */
import { createHash } from 'node:crypto';
import type { StayKind } from '../calls/port-call.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
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

/** The key of the cell of a position in 1e-5 degrees. */
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
  /** Digest of the content. */
  readonly version: string;
  /** In order of their cells. */
  readonly places: readonly Place[];
}

/** The file cannot be used as a table of places; the message says why and what to do. */
export class UnusablePlaces extends Error {
  override readonly name = 'UnusablePlaces';
}

/** Increased when the format of the file changes. */
const FORMAT = 1;

export const toTable = (places: readonly Place[]): PlaceTable => ({
  version: contentVersion(places),
  places,
});

const contentVersion = (places: readonly Place[]): string =>
  createHash('sha256')
    .update([`${FORMAT} ${CELL_METRES}`, ...places.map(toText)].join('\n'))
    .digest('hex')
    .slice(0, 16);

/** An empty table. */
export const NO_PLACES: PlaceTable = toTable([]);

const degrees = (value: number): string => (value / DEGREE).toFixed(5);

/** `33.73445 -118.20031 12 10 2 berth USLAX:2`. */
function toText({ latitude, longitude, vessels, berths, waits, label, nextPorts }: Place): string {
  const ports = [...nextPorts].map(([port, count]) => `${port}:${count}`);
  return [degrees(latitude), degrees(longitude), vessels, berths, waits, label ?? 'open', ...ports].join(' ');
}

const LABELS: Readonly<Record<string, StayKind | undefined>> = {
  berth: 'berth',
  wait: 'wait',
  open: undefined,
};
const COUNTS = String.raw`\d+ \d+ \d+`;
const PLACE = new RegExp(
  String.raw`^-?\d+\.\d{5} -?\d+\.\d{5} ${COUNTS} (berth|wait|open)( [A-Z0-9]{5}:\d+)*$`,
);

function readPlace(text: string): Place | undefined {
  if (!PLACE.test(text)) return undefined;
  const [latitude, longitude, vessels, berths, waits, label = '', ...ports] = text.split(' ');
  const nextPorts = ports.map((port) => [port.slice(0, 5), Number(port.slice(6))] as const);
  if (!nextPorts.every(([port]) => isLocode(port))) return undefined;
  return {
    latitude: fixedDegrees(Number(latitude)),
    longitude: fixedDegrees(Number(longitude)),
    vessels: Number(vessels),
    berths: Number(berths),
    waits: Number(waits),
    label: LABELS[label],
    nextPorts: new Map(nextPorts as [Locode, number][]),
  };
}

/** The content of the file of a table, one place a line. */
export function writePlaces({ version, places }: PlaceTable): string {
  const content = { format: FORMAT, cellMetres: CELL_METRES, version, places: places.map(toText) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Reads the parsed content of a file. Throws `UnusablePlaces` unless it is exactly what `writePlaces` wrote. */
export function readPlaces(content: unknown): PlaceTable {
  const { format, cellMetres, version, places: lines } = Object(content) as Record<string, unknown>;
  const remedy = 'restore it from version control';
  if (format !== FORMAT)
    throw new UnusablePlaces(
      `the table of places is of format ${String(format)}, this is format ${FORMAT}: ${remedy}`,
    );
  if (cellMetres !== CELL_METRES)
    throw new UnusablePlaces(
      `the table of places has cells of ${String(cellMetres)} m, the engine's are of ${CELL_METRES} m: ${remedy}`,
    );
  if (!Array.isArray(lines)) throw new UnusablePlaces(`the table of places has no list of places: ${remedy}`);
  const places = lines.map((line): Place => {
    const place = readPlace(String(line));
    if (place === undefined) throw new UnusablePlaces(`${JSON.stringify(line)} is not a place: ${remedy}`);
    return place;
  });
  const table = toTable(places);
  if (table.version !== version)
    throw new UnusablePlaces(
      `the table of places states version ${String(version)}, its content is ${table.version}: it was edited or cut; ${remedy}`,
    );
  return table;
}

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

/** The port of at least 60 % of the vessels. */
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
