/** Parses the published port lists into one shape, by UN/LOCODE. Formats are in docs/port-reference.md. */
import { parse } from 'csv-parse/sync';
import { isLocode, type Locode } from '../../core/reference/codes.ts';

/** Degrees, north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The entry of one port in one list. */
export interface Listing {
  readonly name: string;
  readonly position?: Position;
  /** World Port Index harbour size, `Large` to `Very Small`. */
  readonly size?: string;
}

export type PortList = ReadonlyMap<Locode, Listing>;

type Row = Readonly<Record<string, string | undefined>>;

const readRows = (text: string): Row[] =>
  parse(text, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true }) as Row[];

/** A position, when both numbers are present and in range. */
function readPosition(latitude: unknown, longitude: unknown): Position | undefined {
  const texts = [latitude, longitude].map((value) => String(value ?? '').trim());
  const [lat = Number.NaN, lon = Number.NaN] = texts.map((text) => (text === '' ? Number.NaN : Number(text)));
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { latitude: lat, longitude: lon } : undefined;
}

const SIZES = ['Large', 'Medium', 'Small', 'Very Small'];
/** 0 is the largest; an unknown size comes last. */
const rank = (size = ''): number => (SIZES.includes(size) ? SIZES.indexOf(size) : SIZES.length);

function listing(name: string, position: Position | undefined, more: Partial<Listing> = {}): Listing {
  return { name: name.trim(), position, ...more };
}

/** NGA World Port Index (Pub. 150). Several harbours may have one code: the largest represents it. */
export function readWorldPortIndex(text: string): PortList {
  const list = new Map<Locode, Listing>();
  for (const row of readRows(text)) {
    const locode = (row['UN/LOCODE'] ?? '').replaceAll(' ', '');
    if (!isLocode(locode)) continue;
    const size = row['Harbor Size']?.trim() ?? '';
    const known = list.get(locode);
    if (known && rank(known.size) <= rank(size)) continue;
    list.set(
      locode,
      listing(row['Main Port Name'] ?? '', readPosition(row.Latitude, row.Longitude), { size }),
    );
  }
  return list;
}

/** UNECE UN/LOCODE, with decimal coordinates in `lat` and `lon`. */
export function readUnlocode(text: string): PortList {
  const rows = readRows(text).filter((row) => isLocode(row.locode ?? ''));
  return new Map(
    rows.map((row) => [row.locode ?? '', listing(row.name_ascii ?? '', readPosition(row.lat, row.lon))]),
  );
}

/** SafeSeaNet locations as Fintraffic publishes them. */
export function readSafeSeaNet(text: string): PortList {
  const rows = readRows(text).filter((row) => isLocode(row.locode ?? ''));
  return new Map(
    rows.map((row) => [row.locode ?? '', listing(row.location_name ?? '', readPosition(row.lat, row.lon))]),
  );
}

/** Fintraffic's port areas: the mean of a port's areas, for ports that no other list places. */
export function readPortAreas(text: string): PortList {
  const byPort = new Map<Locode, Position[]>();
  for (const row of readRows(text)) {
    const position = readPosition(row.lat, row.lon);
    const locode = row.locode ?? '';
    if (position && isLocode(locode)) byPort.set(locode, [...(byPort.get(locode) ?? []), position]);
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return new Map(
    [...byPort].map(([locode, places]) => [
      locode,
      listing('', {
        latitude: mean(places.map((place) => place.latitude)),
        longitude: mean(places.map((place) => place.longitude)),
      }),
    ]),
  );
}

interface SeaPort {
  readonly name: string;
  readonly coordinates?: readonly number[];
}

/** The npm package sea-ports: names; its positions are those of the town. */
export function readSeaPorts(ports: Readonly<Record<string, SeaPort>>): PortList {
  return new Map(
    Object.entries(ports).map(([locode, port]) => [
      locode,
      listing(port.name, readPosition(port.coordinates?.[1], port.coordinates?.[0])),
    ]),
  );
}
