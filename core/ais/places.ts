/**
 * Places learned from closed stays: what a spot is used for, and which port the vessels that wait there go to. Learned
 * offline and pinned by its version, so that the same fixes give the same stays again.
 */
import type { StayKind } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import { DEGREE, metresBetween } from './fix.ts';

/** One cell of about 350 m: how its stays were used. Vessels are counted once each. */
interface Place {
  /** 1e-5 degrees, the middle of the cell. */
  readonly latitude: number;
  readonly longitude: number;
  readonly vessels: number;
  readonly berths: number;
  readonly waits: number;
  /** Waits by the port of the berth that followed. */
  readonly nextPorts: Readonly<Record<Locode, number>>;
}

export interface PlaceTable {
  /** Which table it is; part of every state that was made with it. */
  readonly version: string;
  readonly places: readonly Place[];
}

export const NO_PLACES: PlaceTable = { version: 'none', places: [] };

/** Side of a cell in metres, north and south. */
const CELL_METRES = 350;
const CELL = Math.round(CELL_METRES / 1.11195);
const LEAST_VESSELS = 3;
const LEAST_SHARE = 0.7;
const LEAST_PORT_SHARE = 0.6;

export interface LearnedPlaces {
  /** What stays at this position are, where enough vessels agree. */
  kindAt(latitude: number, longitude: number): StayKind | undefined;
  /** The port that most vessels waiting here berth at next. */
  portAt(latitude: number, longitude: number): Locode | undefined;
}

/** Row and column of a cell. A column is as wide as `CELL_METRES` at the row's latitude. */
function cellOf(latitude: number, longitude: number): readonly [number, number] {
  const row = Math.floor(latitude / CELL);
  return [row, Math.floor(longitude / columnWidth(row))];
}

const columnWidth = (row: number): number =>
  CELL / Math.max(0.05, Math.cos((((row + 0.5) * CELL) / DEGREE) * (Math.PI / 180)));

/** A number of its own for each cell: up to 72,000 columns in a row. */
const keyOf = (row: number, column: number): number => row * 1_000_000 + column;

class PlaceIndex implements LearnedPlaces {
  private readonly cells = new Map<number, Place>();

  constructor(places: readonly Place[]) {
    for (const place of places) this.cells.set(keyOf(...cellOf(place.latitude, place.longitude)), place);
  }

  /** Places of the cell and of the eight around it that lie within a cell's side. */
  private around(latitude: number, longitude: number): Place[] {
    const [row] = cellOf(latitude, longitude);
    const found: Place[] = [];
    for (let r = row - 1; r <= row + 1; r += 1) {
      const column = Math.floor(longitude / columnWidth(r));
      for (let c = column - 1; c <= column + 1; c += 1) {
        const place = this.cells.get(keyOf(r, c));
        if (place && metresBetween(latitude, longitude, place.latitude, place.longitude) <= CELL_METRES)
          found.push(place);
      }
    }
    return found;
  }

  kindAt(latitude: number, longitude: number): StayKind | undefined {
    let [vessels, berths, waits] = [0, 0, 0];
    for (const place of this.around(latitude, longitude)) {
      vessels += place.vessels;
      berths += place.berths;
      waits += place.waits;
    }
    if (vessels < LEAST_VESSELS) return undefined;
    const share = berths / (berths + waits);
    if (share >= LEAST_SHARE) return 'berth';
    return share <= 1 - LEAST_SHARE ? 'wait' : undefined;
  }

  portAt(latitude: number, longitude: number): Locode | undefined {
    const votes = new Map<Locode, number>();
    let all = 0;
    for (const { nextPorts } of this.around(latitude, longitude)) {
      for (const [port, count] of Object.entries(nextPorts)) {
        votes.set(port, (votes.get(port) ?? 0) + count);
        all += count;
      }
    }
    const [most] = [...votes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return most !== undefined && all >= LEAST_VESSELS && most[1] / all >= LEAST_PORT_SHARE
      ? most[0]
      : undefined;
  }
}

export const learnedPlaces = ({ places }: PlaceTable): LearnedPlaces => new PlaceIndex(places);

/** A closed stay as places are learned from it. */
export interface TaughtStay {
  readonly mmsi: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly kind: StayKind;
  /** For a wait: the port of the berth that followed. */
  readonly nextPort?: Locode;
}

interface Cell {
  readonly vessels: Set<number>;
  latitude: number;
  longitude: number;
  berths: number;
  waits: number;
  readonly nextPorts: Map<Locode, number>;
}

/** Learns places from stays in any order; a vessel's later stays of one kind in one cell count no more than its first. */
export function learnPlaces(stays: Iterable<TaughtStay>, version: string): PlaceTable {
  const cells = new Map<number, Cell>();
  const seen = new Set<string>();
  const inOrder = [...stays].sort(
    (a, b) => a.mmsi - b.mmsi || a.latitude - b.latitude || a.longitude - b.longitude,
  );
  for (const { mmsi, latitude, longitude, kind, nextPort } of inOrder) {
    const [row, column] = cellOf(latitude, longitude);
    const key = keyOf(row, column);
    let cell = cells.get(key);
    if (cell === undefined) {
      const middle = { latitude: (row + 0.5) * CELL, longitude: (column + 0.5) * columnWidth(row) };
      cell = { vessels: new Set(), ...middle, berths: 0, waits: 0, nextPorts: new Map() };
      cells.set(key, cell);
    }
    const use = `${key} ${mmsi} ${kind} ${nextPort ?? ''}`;
    if (seen.has(use)) continue;
    seen.add(use);
    cell.vessels.add(mmsi);
    if (kind === 'berth') cell.berths += 1;
    else cell.waits += 1;
    if (nextPort !== undefined) cell.nextPorts.set(nextPort, (cell.nextPorts.get(nextPort) ?? 0) + 1);
  }
  const places = [...cells]
    .sort(([a], [b]) => a - b)
    .map(([, cell]): Place => {
      const ports = [...cell.nextPorts].sort(([a], [b]) => (a < b ? -1 : 1));
      const { berths, waits } = cell;
      const [latitude, longitude] = [Math.round(cell.latitude), Math.round(cell.longitude)];
      return {
        latitude,
        longitude,
        vessels: cell.vessels.size,
        berths,
        waits,
        nextPorts: Object.fromEntries(ports),
      };
    });
  return { version, places };
}
