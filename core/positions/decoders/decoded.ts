/** What decoders share: where fixes go, what is counted, and numbers from JSON of unknown types. */
import { parseInstant } from '../../reference/time.ts';
import { DECIMAL } from '../../upstream/fields.ts';
import { type Fix, UNKNOWN } from '../fix.ts';
import { fixedDegrees } from '../geometry.ts';

/** Takes one fix; the object is overwritten by the next. */
export type FixSink = (fix: Fix) => void;

export interface Decoded {
  /** Rows that were handed on. */
  fixes: number;
  /** Rows of something else, a buoy or a message without a position, and rows that were left at their MMSI. */
  others: number;
  /** Rows that could not be read. */
  broken: number;
}

export const nothingDecoded = (): Decoded => ({ fixes: 0, others: 0, broken: 0 });

/** The input as a whole is not of the published form. */
export class UnreadablePositions extends Error {
  override readonly name = 'UnreadablePositions';
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number, or text of one; `NaN` for anything else. */
function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (DECIMAL.read(value.trim()) ?? Number.NaN) : Number.NaN;
}

const known = (value: number): number => (Number.isFinite(value) ? value : UNKNOWN);

/** Knots as the engine's integer, unknown for anything else. */
export const readSpeed = (knots: unknown): number => known(Math.round(readNumber(knots) * 10));
export const readWhole = (value: unknown): number => known(Math.round(readNumber(value)));
/** A positive whole number, 0 for anything else. */
export const readCode = (value: unknown): number => {
  const number = Math.round(readNumber(value));
  return number > 0 ? number : 0;
};

/** Unix seconds of an RFC 3339 time; `NaN` for anything else. */
export const readTime = (value: unknown): number =>
  typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) / 1000 : Number.NaN;

/** Writes a GeoJSON position, longitude first, into `fix`; false for anything else. */
export function takePosition(fix: Fix, coordinates: unknown): boolean {
  if (!Array.isArray(coordinates)) return false;
  const [longitude, latitude] = [readNumber(coordinates[0]), readNumber(coordinates[1])];
  fix.latitude = fixedDegrees(latitude);
  fix.longitude = fixedDegrees(longitude);
  return Number.isFinite(latitude) && Number.isFinite(longitude);
}
