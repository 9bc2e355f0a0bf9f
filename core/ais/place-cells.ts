/** The grid of places: cells of about 350 m, as wide as they are high at any latitude. */
import { DEGREE, HALF_TURN, metresBetween, wrapLongitude } from './fix.ts';

/** Side of a cell, north and south. */
export const CELL_METRES = 350;
const CELL = Math.round(CELL_METRES / 1.11195);

const columnWidth = (row: number): number =>
  CELL / Math.max(0.05, Math.cos((((row + 0.5) * CELL) / DEGREE) * (Math.PI / 180)));

/** A number of its own for each cell: up to 72,000 columns in a row. */
const keyOf = (row: number, column: number): number => row * 1_000_000 + column;

/** The key of the cell of a position in 1e-5 degrees. */
export function cellAt(latitude: number, longitude: number): number {
  const row = Math.floor(latitude / CELL);
  return keyOf(row, Math.floor(longitude / columnWidth(row)));
}

/** A cell by its middle, in 1e-5 degrees. */
export interface Cell {
  readonly key: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** The cells whose middles lie within `CELL_METRES` of a position. */
export function cellsAround(latitude: number, longitude: number): Cell[] {
  const found: Cell[] = [];
  const at = Math.floor(latitude / CELL);
  for (let row = at - 1; row <= at + 1; row += 1) {
    const width = columnWidth(row);
    // The last and the first cell of a row, on the two sides of the antimeridian, are narrower than a step.
    const seam = Math.abs(longitude) + width > HALF_TURN ? [HALF_TURN, 1 - HALF_TURN] : [];
    const steps = [longitude - width, longitude, longitude + width, ...seam];
    for (const column of new Set(steps.map((step) => Math.floor(wrapLongitude(step) / width)))) {
      const middle = {
        key: keyOf(row, column),
        latitude: Math.round((row + 0.5) * CELL),
        longitude: Math.round((column + 0.5) * width),
      };
      if (metresBetween(latitude, longitude, middle.latitude, middle.longitude) <= CELL_METRES)
        found.push(middle);
    }
  }
  return found;
}
