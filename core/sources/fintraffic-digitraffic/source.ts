/** Fintraffic Digitraffic as a source: port calls of all Finnish ports, to the berth. */
import type { Locode } from '../../reference/codes.ts';
import { DAY_MS, formatInstant, HOUR_MS, type Instant, wholeSecond } from '../../reference/time.ts';
import { getBody, UpstreamFailure } from '../../upstream/http-client.ts';
import type { FetchContext, FetchedFiles, Source } from '../../upstream/source.ts';
import { fintrafficDigitrafficDeclaration as declaration } from './declaration.ts';
import { parseDigitraffic, REQUEST_FILE, requestNote, sliceName, VESSELS_FILE } from './parse.ts';

// Divides a span of time, then the ports, until no request exceeds the v1 API's limit of 1,000 calls.

/** The publisher refuses a request with more hits than this. */
const MAX_HITS = 1_000;
/** A span this short is divided by port instead. */
const MIN_SPAN_MS = HOUR_MS;
/** More requests than this mean that the refusals have another cause. */
const MAX_REQUESTS = 300;

/** Changes received in `[fromAt, toAt)`, without an end when `toAt` is absent; of one port when `port` is set. */
interface Slice {
  readonly fromAt: Instant;
  readonly toAt?: Instant;
  readonly port?: Locode;
}

/** Smaller slices that together cover `slice`; none when it cannot be divided. */
function cut(slice: Slice, nowAt: Instant): Slice[] {
  const endAt = slice.toAt ?? Math.max(nowAt, slice.fromAt);
  if (endAt - slice.fromAt > MIN_SPAN_MS) {
    const middleAt = slice.fromAt + Math.ceil((endAt - slice.fromAt) / 2 / 1000) * 1000;
    const { toAt: _, ...open } = slice;
    return [
      { ...slice, toAt: middleAt },
      { ...open, fromAt: middleAt, toAt: slice.toAt },
    ];
  }
  return slice.port === undefined ? declaration.ports.map((port) => ({ ...slice, port })) : [];
}

const API = 'https://meri.digitraffic.fi/api';
/** The publisher asks for it, to contact applications that send too many requests. */
const IDENTIFICATION = { 'digitraffic-user': 'port-congestion-data-service/0.1' };

/** The first pass reads back as far as a vessel may stay in port without being laid up. */
const FIRST_SPAN_MS = 60 * DAY_MS;
/** Each pass reads again this much before the last one, for records that were late or cached. */
const OVERLAP_MS = 6 * HOUR_MS;
/** Visits have no limit of hits, only one of reply size. */
const VISIT_SLICE_MS = 10 * DAY_MS;

const GONE = new Set([404, 410]);

/** Number of calls in a reply; undefined for any other reply, which the parser refuses with a reason. */
function callsIn(body: Uint8Array): number | undefined {
  try {
    const { portCalls } = JSON.parse(new TextDecoder().decode(body));
    return Array.isArray(portCalls) ? portCalls.length : undefined;
  } catch {
    return undefined;
  }
}

function query(slice: Slice): string {
  const from = `from=${formatInstant(slice.fromAt)}`;
  const to = slice.toAt === undefined ? '' : `&to=${formatInstant(slice.toAt)}`;
  return `${from}${to}${slice.port === undefined ? '' : `&locode=${slice.port}`}`;
}

/**
 * Replies of the v1 API, in order of time; undefined when it is gone or returns nothing at all. Throws `UpstreamFailure`
 * (`too-many-hits`) when one port's hour still has too many, or after too many requests.
 */
async function fetchPortCalls(
  { http }: FetchContext,
  whole: Slice,
  nowAt: Instant,
): Promise<Uint8Array[] | undefined> {
  const replies: Uint8Array[] = [];
  const waiting = [whole];
  let requests = 0;
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    requests += 1;
    const { status, body } = await http.get(`${API}/port-call/v1/port-calls?${query(slice)}`, IDENTIFICATION);
    if (GONE.has(status)) return undefined;
    if (status !== 200 && status !== 400)
      throw new UpstreamFailure('refused', `port calls: status ${status}`);
    if (status === 200 && (callsIn(body) ?? 0) < MAX_HITS) {
      replies.push(body);
      continue;
    }
    const smaller = cut(slice, nowAt);
    if (smaller.length === 0 || requests >= MAX_REQUESTS)
      throw new UpstreamFailure('too-many-hits', `${slice.port ?? 'all ports'}, request ${requests}`);
    waiting.unshift(...smaller);
  }
  return replies.every((body) => callsIn(body) === 0) ? undefined : replies;
}

async function fetchVisits({ http }: FetchContext, fromAt: Instant, nowAt: Instant): Promise<Uint8Array[]> {
  const replies: Uint8Array[] = [];
  for (let sliceAt = fromAt; sliceAt <= nowAt; sliceAt += VISIT_SLICE_MS) {
    const toAt = sliceAt + VISIT_SLICE_MS;
    const span = `fromDateTime=${formatInstant(sliceAt)}${toAt > nowAt ? '' : `&toDateTime=${formatInstant(toAt)}`}`;
    replies.push(await getBody(http, `${API}/port-call/v2/visits?${span}`, 'visits', IDENTIFICATION));
  }
  return replies;
}

const isEmptyList = (body: Uint8Array): boolean => /^\s*\[\s*\]\s*$/.test(new TextDecoder().decode(body));

/** The files of one pass. Throws `UpstreamFailure` when no API responds, or neither has an event in all of Finland: an outage. */
export async function fetchDigitraffic(context: FetchContext): Promise<FetchedFiles> {
  const nowAt = wholeSecond(context.now());
  const earliestAt = nowAt - FIRST_SPAN_MS;
  const fromAt = Math.max(earliestAt, (context.lastFetchAt ?? earliestAt) - OVERLAP_MS);
  const note = [REQUEST_FILE, requestNote(fromAt)] as const;

  const calls = await fetchPortCalls(context, { fromAt }, nowAt);
  if (calls) return new Map([note, ...calls.map((body, i) => [sliceName('port-calls', i), body] as const)]);

  const visits = await fetchVisits(context, fromAt, nowAt);
  if (visits.every(isEmptyList)) throw new UpstreamFailure('empty', 'neither port calls nor visits');
  // Without the AIS register, ferries among the visits would count as cargo.
  const vessels = await getBody(context.http, `${API}/ais/v1/vessels`, 'vessels', IDENTIFICATION);
  return new Map([
    note,
    [VESSELS_FILE, vessels] as const,
    ...visits.map((body, i) => [sliceName('visits', i), body] as const),
  ]);
}

export const source: Source = {
  declaration,
  fetch: fetchDigitraffic,
  parse: parseDigitraffic,
};
