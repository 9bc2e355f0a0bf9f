/** Parses a TIPC fetch into call batches: one for every port with both lists. */
import type {
  CallRecord,
  CallsObservation,
  RecordedStop,
  Traffic,
  VesselClass,
} from '../../calls/observation.ts';
import type { Locode } from '../../reference/codes.ts';
import { DAY_MS, earliestOf, type Instant, type Interval, latestOf } from '../../reference/time.ts';
import { DECIMAL, filledFields, rowFaults, timeFault } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import {
  decodedText,
  isXmlElement,
  readPart,
  readXml,
  type XmlRow,
  xmlRow,
} from '../../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type FetchedFiles,
  type ListCount,
  type ParsedFetch,
  Refusals,
  RefusedReply,
  refusedFor,
} from '../../upstream/source.ts';
import {
  tipcTaiwanDeclaration as declaration,
  TAIPEI_TIME,
  TIPC_PORTS,
  type TipcPort,
} from './declaration.ts';

// The files of one TIPC fetch: their names, and the rows of a list.

export type Direction = 'in' | 'out';

/** `in-port-KHH.xml`; the windows after the first are `in-port-KHH-1.xml` and so on. */
export const listFile = (direction: Direction, port: TipcPort, window: number): string =>
  `${direction}-port-${port}${window === 0 ? '' : `-${window}`}.xml`;

const LIST_FILE = /^(in|out)-port-([A-Z]{3})(?:-\d{1,2})?\.xml$/;

/** The list in a file; undefined for any other file and for ports that TIPC does not name. */
function readFileName(file: string): { direction: Direction; port: TipcPort } | undefined {
  const [, direction, port = ''] = LIST_FILE.exec(file) ?? [];
  if (direction === undefined || !Object.hasOwn(TIPC_PORTS, port)) return undefined;
  return { direction: direction as Direction, port: port as TipcPort };
}

/** An ampersand that begins none of the predefined entities: names such as `SEA&LAND` are not escaped. */
const RAW_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos);)/g;

/** Root element of a list, which is its name. */
const ROOTS: Readonly<Record<Direction, string>> = { in: 'IN_PORT', out: 'OUT_PORT' };

/** The rows of a list. Throws `RefusedReply` as `decodedText` and `readXml` do, and with `wrong-root` for another list. */
function readList(file: string, bytes: Uint8Array, direction: Direction): unknown[] {
  // Big5 as the WHATWG defines it has the ETEN and HKSCS characters that vessel names use. Text that is not Big5 is refused,
  // because a wrong character would turn a name into that of another vessel.
  const text = decodedText(file, bytes, declaration.maxReplyBytes, 'Big5');
  const { root, content } = readXml(
    file,
    text.replace(RAW_AMPERSAND, '&amp;'),
    ['SHIP'],
    declaration.maxRows,
  );
  if (root !== ROOTS[direction])
    throw new RefusedReply('wrong-root', `${file}: root is ${root.slice(0, 40)}`);
  if (content === '') return [];
  const rows = isXmlElement(content) ? content.SHIP : undefined;
  if (!Array.isArray(rows)) throw new RefusedReply('malformed', `${file}: no SHIP under its root`);
  return rows;
}

// The call record of one visit, from TIPC's two lists.

/** The rows of one visa number; the inbound row is missing where the vessel was forecast before the window. */
interface Visit {
  readonly visaNo: string;
  readonly inbound?: XmlRow | undefined;
  readonly outbound?: XmlRow | undefined;
}

/** A time this long before the forecast belongs to an earlier voyage: rows of harbour craft have such times for years. */
const STALE_MS = 30 * DAY_MS;
/** A time this long after the forecast may be on no list: a pass reads forecasts of the last sixty days. */
const LATE_MS = 50 * DAY_MS;
/** A vessel that crossed the line and has neither anchored nor berthed after this time has passed or turned back. */
const LOST_AFTER_MS = 10 * DAY_MS;

/**
 * Vessel types (STA_TYPE) that count in no figure: passenger vessels, passenger vessels with cargo, and "other special
 * vessels", which are barges, work craft, tugs, dredgers and fishing vessels.
 */
const OTHER_SPECIAL = '其他專用輪';
const CRAFT_TYPES = new Set(['客輪', '客貨輪', OTHER_SPECIAL]);
/** Other special vessels from this tonnage on that load or discharge are vehicle and heavy-lift carriers. */
const MIN_SPECIAL_CARGO_TONNAGE = 10_000;
/** Vessels below this tonnage are harbour vessels. */
const MIN_CARGO_TONNAGE = 500;
/** Loading (裝) and discharging (卸) are all cargo purposes (GOAL_ARRIVAL) in the lists. */
const CARGO_PURPOSE = /[裝卸]/;
/** A visa number of domestic craft begins with X, of vessels on a voyage with A. */
const VOYAGE = /^A/;

