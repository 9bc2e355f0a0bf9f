/** Parses a TIPC fetch into call batches: one for every port with both lists. */
import type { CallBatch, CallRecord, RecordedStop, Traffic, VesselClass } from '../../calls/observation.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { DECIMAL, filledFields, rowFaults, timeFault } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { type XmlRow, xmlRow } from '../../upstream/files/xml.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ListCount, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import {
  tipcTaiwanDeclaration as declaration,
  TAIPEI_TIME,
  TIPC_PORTS,
  type TipcPort,
} from './declaration.ts';
import { type Direction, ROOTS, readFileName, readList, type Window } from './lists.ts';

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
const CRAFT_TYPES = new Set(['客輪', '客貨輪', '其他專用輪']);
/** Vessels below this tonnage are harbour vessels. */
const MIN_CARGO_TONNAGE = 500;
/** No vessel is larger: a greater number is in another unit. */
const MAX_TONNAGE = 400_000;
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
  if (!VOYAGE.test(visaNo) || CRAFT_TYPES.has(type) || tonnage < MIN_CARGO_TONNAGE) return 'ferry';
  if (type === '') return 'unknown';
  return CARGO_PURPOSE.test(row.get('GOAL_ARRIVAL') ?? '') ? 'cargo' : 'visitor';
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
  /** Visa numbers of the rows of each list that are refused, or of which a time is. */
  readonly refused: Readonly<Record<Direction, Set<string>>>;
}

/**
 * The record of a visit; undefined when it has no event yet, and, with a refusal, when it names no vessel. An impossible time counts
 * as not stated, as does a departure before the arrival; an inbound row with an impossible berthing time counts for nothing.
 */
function toRecord({ visaNo, inbound: arrival, outbound }: Visit, check: VisitCheck): CallRecord | undefined {
  const refuse = (reason: string, from: Direction, detail: string): undefined => {
    check.refusals.push({ reason, detail: `${visaNo} ${detail}`.slice(0, 160) });
    check.refused[from].add(visaNo);
  };
  const time = (from: Direction, row: XmlRow | undefined, tag: string): Instant | undefined => {
    const text = row?.get(tag) ?? '';
    if (text === '') return undefined;
    const at = TAIPEI_TIME.read(text);
    const forecastAt = TAIPEI_TIME.read(row?.get('EXPECT_DT') ?? '');
    const fault = timeFault(at, check.fetchedAt);
    if (fault !== undefined || at === undefined)
      return refuse(fault ?? 'unreadable-time', from, `${tag} ${text}`);
    const isOfVoyage = forecastAt !== undefined && forecastAt - at <= STALE_MS && at - forecastAt <= LATE_MS;
    return isOfVoyage ? at : refuse('stale-time', from, `${tag} ${text}, forecast ${row?.get('EXPECT_DT')}`);
  };

  const berthedAt = time('in', arrival, 'ACT_PORT_DT');
  const isBerthingKnown = berthedAt !== undefined || !arrival?.get('ACT_PORT_DT');
  const inbound = isBerthingKnown ? arrival : undefined;
  const row = inbound ?? outbound;
  if (row === undefined) return undefined;
  const anchoredAt = time('in', inbound, 'ARRV_DT');
  const statedLeftAt = time('out', outbound, 'LEAVE_PORT_DT');
  const crossedAt = time('in', inbound, 'SP5NM');
  const isTurned = before(statedLeftAt, berthedAt ?? anchoredAt);
  const leftAt = isTurned ? refuse('impossible-order', 'out', 'left before it arrived') : statedLeftAt;
  // A negative wait: the vessel is in port, and how long it waited is unknown.
  const waitIsNegative = before(berthedAt, anchoredAt);
  if (waitIsNegative) refuse('negative-wait', 'in', 'anchored after it berthed');

  if ([crossedAt, anchoredAt, berthedAt, leftAt].every((at) => at === undefined)) return undefined;
  const vesselId = makeVesselId(row);
  if (vesselId === undefined) return refuse('no-vessel', inbound ? 'in' : 'out', 'names no vessel');
  const listedAt = TAIPEI_TIME.read(inbound?.get('EXPECT_DT') ?? '');
  const onlyCrossed = anchoredAt === undefined && berthedAt === undefined && leftAt === undefined;
  const stops: RecordedStop[] = [];
  if (anchoredAt !== undefined && !waitIsNegative)
    stops.push({ zone: 'anchorage', place: 'anchorage', ataAt: anchoredAt });
  if (berthedAt !== undefined) stops.push({ ...berth(inbound?.get('WHARF_CODE') ?? ''), ataAt: berthedAt });
  return {
    callId: visaNo,
    vesselId,
    traffic: traffic(visaNo, row),
    ...vesselClass(row),
    recordedAt: check.asOfAt,
    listedAt,
    stops,
    // A line that was crossed after berthing was crossed on another voyage, or on the way out.
    ataAt: before(berthedAt, crossedAt) ? undefined : crossedAt,
    atdAt: leftAt,
    cancelled: (onlyCrossed && before(crossedAt, check.asOfAt - LOST_AFTER_MS)) || undefined,
    waitKnown: waitIsNegative ? false : undefined,
    keepsEarlier: 'fields',
  };
}

