/** Open Waters `/v1/vessels`: a GeoJSON snapshot with identity and position; unknown fields are absent. */
import type { FixSink } from '../../positions/decoders/decoded.ts';
import {
  decodeFeatures,
  isObject,
  type JsonObject,
  type VesselFields,
} from '../../positions/decoders/geojson-vessels.ts';

/** A vessel that was received without a position has a null geometry. */
function vesselFields(properties: JsonObject, { id, geometry }: JsonObject): VesselFields | undefined {
  const { kind, mmsi, seen, sog, heading, nav_status, type, imo } = properties;
  if ((kind ?? 'vessel') !== 'vessel' || geometry === null) return undefined;
  const coordinates = isObject(geometry) ? geometry.coordinates : undefined;
  return { mmsi: mmsi ?? id, time: seen, coordinates, speed: sog, heading, status: nav_status, type, imo };
}

/**
 * Emits the vessels of one reply but those of excluded feeds, and counts all rows by the feed that they name, '' for none.
 * `truncated`: the record limit cut the reply. Throws `UnreadablePositions` when it is not a feature collection.
 */
export function decodeOpenWaters(
  reply: unknown,
  take: FixSink,
  isExcluded: (feed: string) => boolean = () => false,
) {
  const feeds = new Map<string, number>();
  const isTaken = ({ source }: JsonObject): boolean => {
    const feed = typeof source === 'string' ? source : '';
    feeds.set(feed, (feeds.get(feed) ?? 0) + 1);
    return !isExcluded(feed);
  };
  const decoded = decodeFeatures(reply, take, { fields: vesselFields, isTaken });
  return { ...decoded, truncated: isObject(reply) && reply.truncated === true, feeds };
}
