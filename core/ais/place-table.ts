/** Tables of places, and the file that one is kept in: JSON, one place a line, with the digest of its content. */
import { createHash } from 'node:crypto';
import type { StayKind } from '../calls/port-call.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import { DEGREE, fixedDegrees } from './fix.ts';
import { CELL_METRES } from './place-cells.ts';

/** A cell, with the stays within `CELL_METRES` of its middle. A vessel counts once for each kind and each port. */
export interface Place {
  /** The middle of the cell, in 1e-5 degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly vessels: number;
  readonly berths: number;
  readonly waits: number;
  /** Undefined where the stays have not agreed yet. */
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

export const tableOf = (places: readonly Place[]): PlaceTable => ({ version: versionOf(places), places });

const versionOf = (places: readonly Place[]): string =>
  createHash('sha256')
    .update([`${FORMAT} ${CELL_METRES}`, ...places.map(textOf)].join('\n'))
    .digest('hex')
    .slice(0, 16);

/** Nothing is known of any spot. */
export const NO_PLACES: PlaceTable = tableOf([]);

const degrees = (value: number): string => (value / DEGREE).toFixed(5);

/** `33.73445 -118.20031 12 10 2 berth USLAX:2`. */
function textOf({ latitude, longitude, vessels, berths, waits, label, nextPorts }: Place): string {
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

function placeOf(text: string): Place | undefined {
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
  const content = { format: FORMAT, cellMetres: CELL_METRES, version, places: places.map(textOf) };
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
    const place = placeOf(String(line));
    if (place === undefined) throw new UnusablePlaces(`${JSON.stringify(line)} is not a place: ${remedy}`);
    return place;
  });
  const table = tableOf(places);
  if (table.version !== version)
    throw new UnusablePlaces(
      `the table of places states version ${String(version)}, its content is ${table.version}: it was edited or cut; ${remedy}`,
    );
  return table;
}