/**
 * A window has the vessels forecast in it. 99 in 100 berth within 1.8 days of their forecast, so events are
 * complete from two days after its start.
 */
const COMPLETE_AFTER_MS = 2 * DAY_MS;

const VISA_NO = /^[A-Z]{4}\d{6,12}$/;

/** The rows of one list of a port, over all windows. */
interface List {
  /** By visa number. */
  readonly rows: Map<string, XmlRow>;
  /** Visa numbers of rows that cannot be read. */
  readonly unreadable: Set<string>;
  readonly count: number;
  /** Rows without a visa number. */
  readonly unnamed: number;
  /** Rows with the visa number of an earlier row. */
  readonly repeated: number;
  readonly filled: NonNullable<ListCount['filled']>;
}
type Lists = Readonly<Record<Direction, List>>;

function formFault(row: XmlRow): string | undefined {
  const [forecast = '', tonnage = ''] = [row.get('EXPECT_DT'), row.get('GROSS_TOA')];
  if (TAIPEI_TIME.read(forecast) === undefined) return `EXPECT_DT ${forecast.slice(0, 20)}`;
  const gross = DECIMAL.read(tonnage);
  return row.has('GROSS_TOA') && (gross === undefined || gross > MAX_TONNAGE)
    ? `GROSS_TOA ${tonnage.slice(0, 20)}`
    : undefined;
}

/** Throws `RefusedReply` (`missing-field`) when no row has a needed field. */
function sortRows(
  port: TipcPort,
  direction: Direction,
  elements: readonly unknown[],
  refusals: Refusals,
): List {
  const rows = new Map<string, XmlRow>();
  const unreadable = new Set<string>();
  const named = new Set<string>();
  let [unnamed, repeated] = [0, 0];
  const filled = filledFields(declaration, ROOTS[direction], elements);
  const faults = rowFaults(declaration, ROOTS[direction], elements, `${ROOTS[direction]} of ${port}`);
  for (const [index, element] of elements.entries()) {
    const row = xmlRow(element);
    const visaNo = row.get('VISA_NO') ?? '';
    const isNamed = VISA_NO.test(visaNo);
    const fault = isNamed ? (faults[index] ?? formFault(row)) : `VISA_NO ${visaNo.slice(0, 20)}`;
    if (fault === undefined) rows.set(visaNo, row);
    else
      refusals.push({ reason: 'malformed', detail: `${ROOTS[direction]} of ${port} row ${index}: ${fault}` });
    if (fault !== undefined && isNamed) unreadable.add(visaNo);
    if (!isNamed) unnamed += 1;
    else if (named.has(visaNo)) repeated += 1;
    else named.add(visaNo);
  }
  return { rows, unreadable, count: elements.length, unnamed, repeated, filled };
}

/** The lists of every port whose two lists are readable; `refusals` gets the reasons for the others. */
function readPorts({ files }: ArchivedFetch, refusals: Refusals): Map<TipcPort, Lists> {
  const elements = new Map<TipcPort, Partial<Record<Direction, unknown[]>>>();
  const broken = new Set<TipcPort>();
  for (const [file, bytes] of files) {
    const list = readFileName(file);
    if (list === undefined) continue;
    const { direction, port } = list;
    const lists = elements.get(port) ?? {};
    elements.set(port, lists);
    try {
      lists[direction] = (lists[direction] ?? []).concat(readList(file, bytes, direction));
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      broken.add(port);
      refusals.push({ reason: error.reason, detail: error.message });
    }
  }
  const whole = new Map<TipcPort, Lists>();
  for (const [port, { in: inbound, out: outbound }] of elements) {
    if (broken.has(port)) continue;
    if (inbound && outbound)
      whole.set(port, {
        in: sortRows(port, 'in', inbound, refusals),
        out: sortRows(port, 'out', outbound, refusals),
      });
    else
      refusals.push({
        reason: 'half-a-port',
        detail: `${port}: no ${inbound ? 'outbound' : 'inbound'} list`,
      });
  }
  return whole;
}

