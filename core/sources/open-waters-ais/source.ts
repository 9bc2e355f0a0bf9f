/** Open Waters as a source: port calls from positions around ports, poll by poll. */

import {
  decodeFeatures,
  isObject,
  type JsonObject,
  type VesselFields,
} from '../../positions/decoders/geojson-vessels.ts';
import type { FixSink } from '../../positions/fix.ts';
import { HEALTH_FILE, type PollFeed } from '../../positions/poll-read.ts';
import { ANCHORAGE_AREAS } from '../../positions/port-areas.ts';
import { type PollReader, pollReader } from '../../positions/steps.ts';
import type { Area } from '../../reference/port-boxes.ts';
import { getBody, type HttpClient, UpstreamFailure } from '../../upstream/http-client.ts';
import type { FetchContext, FetchedFiles, PollSource } from '../../upstream/source.ts';
import {
  CANARY_PORTS,
  openWatersAisDeclaration as declaration,
  findFeed,
  POLLED_AREAS,
  PORT_APPROACHES,
  PORT_BOXES,
  planRequests,
} from './declaration.ts';

// Open Waters `/v1/vessels`: a GeoJSON snapshot with identity and position; unknown fields are absent.

/** A vessel that was received without a position has a null geometry. */
function vesselFields(properties: JsonObject, { id, geometry }: JsonObject): VesselFields | undefined {
  const { kind, mmsi, seen, sog, heading, nav_status, type, imo } = properties;
  if ((kind ?? 'vessel') !== 'vessel' || geometry === null) return undefined;
  const coordinates = isObject(geometry) ? geometry.coordinates : undefined;
  return { mmsi: mmsi ?? id, time: seen, coordinates, speed: sog, heading, status: nav_status, type, imo };
}

/**
 * Emits the vessels of one reply without those of excluded feeds, and counts all rows by the feed that they name, '' for none.
 * `truncated` is true if the record limit cut the reply. Throws `UnreadablePositions` if it is not a feature collection.
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

const HOST = 'https://ais.openwaters.io';
/** Square degrees a request; the publisher allows up to 100 without a key. */
const DEGREES_A_REQUEST = 50;

/** Without `max_age`, positions are up to a week old. Cargo vessels and ferries carry class A transponders. */
function address(boxes: readonly Area[]): string {
  const areas = boxes.map(({ south, west, north, east }) => `bbox=${[south, west, north, east].join(',')}`);
  return `${HOST}/v1/vessels?kind=vessel&class=A&max_age=30m&max_age_moving=30m&${areas.join('&')}`;
}

/** Returns `ok`, or why the feed is unhealthy. A failed probe does not mean that the positions are bad, so it does not fail the fetch. */
async function fetchHealth(http: HttpClient): Promise<string> {
  try {
    const { status, body } = await http.get(`${HOST}/health`);
    return status === 200 ? 'ok\n' : `status ${status}: ${new TextDecoder().decode(body).slice(0, 500)}\n`;
  } catch (error) {
    if (error instanceof UpstreamFailure) return `${error.message}\n`;
    throw error;
  }
}

/** Returns `vessels-1.geojson` and so on, one for each request, and `health.txt`. Throws `UpstreamFailure` if a request fails. */
export async function fetchVessels({ http }: FetchContext): Promise<FetchedFiles> {
  const files = new Map<string, Uint8Array>();
  // One after the other: a poll sends one request at a time.
  for (const [index, boxes] of planRequests(POLLED_AREAS, DEGREES_A_REQUEST).entries()) {
    const name = `vessels-${index + 1}.geojson`;
    files.set(name, await getBody(http, address(boxes), name));
  }
  files.set(HEALTH_FILE, new TextEncoder().encode(await fetchHealth(http)));
  return files;
}

export const OPEN_WATERS_FEED: PollFeed = {
  declaration,
  boxes: PORT_BOXES,
  approaches: PORT_APPROACHES,
  canaryPorts: CANARY_PORTS,
  vesselsFile: /^vessels-\d+\.geojson$/,
  decode: decodeOpenWaters,
  feedOf: findFeed,
  anchorageAreas: ANCHORAGE_AREAS,
};

type OpenWaters = Omit<PollSource, 'without'> &
  PollReader & { without(feeds: readonly string[]): OpenWaters };

const makeSource = (feed: PollFeed): OpenWaters => ({
  declaration,
  fetch: fetchVessels,
  ...pollReader(feed),
  without: (excludedFeeds) => makeSource({ ...OPEN_WATERS_FEED, excludedFeeds }),
});

export const source = makeSource(OPEN_WATERS_FEED);
