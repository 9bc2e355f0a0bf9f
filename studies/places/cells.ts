/** The cells of the table of places that learn from a stay: those around its position. */
import { HALF_TURN, metresBetween, wrapLongitude } from '../../core/positions/geometry.ts';
import { CELL, CELL_METRES, cellKey, columnWidth } from '../../core/positions/places.ts';

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
        key: cellKey(row, column),
        latitude: Math.round((row + 0.5) * CELL),
        longitude: Math.round((column + 0.5) * width),
      };
      if (metresBetween(latitude, longitude, middle.latitude, middle.longitude) <= CELL_METRES)
        found.push(middle);
    }
  }
  return found;
}