/** Classes by STA_TYPE: container; tanker; bulk, coal and ore carriers. General cargo and all others are `other`. */
const CLASSES: Readonly<Record<string, VesselClass>> = {
  貨櫃輪: 'container',
  油輪: 'tanker',
  散裝輪: 'bulk',
  煤輪: 'bulk',
  礦砂輪: 'bulk',
};

/** The class of the vessel; none where the list states no type. */
function vesselClass(row: XmlRow): { readonly vesselClass?: VesselClass } {
  const type = row.get('STA_TYPE')?.trim() ?? '';
  return type === '' ? {} : { vesselClass: CLASSES[type] ?? 'other' };
}

/** Craft by visa number, type or tonnage; cargo by the purpose to load or discharge. */
function traffic(visaNo: string, row: XmlRow): Traffic {
  const type = row.get('STA_TYPE')?.trim() ?? '';
  const tonnage = DECIMAL.read(row.get('GROSS_TOA') ?? '') ?? MIN_CARGO_TONNAGE;
  const isForCargo = CARGO_PURPOSE.test(row.get('GOAL_ARRIVAL') ?? '');
  const isCarrier = type === OTHER_SPECIAL && tonnage >= MIN_SPECIAL_CARGO_TONNAGE && isForCargo;
  const isCraft = CRAFT_TYPES.has(type) && !isCarrier;
  if (!VOYAGE.test(visaNo) || isCraft || tonnage < MIN_CARGO_TONNAGE) return 'ferry';
  if (type === '') return 'unknown';
  return isForCargo ? 'cargo' : 'visitor';
}

/** The lists give no number of the vessel, so the name identifies the vessel: the English one where there is one. */
function makeVesselId(row: XmlRow): string | undefined {
  const name = row.get('VESSEL_ENAME') || row.get('VESSEL_CNAME');
  return name ? `name:${name.toUpperCase().replaceAll(/\s+/g, ' ')}` : undefined;
}

/** An anchorage inside the port carries the word in its name; buoys and berths are berths. */
const berth = (wharf: string): Pick<RecordedStop, 'zone' | 'place'> => ({
  zone: wharf.includes('錨地') ? 'anchorage' : 'berth',
  place: wharf,
});

const before = (a: Instant | undefined, b: Instant | undefined): boolean =>
  a !== undefined && b !== undefined && a < b;

/** Context for reading a visit, and the list for its refusals. */
interface VisitCheck {
  readonly fetchedAt: Instant;
  readonly asOfAt: Instant;
  readonly refusals: Refusals;
  /** Counts a visit for which a row or a time of the list was refused. */
  readonly countRefused: (direction: Direction, visaNo: string) => void;
}

/** When the vessel was forecast, by its row. */
const forecastAt = (row: XmlRow | undefined): Instant | undefined =>
  TAIPEI_TIME.read(row?.get('EXPECT_DT') ?? '');

function isOfVoyage(at: Instant, row: XmlRow): boolean {
  const expectedAt = forecastAt(row);
  return expectedAt !== undefined && expectedAt - at <= STALE_MS && at - expectedAt <= LATE_MS;
}

/**
 * The record of a visit; undefined when it has no event yet, and, with a refusal, when it names no vessel. An impossible time, and
 * a departure before the arrival, count as not stated; an inbound row with an impossible berthing time counts for nothing.
 */
