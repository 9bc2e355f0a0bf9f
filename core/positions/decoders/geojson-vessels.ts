/** Vessels of a GeoJSON snapshot, whatever names its publisher gives the fields. */
import { parseInstant } from '../../reference/time.ts';
import { DECIMAL } from '../../upstream/fields.ts';
import {
  blankFix,
  type Decoded,
  type Fix,
  type FixSink,
  nothingDecoded,
  UNKNOWN,
  UnreadablePositions,
} from '../fix.ts';
import { fixedDegrees } from '../geometry.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a feature states of a vessel, each in any form. */
export interface VesselFields {
  readonly mmsi?: unknown;
  /** RFC 3339. */
  readonly time?: unknown;
  /** Longitude first. */
  readonly coordinates?: unknown;
  /** Knots. */
  readonly speed?: unknown;
  readonly heading?: unknown;
  readonly status?: unknown;
  readonly type?: unknown;
  readonly imo?: unknown;
}

export interface FeatureForm {
  /** Undefined unless the feature is a vessel with a position. */
  fields(properties: JsonObject, feature: JsonObject): VesselFields | undefined;
  /** Whether the fix of a vessel is handed on; all are when absent. */
  isTaken?(properties: JsonObject): boolean;
}

/** A number, or text of one; `NaN` for anything else. */
function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (DECIMAL.read(value.trim()) ?? Number.NaN) : Number.NaN;
}

const known = (value: number): number => (Number.isFinite(value) ? value : UNKNOWN);
const readWhole = (value: unknown): number => known(Math.round(readNumber(value)));
/** A positive whole number, 0 for anything else. */
const readCode = (value: unknown): number => Math.max(0, Math.round(readNumber(value)) || 0);
/** Unix seconds; `NaN` for anything else than a time. */
const readTime = (value: unknown): number =>
  typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) / 1000 : Number.NaN;

/** Writes who, where and when into the fix; false when one of them is not stated. */
function takeIdentity(fix: Fix, { mmsi, time, coordinates }: VesselFields): boolean {
  const [longitude, latitude] = Array.isArray(coordinates) ? coordinates.map(readNumber) : [];
  fix.mmsi = readCode(mmsi);
  fix.time = readTime(time);
  fix.latitude = fixedDegrees(latitude ?? Number.NaN);
  fix.longitude = fixedDegrees(longitude ?? Number.NaN);
  return fix.mmsi !== 0 && [fix.time, fix.latitude, fix.longitude].every(Number.isFinite);
}

/** Writes into the fix what is unknown where it is not stated. */
function takeStatements(fix: Fix, { speed, heading, status, type, imo }: VesselFields): void {
  fix.speed = known(Math.round(readNumber(speed) * 10));
  fix.heading = readWhole(heading);
  fix.status = readWhole(status);
  fix.vesselType = readCode(type);
  fix.imo = readCode(imo);
}

/** Emits the vessels of one reply. Throws `UnreadablePositions` when it is not a feature collection. */
export function decodeFeatures(reply: unknown, take: FixSink, form: FeatureForm): Decoded {
  if (!isObject(reply) || !Array.isArray(reply.features))
    throw new UnreadablePositions('not a GeoJSON FeatureCollection');
  const decoded = nothingDecoded();
  const fix = blankFix();
  for (const feature of reply.features as readonly unknown[]) {
    if (!isObject(feature) || !isObject(feature.properties)) {
      decoded.broken += 1;
      continue;
    }
    const fields = form.fields(feature.properties, feature);
    if (fields === undefined) decoded.others += 1;
    else if (!takeIdentity(fix, fields)) decoded.broken += 1;
    else if (form.isTaken?.(feature.properties) !== false) {
      takeStatements(fix, fields);
      decoded.fixes += 1;
      take(fix);
    }
  }
  return decoded;
}
