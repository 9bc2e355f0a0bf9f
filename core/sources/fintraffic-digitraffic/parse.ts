/** Parses a Digitraffic fetch into one batch of call records for each port. */
import { z } from 'zod';
import {
  byCallId,
  type CallRecord,
  type CallsObservation,
  type RecordedStop,
  type Traffic,
  type VesselArrival,
  type Zone,
} from '../../calls/observation.ts';
import type { Locode } from '../../reference/codes.ts';
import { DAY_MS, earliestStated, formatInstant, type Instant, parseInstant } from '../../reference/time.ts';
import {
  filledFields,
  ISO_TIME,
  pastTime,
  rowFaults,
  type TimeCheck,
  WHOLE_NUMBER,
} from '../../upstream/fields.ts';
import { replyJson } from '../../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type ListCount,
  type ParsedFetch,
  Refusals,
  RefusedReply,
} from '../../upstream/source.ts';
import { fintrafficDigitrafficDeclaration as declaration } from './declaration.ts';

// Call records from port calls of the v0 and v1 APIs, and from visits of the v2 API.

/** Text; undefined when absent, null, or a single space, which means absent. */
const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || undefined);
const number = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined);

const areaShape = z.object({
  portAreaCode: text,
  portAreaName: text,
  berthCode: text,
  berthName: text,
  ata: text,
  atd: text,
});
type PortArea = z.output<typeof areaShape>;

const portCallShape = z.object({
  portCallId: z.number().int().positive(),
  portCallTimestamp: text,
  portToVisit: z.string(),
  vesselName: text,
  imoLloyds: number,
  mmsi: number,
  vesselTypeCode: number,
  portAreaDetails: z.array(areaShape).max(200),
});

/** Visits have no berth and no anchorage. */
const visitShape = z.object({
  visitId: z.string().min(1).max(35),
  vesselId: text,
  vesselName: text,
  portOfCall: z.string(),
  ata: text,
  atd: text,
  status: z.string(),
  updateTime: text,
});

/** The AIS register, for the vessel types that visits lack. */
const aisVesselShape = z.object({ imo: z.number().nullish(), shipType: z.number().nullish() });

/**
 * Portnet vessel types that count in no figure: 10 passenger, 20 passenger and car ferry, 30 train ferry, 91 tug, 94 pusher
 * (the barge it pushes has a call of its own).
 */
const CRAFT_TYPES = new Set([10, 20, 30, 91, 94]);

/** Traffic of a Portnet type; 0 stands for none. */
function traffic(vesselTypeCode: number | undefined): Traffic {
  if (!vesselTypeCode) return 'unknown';
  return CRAFT_TYPES.has(vesselTypeCode) ? 'ferry' : 'cargo';
}

/** AIS ship types (ITU-R M.1371): 70 to 89 cargo vessels and tankers; 0 stands for none; all others are craft. */
function trafficOfAisType(type: number | undefined): Traffic {
  if (!type) return 'unknown';
  return type >= 70 && type <= 89 ? 'cargo' : 'ferry';
}

/** The IMO number, which never changes for a hull; else the MMSI or the name. Undefined, with a refusal, without any. */
function makeVesselId(
  label: string,
  { imo, mmsi, name }: { readonly imo?: number; readonly mmsi?: number; readonly name?: string },
  { refusals }: TimeCheck,
): string | undefined {
  if (imo !== undefined && imo >= 1_000_000 && imo <= 9_999_999) return `imo:${imo}`;
  if (mmsi !== undefined && mmsi >= 100_000_000 && mmsi <= 999_999_999) return `mmsi:${mmsi}`;
  if (name !== undefined) return `name:${name.toUpperCase()}`;
  refusals.push({ reason: 'no-vessel', detail: label });
  return undefined;
}

/** Most ports use the code; Vaasa (`12`) and Kilpilahti (`AN1`, `AN2`) state it only in the name. */
const ANCHORAGE_CODE = 'ANK';
const ANCHORAGE_NAME = /^(?:sisä|ulko)?ankkur(?:issa|ipaikka)\b|\banchor(?:age)?\b|^redi$/i;

/** Portnet's words for a place that is not known yet. */
const UNKNOWN = /^(?:muu|unknow|unknown|ei tiedossa)$/i;

const known = (name: string | undefined): string | undefined =>
  name === undefined || UNKNOWN.test(name) ? undefined : name;