function toRecord(
  { visaNo, inbound: listed, outbound }: Visit,
  { fetchedAt, asOfAt, refusals, countRefused }: VisitCheck,
): CallRecord | undefined {
  const refuse = (reason: string, from: Direction, detail: string): undefined => {
    refusals.push({ reason, detail: `${visaNo} ${detail}`.slice(0, 160) });
    countRefused(from, visaNo);
  };
  const time = (from: Direction, row: XmlRow | undefined, tag: string): Instant | undefined => {
    const text = row?.get(tag) ?? '';
    if (row === undefined || text === '') return undefined;
    const at = TAIPEI_TIME.read(text);
    const fault = timeFault(at, fetchedAt);
    if (at === undefined || fault !== undefined)
      return refuse(fault ?? 'unreadable-time', from, `${tag} ${text}`);
    if (isOfVoyage(at, row)) return at;
    return refuse('stale-time', from, `${tag} ${text}, forecast ${row.get('EXPECT_DT')}`);
  };
  const berthedAt = time('in', listed, 'ACT_PORT_DT');
  const inbound = berthedAt !== undefined || !listed?.get('ACT_PORT_DT') ? listed : undefined;
  const anchoredAt = time('in', inbound, 'ARRV_DT');
  const statedLeftAt = time('out', outbound, 'LEAVE_PORT_DT');
  const crossedAt = time('in', inbound, 'SP5NM');
  const isTurned = before(statedLeftAt, berthedAt ?? anchoredAt);
  const leftAt = isTurned ? refuse('impossible-order', 'out', 'left before it arrived') : statedLeftAt;
  const waitIsNegative = before(berthedAt, anchoredAt);
  if (waitIsNegative) refuse('negative-wait', 'in', 'anchored after it berthed');

  const row = inbound ?? outbound;
  const hasEvent = [anchoredAt, berthedAt, leftAt].some((at) => at !== undefined);
  if (row === undefined || (!hasEvent && crossedAt === undefined)) return undefined;
  const vesselId = makeVesselId(row);
  if (vesselId === undefined) return refuse('no-vessel', inbound ? 'in' : 'out', 'names no vessel');
  const stops: RecordedStop[] = [];
  if (anchoredAt !== undefined && !waitIsNegative)
    stops.push({ zone: 'anchorage', place: 'anchorage', ataAt: anchoredAt });
  if (berthedAt !== undefined) stops.push({ ...berth(inbound?.get('WHARF_CODE') ?? ''), ataAt: berthedAt });
  return {
    callId: visaNo,
    vesselId,
    traffic: traffic(visaNo, row),
    ...vesselClass(row),
    recordedAt: asOfAt,
    listedAt: forecastAt(inbound),
    stops,
    // A line that was crossed after berthing was crossed on another voyage, or on the way out.
    ataAt: before(berthedAt, crossedAt) ? undefined : crossedAt,
    atdAt: leftAt,
    cancelled: (!hasEvent && before(crossedAt, asOfAt - LOST_AFTER_MS)) || undefined,
    waitKnown: waitIsNegative ? false : undefined,
    keepsEarlier: 'fields',
  };
}

/** 99 % of the vessels forecast in a window berth within 1.8 days, so its events are complete two days after its start. */
const COMPLETE_AFTER_MS = 2 * DAY_MS;

/** No vessel is larger: a greater number is in another unit. */
const MAX_TONNAGE = 400_000;

const VISA_NO = /^[A-Z]{4}\d{6,12}$/;

/** The rows of one list of a port, over all windows. */
interface List {
  readonly elements: readonly unknown[];
  /** By visa number. */
  readonly rows: Map<string, XmlRow>;
  /** Visa numbers of all rows that have one, in order. */
  readonly named: string[];
  /** Visa numbers of rows that are refused, or have a refused time. */
  readonly refused: Set<string>;
}
type Lists = Readonly<Record<Direction, List>>;

function formFault(row: XmlRow): string | undefined {
  const [forecast = '', tonnage = ''] = [row.get('EXPECT_DT'), row.get('GROSS_TOA')];
  if (forecastAt(row) === undefined) return `EXPECT_DT ${forecast.slice(0, 20)}`;
  const gross = DECIMAL.read(tonnage);
  return row.has('GROSS_TOA') && (gross === undefined || gross > MAX_TONNAGE)
    ? `GROSS_TOA ${tonnage.slice(0, 20)}`
    : undefined;
}

/** Throws `RefusedReply` (`missing-field`) when no row has a needed field. */
function sortRows(what: string, root: string, elements: readonly unknown[], refusals: Refusals): List {
  const list: List = { elements, rows: new Map(), named: [], refused: new Set() };
  const faults = rowFaults(declaration, root, elements, what);
  for (const [index, element] of elements.entries()) {
    const row = xmlRow(element);
    const visaNo = row.get('VISA_NO') ?? '';
    const isNamed = VISA_NO.test(visaNo);
    const fault = isNamed ? (faults[index] ?? formFault(row)) : `VISA_NO ${visaNo.slice(0, 20)}`;
    if (isNamed) list.named.push(visaNo);
    if (fault === undefined) list.rows.set(visaNo, row);
    else refusals.push({ reason: 'malformed', detail: `${what} row ${index}: ${fault}` });
    if (isNamed && fault !== undefined) list.refused.add(visaNo);
  }
  return list;
}