/** Without a note of the request, the inbound lists reach from their first forecast to their last one. */
function readWindow(ports: ReadonlyMap<TipcPort, Lists>): Window {
  let fromAt = Number.POSITIVE_INFINITY;
  let toAt = Number.NEGATIVE_INFINITY;
  for (const { in: inbound } of ports.values()) {
    for (const row of inbound.rows.values()) {
      const forecastAt = TAIPEI_TIME.read(row.get('EXPECT_DT') ?? '');
      if (forecastAt === undefined) continue;
      fromAt = Math.min(fromAt, forecastAt);
      toAt = Math.max(toAt, forecastAt);
    }
  }
  if (fromAt > toAt) throw new RefusedReply('nothing-usable', 'no row with a forecast entry');
  return { fromAt, toAt };
}

/** Counts of a list that depend on the requested window. */
function askedCounts({ rows }: List, { fromAt, toAt }: Window): Pick<ListCount, 'days' | 'outside'> {
  const times = [...rows.values()].map((row) => TAIPEI_TIME.read(row.get('EXPECT_DT') ?? ''));
  return {
    days: (toAt - fromAt) / DAY_MS,
    outside: times.filter((at) => at !== undefined && (at < fromAt || at >= toAt)).length,
  };
}

const visits = ({ in: inbound, out: outbound }: Lists): Visit[] =>
  [...new Set([inbound, outbound].flatMap(({ rows, unreadable }) => [...rows.keys(), ...unreadable]))]
    .sort()
    .map((visaNo) => ({ visaNo, inbound: inbound.rows.get(visaNo), outbound: outbound.rows.get(visaNo) }));

/**
 * One batch for each port, in order of UN/LOCODE, as of the fetch, or of the window's end where that is earlier, because
 * later arrivals are on no list. A port with a broken or missing list has no batch. Throws `RefusedReply` when no port
 * is readable.
 */
export function parseTaiwan(fetched: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const ports = readPorts(fetched, refusals);
  if (ports.size === 0) {
    const [first] = refusals.first;
    throw new RefusedReply(first?.reason ?? 'empty', first?.detail ?? 'no list of any port');
  }
  const note = readRequestNote(fetched.files);
  for (const port of note?.unanswered ?? []) refusals.push({ reason: 'no-reply', detail: `port ${port}` });
  const window: Window = note ?? readWindow(ports);
  const missing = note?.missing ?? [];
  const asOfAt: Instant = Math.min(fetched.fetchedAt, window.toAt);
  const coveredFromAt = Math.min(window.fromAt + COMPLETE_AFTER_MS, asOfAt);
  const counts: ListCount[] = [];
  const reports = [...ports]
    .sort(([a], [b]) => (TIPC_PORTS[a] < TIPC_PORTS[b] ? -1 : 1))
    .map(([tipcPort, lists]): CallBatch => {
      const port = TIPC_PORTS[tipcPort];
      const refused = { in: new Set(lists.in.unreadable), out: new Set(lists.out.unreadable) };
      const check: VisitCheck = { fetchedAt: fetched.fetchedAt, asOfAt, refusals, refused };
      const read = visits(lists).map((visit) => ({
        callId: visit.visaNo,
        record: Object.values(lists).some(({ unreadable }) => unreadable.has(visit.visaNo))
          ? undefined
          : toRecord(visit, check),
      }));
      for (const direction of ['in', 'out'] as const) {
        const { count: rows, unnamed, repeated, filled } = lists[direction];
        const refusedRows = unnamed + refused[direction].size;
        counts.push({
          list: ROOTS[direction],
          port,
          rows,
          refused: refusedRows,
          repeated,
          filled,
          ...(note && askedCounts(lists[direction], note)),
        });
      }
      const unreadable = read.flatMap(({ callId, record }) => (record === undefined ? [callId] : []));
      return {
        kind: 'call-batch',
        port,
        observedAt: asOfAt,
        coveredFromAt,
        ...(missing.length > 0 && { missing }),
        complete: note && { fromAt: note.fromAt, toAt: note.toAt, recordedAt: asOfAt, unreadable },
        records: read.flatMap(({ record }) => (record === undefined ? [] : [record])),
      };
    });
  return { asOfAt, reports, refusals, lists: counts };
}