/** `moving` when neither area nor berth is known: in port at a place that is not stated. */
function zone({ portAreaCode, portAreaName, berthCode, berthName }: PortArea): Zone {
  const names = [portAreaName, berthName].map(known);
  const isAnchorage = names.some((name) => name !== undefined && ANCHORAGE_NAME.test(name));
  if (portAreaCode === ANCHORAGE_CODE || isAnchorage) return 'anchorage';
  return [portAreaCode, berthCode, ...names].some(known) ? 'berth' : 'moving';
}

/** Area and berth as codes, names where a code is missing: `BG/KL1`; empty when neither is known. */
const place = (area: PortArea): string =>
  [known(area.portAreaCode) ?? known(area.portAreaName), known(area.berthCode) ?? known(area.berthName)]
    .filter((part) => part !== undefined)
    .join('/');

/**
 * Times of arrival and departure, which agents enter by hand and Digitraffic passes on unchecked. An impossible one
 * (unreadable, in the future, before 2000), and an ATD before its ATA, count as not stated and are reported: the rest of the
 * call, and later corrections, are still valid.
 */
function readTimes(
  label: string,
  { ata = '', atd = '' }: Pick<PortArea, 'ata' | 'atd'>,
  leftFrom: string,
  check: TimeCheck,
) {
  const ataAt = pastTime(ata, `${label} ata`, check);
  const atdAt = pastTime(atd, `${label} atd`, check);
  if (ataAt === undefined || atdAt === undefined || atdAt >= ataAt) return { ataAt, atdAt };
  check.refusals.push({ reason: 'impossible-order', detail: `${label} left ${leftFrom}before it arrived` });
  return { ataAt };
}

/** A stamp in the future would make every later correction look older than the record. */
const recordedAt = (stamp: string | undefined, { asOfAt }: TimeCheck) =>
  Math.min(ISO_TIME.read(stamp ?? '') ?? asOfAt, asOfAt);

interface PortRecord {
  readonly port: Locode;
  readonly record: CallRecord;
}

/** The record of a call; undefined, with a refusal, when it names no vessel. */
function readPortCall(call: z.output<typeof portCallShape>, check: TimeCheck): PortRecord | undefined {
  const label = `call ${call.portCallId}`;
  const names = { imo: call.imoLloyds, mmsi: call.mmsi, name: call.vesselName };
  const vesselId = makeVesselId(label, names, check);
  if (vesselId === undefined) return undefined;
  // An area that is listed twice, equal in every field, is one stop.
  const areas = new Map(call.portAreaDetails.map((area) => [JSON.stringify(area), area]));
  const stops = [...areas.values()].map((area): RecordedStop => {
    const stop = { zone: zone(area), place: place(area) };
    return { ...stop, ...readTimes(label, area, `${stop.place} `, check) };
  });
  const record: CallRecord = {
    callId: String(call.portCallId),
    vesselId,
    traffic: traffic(call.vesselTypeCode),
    recordedAt: recordedAt(call.portCallTimestamp, check),
    stops,
    keepsEarlier: 'times',
  };
  return { port: call.portToVisit, record };
}

/** The record of a visit, with the AIS ship types by IMO number; undefined, with a refusal, when it names no vessel. */
function readVisit(
  visit: z.output<typeof visitShape>,
  types: ReadonlyMap<number, number>,
  check: TimeCheck,
): PortRecord | undefined {
  const label = `visit ${visit.visitId}`;
  const imo = WHOLE_NUMBER.read(visit.vesselId ?? '');
  const vesselId = makeVesselId(label, { imo, name: visit.vesselName }, check);
  if (vesselId === undefined) return undefined;
  const record: CallRecord = {
    callId: visit.visitId,
    vesselId,
    traffic: trafficOfAisType(types.get(imo ?? 0)),
    recordedAt: recordedAt(visit.updateTime, check),
    stops: [],
    ...readTimes(label, visit, '', check),
    cancelled: visit.status === 'Cancelled' || undefined,
    keepsEarlier: 'times',
  };
  return { port: visit.portOfCall, record };
}

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

/** The publisher writes every field of an area, null for none: one that lacks a field is refused, and its call stays. */
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

/** One batch for every requested port; without a note of the request, for the last day of the ports in the reply. */
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
  const observations = [...requested].sort().map(
    (port): CallsObservation => ({
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
  return { asOfAt, observations, refusals, lists: counts };
}