/** The lists of every port whose two lists are readable; `refusals` gets the reasons for the others. */
function readPorts(files: FetchedFiles, refusals: Refusals): Map<TipcPort, Lists> {
  const ports = new Map<TipcPort, Partial<Record<Direction, unknown[]>>>();
  const broken = new Set<TipcPort>();
  for (const [file, bytes] of files) {
    const list = readFileName(file);
    if (list === undefined) continue;
    const { direction, port } = list;
    const rows = readPart(refusals, () => readList(file, bytes, direction));
    if (rows === undefined) broken.add(port);
    const known = ports.get(port) ?? {};
    ports.set(port, { ...known, [direction]: [...(known[direction] ?? []), ...(rows ?? [])] });
  }
  const whole = new Map<TipcPort, Lists>();
  for (const [port, { in: inbound, out: outbound }] of ports) {
    if (broken.has(port)) continue;
    const sorted = (direction: Direction, elements: readonly unknown[]): List =>
      sortRows(`${ROOTS[direction]} of ${port}`, ROOTS[direction], elements, refusals);
    if (inbound && outbound) whole.set(port, { in: sorted('in', inbound), out: sorted('out', outbound) });
    else
      refusals.push({
        reason: 'half-a-port',
        detail: `${port}: no ${inbound ? 'outbound' : 'inbound'} list`,
      });
  }
  return whole;
}

const forecasts = ({ rows }: List): Instant[] => [...rows.values()].flatMap((row) => forecastAt(row) ?? []);

/** Without a note of the request, the inbound lists reach from their first forecast to their last one. */
function readWindow(ports: ReadonlyMap<TipcPort, Lists>): Interval {
  const times = [...ports.values()].flatMap((lists) => forecasts(lists.in));
  if (times.length === 0) throw new RefusedReply('nothing-usable', 'no row with a forecast entry');
  return { fromAt: earliestOf(times), toAt: latestOf(times) };
}

function countList(root: string, port: Locode, list: List, asked: Interval | undefined): ListCount {
  const { elements, named, refused } = list;
  return {
    list: root,
    port,
    rows: elements.length,
    refused: elements.length - named.length + refused.size,
    repeated: named.length - new Set(named).size,
    filled: filledFields(declaration, root, elements),
    ...(asked && {
      days: (asked.toAt - asked.fromAt) / DAY_MS,
      outside: forecasts(list).filter((at) => at < asked.fromAt || at >= asked.toAt).length,
    }),
  };
}

/**
 * One batch for each port, in order of UN/LOCODE, as of the fetch, or of the window's end where that is earlier, because
 * later arrivals are on no list. A port with a broken or missing list has no batch. Throws `RefusedReply` when no port
 * is readable.
 */
export function parseTaiwan({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const ports = readPorts(files, refusals);
  if (ports.size === 0) throw refusedFor(refusals, 'no list of any port');
  const note = readRequestNote(files);
  for (const port of note?.unanswered ?? []) refusals.push({ reason: 'no-reply', detail: `port ${port}` });
  const { fromAt, toAt } = note ?? readWindow(ports);
  const asOfAt: Instant = Math.min(fetchedAt, toAt);
  const lists: ListCount[] = [];
  const readPort = ([tipcPort, { in: inbound, out: outbound }]: readonly [
    TipcPort,
    Lists,
  ]): CallsObservation => {
    const port = TIPC_PORTS[tipcPort];
    const visaNos = [inbound, outbound].flatMap(({ rows, refused }) => [...rows.keys(), ...refused]);
    const records: CallRecord[] = [];
    const unreadable: string[] = [];
    const countRefused = (direction: Direction, visaNo: string): void =>
      void (direction === 'in' ? inbound : outbound).refused.add(visaNo);
    for (const visaNo of [...new Set(visaNos)].sort()) {
      const isRefused = inbound.refused.has(visaNo) || outbound.refused.has(visaNo);
      const visit = { visaNo, inbound: inbound.rows.get(visaNo), outbound: outbound.rows.get(visaNo) };
      const record = isRefused ? undefined : toRecord(visit, { fetchedAt, asOfAt, refusals, countRefused });
      if (record === undefined) unreadable.push(visaNo);
      else records.push(record);
    }
    lists.push(countList(ROOTS.in, port, inbound, note), countList(ROOTS.out, port, outbound, note));
    return {
      kind: 'call-batch',
      port,
      observedAt: asOfAt,
      coveredFromAt: Math.min(fromAt + COMPLETE_AFTER_MS, asOfAt),
      ...(note && note.missing.length > 0 && { missing: note.missing }),
      complete: note && { fromAt, toAt, recordedAt: asOfAt, unreadable },
      records,
    };
  };
  const observations = [...ports].sort(([a], [b]) => (TIPC_PORTS[a] < TIPC_PORTS[b] ? -1 : 1)).map(readPort);
  return { asOfAt, observations, refusals, lists };
}
