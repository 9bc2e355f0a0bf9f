/** Spreads and drifts as rows of a state, and back. */
import type { Drift } from './drift.ts';
import { RowReader } from './row-reader.ts';
import type { Spread } from './spread.ts';

export const spreadRow = (spread: Spread): number[] => [
  spread.latitude,
  spread.longitude,
  spread.slow,
  spread.count,
  spread.coarse,
  spread.east,
  spread.north,
  spread.eastSquares,
  spread.northSquares,
  spread.products,
  spread.headings,
  spread.headingEast,
  spread.headingNorth,
  spread.anchored,
  spread.moored,
  spread.statusUnderWay,
];

export const readSpread = (row: RowReader): Spread => ({
  latitude: row.next(),
  longitude: row.next(),
  slow: row.next(),
  count: row.next(),
  coarse: row.next(),
  east: row.next(),
  north: row.next(),
  eastSquares: row.next(),
  northSquares: row.next(),
  products: row.next(),
  headings: row.next(),
  headingEast: row.next(),
  headingNorth: row.next(),
  anchored: row.next(),
  moored: row.next(),
  statusUnderWay: row.next(),
});

export const driftRow = (drift: Drift): number[] => [
  drift.begin,
  Number(drift.beginKnown),
  drift.latitude,
  drift.longitude,
  drift.ahead,
  drift.fixes,
  drift.fast,
  drift.departureTime,
];

export function readDrift(content: unknown): Drift {
  const row = new RowReader(content);
  return {
    begin: row.next(),
    beginKnown: row.flag(),
    latitude: row.next(),
    longitude: row.next(),
    ahead: row.next(),
    fixes: row.next(),
    fast: row.next(),
    departureTime: row.next(),
  };
}
