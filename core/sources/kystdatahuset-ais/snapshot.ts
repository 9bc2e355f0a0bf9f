/** Kystdatahuset `/ais/realtime/geojson`: lines of the last minutes, oldest first; the last point is the position. */

import {
  codeOf,
  type Decoded,
  type FixSink,
  isObject,
  nothingDecoded,
  speedOf,
  takePosition,
  timeOf,
  UnreadablePositions,
  wholeOf,
} from '../../ais/decoders/decoded.ts';
import { blankFix } from '../../ais/fix.ts';

/** Times are UTC, often without saying so. */
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
    fix.mmsi = codeOf(properties.mmsi);
    fix.time = timeOf(utc(properties.date_time_utc));
    const placed = isObject(feature) && takePosition(fix, lastPoint(feature.geometry));
    if (!placed || fix.mmsi === 0 || Number.isNaN(fix.time)) {
      decoded.broken += 1;
      continue;
    }
    fix.speed = speedOf(properties.speed);
    fix.heading = wholeOf(properties.true_heading);
    fix.status = wholeOf(properties.status);
    fix.vesselType = codeOf(properties.ship_type);
    fix.imo = codeOf(properties.imo);
    decoded.fixes += 1;
    take(fix);
  }
  return decoded;
}
