/** Kystdatahuset `/ais/realtime/geojson`: lines of the last minutes, oldest first; the last point is the position. */
import type { Decoded, FixSink } from '../../positions/decoders/decoded.ts';
import { decodeFeatures, type FeatureForm, isObject } from '../../positions/decoders/geojson-vessels.ts';

/** Times are UTC, often without a zone. */
const utc = (text: unknown): unknown =>
  typeof text === 'string' && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

/** A point, or the last point of a line. */
function lastPoint(geometry: unknown): unknown {
  if (!isObject(geometry) || !Array.isArray(geometry.coordinates)) return undefined;
  return geometry.type === 'LineString' ? geometry.coordinates.at(-1) : geometry.coordinates;
}

const FORM: FeatureForm = {
  fields: ({ mmsi, date_time_utc, speed, true_heading, status, ship_type, imo }, { geometry }) => ({
    mmsi,
    time: utc(date_time_utc),
    coordinates: lastPoint(geometry),
    speed,
    heading: true_heading,
    status,
    type: ship_type,
    imo,
  }),
};

export const decodeKystdatahuset = (reply: unknown, take: FixSink): Decoded =>
  decodeFeatures(reply, take, FORM);
