/** Kystdatahuset as a source: port calls from positions in Norwegian waters, poll by poll. */

import { decodeFeatures, type FeatureForm, isObject } from '../../positions/decoders/geojson-vessels.ts';
import { pollReader } from '../../positions/steps.ts';
import {
  type Day,
  endOfDay,
  formatInstant,
  type Instant,
  MINUTE_MS,
  startOfDay,
} from '../../reference/time.ts';
import { getBody, type HttpClient } from '../../upstream/http-client.ts';
import type { FetchedFiles, HistoryLimits, PastFetches, Source } from '../../upstream/source.ts';
import {
  CANARY_PORTS,
  kystdatahusetAisDeclaration as declaration,
  NORWEGIAN_BOXES,
  NORWEGIAN_WATERS,
} from './declaration.ts';

const ADDRESS = 'https://kystdatahuset.kystverket.no/ws/api/ais/realtime/geojson';
const FILE = 'vessels.geojson';
/** Time between two past polls. A snapshot has the vessels of the ten minutes before it, and takes the upstream up to 23 seconds. */
const PAST_STEP_MS = 10 * MINUTE_MS;

/** Times are UTC, often without a zone. */
const utc = (text: unknown): unknown =>
  typeof text === 'string' && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;

/** A point, or the last point of a line of the last minutes. */
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

/** The vessels in Norwegian waters, now or at a moment of the last 30 days. */
async function fetchSnapshot(http: HttpClient, at?: Instant): Promise<FetchedFiles> {
  const moment = at === undefined ? '' : `?${new URLSearchParams({ timeStamp: formatInstant(at) })}`;
  return new Map([[FILE, await getBody(http, `${ADDRESS}${moment}`, `${FILE}${moment}`)]]);
}

/** Writes the polls of a UTC day up to now that `past` lacks, one at a time. Returns false when time ran out. */
export async function fetchPastDay(
  http: HttpClient,
  past: PastFetches,
  day: Day,
  { now, outOfTime }: HistoryLimits,
): Promise<boolean> {
  const endAt = Math.min(endOfDay(day), now());
  for (let at = startOfDay(day); at < endAt; at += PAST_STEP_MS) {
    if (await past.has(at)) continue;
    if (outOfTime()) return false;
    await past.write({ fetchedAt: at, files: await fetchSnapshot(http, at) });
  }
  return true;
}

export const source = {
  declaration,
  fetch: ({ http }) => fetchSnapshot(http),
  ...pollReader({
    declaration,
    boxes: NORWEGIAN_BOXES,
    area: NORWEGIAN_WATERS,
    canaryPorts: CANARY_PORTS,
    vesselsFile: /^vessels\.geojson$/,
    decode: (reply, take) => decodeFeatures(reply, take, FORM),
  }),
  history: { hosts: declaration.hosts, fetchDay: fetchPastDay },
} satisfies Source;
