/** Kystdatahuset as a source: call records from positions in Norwegian waters, poll by poll. */

import { indexPlaces, readPlaces } from '../../positions/places.ts';
import { pollReader } from '../../positions/poll-step.ts';
import {
  type Day,
  endOfDay,
  formatInstant,
  type Instant,
  MINUTE_MS,
  startOfDay,
} from '../../reference/time.ts';
import { type HttpClient, UpstreamFailure } from '../../upstream/http/http-client.ts';
import type {
  FetchContext,
  FetchedFiles,
  HistoryLimits,
  PastFetches,
  Source,
} from '../../upstream/source.ts';
import {
  CANARY_PORTS,
  kystdatahusetAisDeclaration as declaration,
  NORWEGIAN_BOXES,
  NORWEGIAN_WATERS,
} from './declaration.ts';
import places from './places.json' with { type: 'json' };
import { decodeKystdatahuset } from './snapshot.ts';

// Fetches the vessels in Norwegian waters, now or at a moment of the last 30 days.

const ADDRESS = 'https://kystdatahuset.kystverket.no/ws/api/ais/realtime/geojson';
const FILE = 'vessels.geojson';
const VESSELS_FILE = /^vessels\.geojson$/;
const OK = 200;
/**
 * Between two past polls. A snapshot shows the vessels received in the ten minutes before it, and takes the upstream up to
 * 23 seconds.
 */
const PAST_STEP_MS = 10 * MINUTE_MS;

async function fetchSnapshot(http: HttpClient, at?: Instant): Promise<FetchedFiles> {
  const moment = at === undefined ? '' : `?${new URLSearchParams({ timeStamp: formatInstant(at) })}`;
  const { status, body } = await http.get(`${ADDRESS}${moment}`);
  if (status !== OK) throw new UpstreamFailure('refused', `${FILE}${moment}: status ${status}`);
  return new Map([[FILE, body]]);
}

/** `vessels.geojson`. Throws `UpstreamFailure` when the request fails. */
const fetchVessels = ({ http }: FetchContext): Promise<FetchedFiles> => fetchSnapshot(http);

/**
 * Writes the polls of a UTC day that `past` lacks, one every ten minutes, up to the present. One request at a time, as
 * a snapshot takes the upstream long. False when time ran out before the end of the day.
 */
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
  fetch: fetchVessels,
  ...pollReader({
    declaration,
    boxes: NORWEGIAN_BOXES,
    area: NORWEGIAN_WATERS,
    canaryPorts: CANARY_PORTS,
    vesselsFile: VESSELS_FILE,
    decode: decodeKystdatahuset,
    places: indexPlaces(readPlaces(places)),
  }),
  history: { hosts: declaration.hosts, fetchDay: fetchPastDay },
} satisfies Source;
