/** Kystdatahuset `/ais/realtime/geojson`: lines of the last minutes, oldest first; the last point is the position. */

import {
  type Decoded,
  type FixSink,
  isObject,
  nothingDecoded,
  readCode,
  readSpeed,
  readTime,
  readWhole,
  takePosition,
  UnreadablePositions,
} from '../../positions/decoders/decoded.ts';
import { blankFix } from '../../positions/fix.ts';

/** Times are UTC, often without a zone. */
const utc = (text: unknown): unknown =>
  typeof text === 'string' && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

/** A point, or the last point of a line. */
function lastPoint(geometry: unknown): unknown {
  if (!isObject(geometry) || !Array.isArray(geometry.coordinates)) return undefined;
  return geometry.type === 'LineString' ? geometry.coordinates.at(-1) : geometry.coordinates;
}

/** Emits the vessels of one reply. Throws `UnreadablePositions` when it is not a feature collection. */
export function decodeKystdatahuset(reply: unknown, take: FixSink): Decoded {
  if (!isObject(reply) || !Array.isArray(reply.features))
    throw new UnreadablePositions('not a GeoJSON FeatureCollection');
  const decoded = nothingDecoded();
  const fix = blankFix();
  for (const feature of reply.features as readonly unknown[]) {
    const properties = isObject(feature) && isObject(feature.properties) ? feature.properties : {};
    fix.mmsi = readCode(properties.mmsi);
    fix.time = readTime(utc(properties.date_time_utc));
    const placed = isObject(feature) && takePosition(fix, lastPoint(feature.geometry));
    if (!placed || fix.mmsi === 0 || Number.isNaN(fix.time)) {
      decoded.broken += 1;
      continue;
    }
    fix.speed = readSpeed(properties.speed);
    fix.heading = readWhole(properties.true_heading);
    fix.status = readWhole(properties.status);
    fix.vesselType = readCode(properties.ship_type);
    fix.imo = readCode(properties.imo);
    decoded.fixes += 1;
    take(fix);
  }
  return decoded;
}
