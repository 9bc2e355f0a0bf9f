/** Fintraffic Digitraffic as a source: port calls of all Finnish ports, to the berth. */
import type { Locode } from '../../reference/locode.ts';
import { DAY_MS, formatInstant, HOUR_MS, type Instant, wholeSecond } from '../../reference/time.ts';
import { type HttpReply, UpstreamFailure } from '../../upstream/http/http-client.ts';
import type { FetchContext, FetchedFiles, Source } from '../../upstream/source.ts';
import {
  fintrafficDigitrafficDeclaration as declaration,
  fintrafficDigitrafficDeclaration,
} from './declaration.ts';
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
function cut(slice: Slice, nowAt: Instant, ports: readonly Locode[]): Slice[] {
  const endAt = slice.toAt ?? Math.max(nowAt, slice.fromAt);
  if (endAt - slice.fromAt > MIN_SPAN_MS) {
    const middleAt = slice.fromAt + Math.ceil((endAt - slice.fromAt) / 2 / 1000) * 1000;
    const { toAt: _, ...open } = slice;
    return [
      { ...slice, toAt: middleAt },
      { ...open, fromAt: middleAt, toAt: slice.toAt },
    ];
  }
  return slice.port === undefined ? ports.map((port) => ({ ...slice, port })) : [];
}

/**
 * Every complete reply, in order of time. `fetchSlice` returns undefined when a slice has too many hits.
 * Throws `UpstreamFailure` (`too-many-hits`) when one port's hour still has too many, or after too many requests.
 */
async function fetchInSlices<Reply>(
  whole: Slice,
  nowAt: Instant,
  ports: readonly Locode[],
  fetchSlice: (slice: Slice) => Promise<Reply | undefined>,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  const waiting: Slice[] = [whole];
  let requests = 0;
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    requests += 1;
    const reply = await fetchSlice(slice);
    if (reply !== undefined) {
      replies.push(reply);
      continue;
    }
    const smaller = cut(slice, nowAt, ports);
    if (smaller.length === 0 || requests >= MAX_REQUESTS) {
      throw new UpstreamFailure('too-many-hits', `${slice.port ?? 'all ports'}, request ${requests}`);
    }
    waiting.unshift(...smaller);
  }
  return replies;
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
const isGood = (reply: HttpReply): boolean => reply.status === 200;

function refused(what: string, reply: HttpReply): UpstreamFailure {
  return new UpstreamFailure('refused', `${what}: status ${reply.status}`);
}

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

/** Replies of the v1 API; undefined when it is gone or returns nothing at all. */
async function fetchPortCalls(
  { http }: FetchContext,
  whole: Slice,
  nowAt: Instant,
): Promise<Uint8Array[] | undefined> {
  let gone = false;
  const replies = await fetchInSlices(whole, nowAt, declaration.ports, async (slice) => {
    const reply = await http.get(`${API}/port-call/v1/port-calls?${query(slice)}`, IDENTIFICATION);
    if (reply.status === 400) return undefined;
    if (GONE.has(reply.status)) {
      gone = true;
      return new Uint8Array();
    }
    if (!isGood(reply)) throw refused('port calls', reply);
    return (callsIn(reply.body) ?? 0) >= MAX_HITS ? undefined : reply.body;
  });
  return gone || replies.every((body) => callsIn(body) === 0) ? undefined : replies;
}

async function fetchVisits({ http }: FetchContext, fromAt: Instant, nowAt: Instant): Promise<Uint8Array[]> {
  const replies: Uint8Array[] = [];
  for (let sliceAt = fromAt; sliceAt <= nowAt; sliceAt += VISIT_SLICE_MS) {
    const toAt = sliceAt + VISIT_SLICE_MS;
    const span = `fromDateTime=${formatInstant(sliceAt)}${toAt > nowAt ? '' : `&toDateTime=${formatInstant(toAt)}`}`;
    const reply = await http.get(`${API}/port-call/v2/visits?${span}`, IDENTIFICATION);
    if (!isGood(reply)) throw refused('visits', reply);
    replies.push(reply.body);
  }
  return replies;
}

/** The AIS register, without which ferries among the visits would count as cargo. */
async function fetchVessels({ http }: FetchContext): Promise<Uint8Array> {
  const reply = await http.get(`${API}/ais/v1/vessels`, IDENTIFICATION);
  if (!isGood(reply)) throw refused('vessels', reply);
  return reply.body;
}

const isEmptyList = (body: Uint8Array): boolean => /^\s*\[\s*\]\s*$/.test(new TextDecoder().decode(body));

/**
 * The files of one pass, with a note of the span they cover. Throws `UpstreamFailure` when neither API responds,
 * and when neither has a single event in all of Finland: that is an outage, not a quiet day.
 */
export async function fetchDigitraffic(context: FetchContext): Promise<FetchedFiles> {
  const nowAt = wholeSecond(context.now());
  const earliestAt = nowAt - FIRST_SPAN_MS;
  const fromAt = Math.max(earliestAt, (context.lastFetchAt ?? earliestAt) - OVERLAP_MS);
  const note = [REQUEST_FILE, requestNote(fromAt)] as const;

  const calls = await fetchPortCalls(context, { fromAt }, nowAt);
  if (calls) return new Map([note, ...calls.map((body, i) => [sliceName('port-calls', i), body] as const)]);

  const visits = await fetchVisits(context, fromAt, nowAt);
  if (visits.every(isEmptyList)) throw new UpstreamFailure('empty', 'neither port calls nor visits');
  return new Map([
    note,
    [VESSELS_FILE, await fetchVessels(context)] as const,
    ...visits.map((body, i) => [sliceName('visits', i), body] as const),
  ]);
}

export const source: Source = {
  declaration: fintrafficDigitrafficDeclaration,
  fetch: fetchDigitraffic,
  parse: parseDigitraffic,
};
