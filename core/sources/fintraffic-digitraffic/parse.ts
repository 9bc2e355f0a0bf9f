/** Parses a Digitraffic fetch into one batch of call records for each port. */
import { z } from 'zod';
import { byCallId, type CallBatch, type CallRecord, type VesselArrival } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import { DAY_MS, earliestStated, formatInstant, type Instant, parseInstant } from '../../reference/time.ts';
import { filledFields, rowFaults, type TimeCheck } from '../../upstream/fields.ts';
import { replyJson } from '../../upstream/files/text.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ListCount, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { fintrafficDigitrafficDeclaration as declaration } from './declaration.ts';
import {
  aisVesselShape,
  type PortRecord,
  portCallShape,
  readPortCall,
  readVisit,
  visitShape,
} from './port-calls.ts';

// The files of one Digitraffic fetch: their names, and the note of the request.

export const REQUEST_FILE = 'request.json';
export const VESSELS_FILE = 'vessels.json';

/** `port-calls.json`, `port-calls-003.json`: replies of the v0 and v1 APIs. */
const CALLS_FILE = /^port-calls(?:-\d{3})?\.json$/;
/** `visits-000.json`: replies of the v2 API. */
const VISITS_FILE = /^visits-\d{3}\.json$/;

export const sliceName = (kind: 'port-calls' | 'visits', index: number): string =>
  `${kind}-${String(index).padStart(3, '0')}.json`;

/** Every change that the publisher received since `fromAt`, for all ports, is in the files beside it. */
const requestShape = z.object({ from: z.string().transform(parseInstant).pipe(z.number()) });

