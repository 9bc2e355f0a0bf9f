/** Spreads and drifts as rows of a state, and back. */
import type { Drift } from './drift.ts';
import type { Spread } from './spread.ts';

// Reads the rows of a written state.

/** The state cannot be used: damaged, or of another engine. The message says what to do. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState';
}

/** Reads numbers one after another; anything but a finite number makes the state unusable. */
export class RowReader {
  private at = 0;
  constructor(private readonly row: unknown) {}

  next(): number {
    const value = Array.isArray(this.row) ? this.row[this.at] : undefined;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new UnusableState('a number is missing');
    this.at += 1;
    return value;
  }

  flag(): boolean {
    return this.next() !== 0;
  }

  list(): readonly unknown[] {
    const value = Array.isArray(this.row) ? this.row[this.at] : undefined;
    if (!Array.isArray(value)) throw new UnusableState('a list is missing');
    this.at += 1;
    return value;
  }

  /** A list, or undefined where the row has a number instead. */
  optionalList(): readonly unknown[] | undefined {
    const value = Array.isArray(this.row) ? this.row[this.at] : undefined;
    if (Array.isArray(value)) return this.list();
    this.next();
    return undefined;
  }
}

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
