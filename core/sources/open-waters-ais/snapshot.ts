/** Open Waters `/v1/vessels`: a GeoJSON snapshot with identity and position; unknown fields are absent. */

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

export interface OpenWatersSnapshot extends Decoded {
  /** True when the record limit cut the reply, so vessels are missing. */
  readonly truncated: boolean;
  /** Rows by the feed that their `source` names; '' where it names none. */
  readonly feeds: ReadonlyMap<string, number>;
}

/** Emits the vessels of one reply but those of excluded feeds. Throws `UnreadablePositions` when it is not a feature collection. */
export function decodeOpenWaters(
  reply: unknown,
  take: FixSink,
  isExcluded: (feed: string) => boolean = () => false,
): OpenWatersSnapshot {
  if (!isObject(reply) || !Array.isArray(reply.features))
    throw new UnreadablePositions('not a GeoJSON FeatureCollection');
  const decoded = nothingDecoded();
  const feeds = new Map<string, number>();
  const fix = blankFix();
  for (const feature of reply.features as readonly unknown[]) {
    if (!isObject(feature) || !isObject(feature.properties)) {
      decoded.broken += 1;
      continue;
    }
    const { properties, geometry } = feature;
    // A vessel that was received without a position has a null geometry.
    if ((properties.kind ?? 'vessel') !== 'vessel' || geometry === null) {
      decoded.others += 1;
      continue;
    }
    fix.mmsi = readCode(properties.mmsi ?? feature.id);
    fix.time = readTime(properties.seen);
    const placed = isObject(geometry) && takePosition(fix, geometry.coordinates);
    if (!placed || fix.mmsi === 0 || Number.isNaN(fix.time)) {
      decoded.broken += 1;
      continue;
    }
    fix.speed = readSpeed(properties.sog);
    fix.heading = readWhole(properties.heading);
    fix.status = readWhole(properties.nav_status);
    fix.vesselType = readCode(properties.type);
    fix.imo = readCode(properties.imo);
    const feed = typeof properties.source === 'string' ? properties.source : '';
    feeds.set(feed, (feeds.get(feed) ?? 0) + 1);
    if (isExcluded(feed)) continue;
    decoded.fixes += 1;
    take(fix);
  }
  return { ...decoded, truncated: reply.truncated === true, feeds };
}