export const requestNote = (fromAt: Instant): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ from: formatInstant(fromAt) })}\n`);

/** A reply may claim to be this much newer than its fetch, because clocks differ. */
const CLOCK_TOLERANCE_MS = 15 * 60_000;
/** Without parameters the publisher returns the last day. */
const DEFAULT_SPAN_MS = DAY_MS;

const envelopeShape = z.object({
  dataUpdatedTime: z.string().optional(),
  portCallsUpdated: z.string().optional(),
  portCalls: z.array(z.unknown()),
});

type Files = ReadonlyMap<string, unknown>;

/** Every file of the fetch as JSON. An unreadable file refuses the fetch, because calls of a port would be missing. */
const readFiles = ({ files }: ArchivedFetch): Files =>
  new Map(
    [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, bytes]) => [name, replyJson(name, bytes, declaration)]),
  );

const named = (files: Files, pattern: RegExp): unknown[] =>
  [...files].filter(([name]) => pattern.test(name)).map(([, content]) => content);

function shaped<Shape extends z.ZodType>(what: string, shape: Shape, content: unknown): z.output<Shape> {
  const read = shape.safeParse(content);
  if (!read.success) throw new RefusedReply('malformed', `${what} does not have the published form`);
  return read.data;
}

/** The newest time that the envelopes state, else that of the fetch. */
function asOf(envelopes: readonly z.output<typeof envelopeShape>[], fetchedAt: Instant): Instant {
  const stated = envelopes
    .map((envelope) => parseInstant(envelope.dataUpdatedTime ?? envelope.portCallsUpdated ?? ''))
    .filter((at) => at !== undefined);
  const asOfAt = stated.length > 0 ? Math.max(...stated) : fetchedAt;
  if (asOfAt > fetchedAt + CLOCK_TOLERANCE_MS) {
    throw new RefusedReply(
      'in-the-future',
      `states ${formatInstant(asOfAt)}, fetched ${formatInstant(fetchedAt)}`,
    );
  }
  return Math.min(asOfAt, fetchedAt);
}

function vesselTypes(files: Files): ReadonlyMap<number, number> {
  const vessels = z.array(z.unknown()).safeParse(files.get(VESSELS_FILE)).data ?? [];
  rowFaults(declaration, 'vessels', vessels);
  return new Map(
    vessels.flatMap((entry) => {
      const { imo, shipType } = aisVesselShape.safeParse(entry).data ?? {};
      return imo && shipType ? [[imo, shipType] as const] : [];
    }),
  );
}

/** Records by port and call id; of two records of one call the later change counts. */
function grouped(records: readonly PortRecord[]): Map<Locode, Map<string, CallRecord>> {
  const ports = new Map<Locode, Map<string, CallRecord>>();
  for (const { port, record } of records) {
    const calls = ports.get(port) ?? new Map<string, CallRecord>();
    ports.set(port, calls);
    const known = calls.get(record.callId);
    if (!known || record.recordedAt >= known.recordedAt) calls.set(record.callId, record);
  }
  return ports;
}

/** Arrivals elsewhere, which end a vessel's open call in this port. */
const arrivalsIn = (port: Locode, records: Iterable<CallRecord>): VesselArrival[] =>
  [...records].flatMap(({ vesselId, ataAt, stops, cancelled }) => {
    const arrivedAt = earliestStated([ataAt, ...stops.map((stop) => stop.ataAt)]);
    return cancelled || arrivedAt === undefined ? [] : [{ vesselId, port, ataAt: arrivedAt }];
  });

/** Parses one list of entries. An entry in another form, of another port, or with an impossible time counts as refused. */
function readEntries<Shape extends z.ZodType>(
  list: string,
  entries: readonly unknown[],
  shape: Shape,
  read: (entry: z.output<Shape>) => PortRecord | undefined,
  refusals: Refusals,
): { readonly records: PortRecord[]; readonly count: ListCount } {
  const faults = rowFaults(declaration, list, entries);
  const readEntry = (entry: unknown, index: number): PortRecord | undefined => {
    const { data, error } = shape.safeParse(entry);
    const fault = faults[index] ?? error?.issues[0]?.path.join('.');
    if (fault !== undefined || data === undefined) {
      refusals.push({ reason: 'malformed', detail: `${list} entry ${index}: ${fault}` });
      return undefined;
    }
    const record = read(data);
    if (record === undefined || declaration.ports.includes(record.port)) return record;
    const detail = `call ${record.record.callId} to ${record.port.slice(0, 20)}`;
    refusals.push({ reason: 'unknown-port', detail });
    return undefined;
  };
  const results = entries.map((entry, index) => refusals.during(() => readEntry(entry, index)));
  const refused = results.filter((result) => result.refused > 0).length;
  const filled = filledFields(declaration, list, entries);
  return {
    records: results.flatMap((result) => result.read ?? []),
    count: { list, rows: entries.length, refused, filled },
  };
}

/**
 * Counts the areas of calls. The publisher writes every field, null where nothing is stated: an area that lacks one counts as refused, and
 * its call counts with what it states.
 */
function countAreas(areas: readonly unknown[], refusals: Refusals): ListCount {
  const list = 'portAreaDetails';
  const fields = declaration.fields.filter((field) => field.list === list);
  const faults = rowFaults(declaration, list, areas).map((fault, index) => {
    const area = areas[index];
    const lost =
      typeof area === 'object' && area !== null && fields.find(({ name }) => !Object.hasOwn(area, name));
    return fault ?? (lost ? `has no ${lost.name}` : undefined);
  });
  for (const [index, fault] of faults.entries())
    if (fault !== undefined)
      refusals.push({ reason: 'malformed', detail: `${list} entry ${index}: ${fault}` });
  const refused = faults.filter((fault) => fault !== undefined).length;
  return { list, rows: areas.length, refused, filled: filledFields(declaration, list, areas) };
}

const areasOf = (call: unknown): unknown[] =>
  z.object({ portAreaDetails: z.array(z.unknown()) }).safeParse(call).data?.portAreaDetails ?? [];

/**
 * One batch for every requested port, in order of code. A fetch without a note of its request is the
 * publisher's default reply: the last 24 hours of the ports that are in it.
 */
export function parseDigitraffic(fetched: ArchivedFetch): ParsedFetch {
  const files = readFiles(fetched);
  const envelopes = named(files, CALLS_FILE).map((content) => shaped('port calls', envelopeShape, content));
  const visits = named(files, VISITS_FILE).flatMap((content) =>
    shaped('visits', z.array(z.unknown()), content),
  );
  if (envelopes.length === 0 && !named(files, VISITS_FILE).length)
    throw new RefusedReply('empty', 'no calls file');

  const asOfAt = asOf(envelopes, fetched.fetchedAt);
  const refusals = new Refusals();
  const check: TimeCheck = { asOfAt, refusals };
  const types = vesselTypes(files);
  const calls = envelopes.flatMap((envelope) => envelope.portCalls);
  const areaCount = countAreas(calls.flatMap(areasOf), refusals);
  const lists = [
    readEntries('portCalls', calls, portCallShape, (call) => readPortCall(call, check), refusals),
    readEntries('visits', visits, visitShape, (visit) => readVisit(visit, types, check), refusals),
  ];
  const records = lists.flatMap((list) => list.records);
  const entries = calls.length + visits.length;
  if (entries > 0 && records.length === 0)
    throw new RefusedReply('nothing-usable', `none of ${entries} records`);

  const note = files.has(REQUEST_FILE) ? shaped('request', requestShape, files.get(REQUEST_FILE)) : undefined;
  const ports = grouped(records);
  const requested = note ? declaration.ports : [...ports.keys()];
  const coveredFromAt = Math.min(note?.from ?? asOfAt - DEFAULT_SPAN_MS, asOfAt);
  const arrivalsElsewhere = [...ports].flatMap(([port, calls]) => arrivalsIn(port, calls.values()));
  const reports = [...requested].sort().map(
    (port): CallBatch => ({
      kind: 'call-batch',
      port,
      observedAt: asOfAt,
      coveredFromAt,
      // Visits replace port calls when these are gone, under other ids.
      ...(envelopes.length > 0 && { changesFromAt: coveredFromAt }),
      records: [...(ports.get(port)?.values() ?? [])].sort(byCallId),
      arrivalsElsewhere,
    }),
  );
  const counts = [...lists.map(({ count }) => count).filter(({ rows }) => rows > 0), areaCount];
  return { asOfAt, reports, refusals, lists: counts };
}
