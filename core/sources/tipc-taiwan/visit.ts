/** The call record of one visit, from TIPC's two lists. */
import type { CallRecord, RecordedStop, Traffic, VesselClass } from '../../calls/observation.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { DECIMAL, timeFault } from '../../upstream/fields.ts';
import type { XmlRow } from '../../upstream/files/xml.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { TAIPEI_TIME } from './declaration.ts';
import type { Direction } from './lists.ts';

/** The rows of one visa number; the inbound row is missing where the vessel was forecast before the window. */
export interface Visit {
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
export interface VisitCheck {
  readonly fetchedAt: Instant;
  readonly asOfAt: Instant;
  readonly refusals: Refusals;
  /** Visa numbers, by list, of rows that are refused or have a refused time. */
  readonly refused: Readonly<Record<Direction, Set<string>>>;
}

type Refuse = (reason: string, from: Direction, detail: string) => undefined;

/** When the vessel was forecast, by its row. */
export const forecastAt = (row: XmlRow | undefined): Instant | undefined =>
  TAIPEI_TIME.read(row?.get('EXPECT_DT') ?? '');

function isOfVoyage(at: Instant, row: XmlRow): boolean {
  const expectedAt = forecastAt(row);
  return expectedAt !== undefined && expectedAt - at <= STALE_MS && at - expectedAt <= LATE_MS;
}

/** An impossible time counts as not stated. */
function readTime(
  row: XmlRow | undefined,
  tag: string,
  fetchedAt: Instant,
  refuse: (reason: string, detail: string) => undefined,
): Instant | undefined {
  const text = row?.get(tag) ?? '';
  if (row === undefined || text === '') return undefined;
  const at = TAIPEI_TIME.read(text);
  const fault = timeFault(at, fetchedAt);
  if (at === undefined || fault !== undefined) return refuse(fault ?? 'unreadable-time', `${tag} ${text}`);
  return isOfVoyage(at, row) ? at : refuse('stale-time', `${tag} ${text}, forecast ${row.get('EXPECT_DT')}`);
}

/** The facts about a visit in its rows. */
interface VisitTimes {
  /** The inbound row; one with an impossible berthing time counts for nothing. */
  readonly inbound: XmlRow | undefined;
  readonly crossedAt: Instant | undefined;
  readonly anchoredAt: Instant | undefined;
  readonly berthedAt: Instant | undefined;
  readonly leftAt: Instant | undefined;
  /** The vessel is in port, and how long it waited is unknown. */
  readonly waitIsNegative: boolean;
}

function readTimes(visit: Visit, fetchedAt: Instant, refuse: Refuse): VisitTimes {
  const time = (from: Direction, row: XmlRow | undefined, tag: string): Instant | undefined =>
    readTime(row, tag, fetchedAt, (reason, detail) => refuse(reason, from, detail));
  const berthedAt = time('in', visit.inbound, 'ACT_PORT_DT');
  const isBerthingKnown = berthedAt !== undefined || !visit.inbound?.get('ACT_PORT_DT');
  const inbound = isBerthingKnown ? visit.inbound : undefined;
  const anchoredAt = time('in', inbound, 'ARRV_DT');
  const statedLeftAt = time('out', visit.outbound, 'LEAVE_PORT_DT');
  const crossedAt = time('in', inbound, 'SP5NM');
  const isTurned = before(statedLeftAt, berthedAt ?? anchoredAt);
  const leftAt = isTurned ? refuse('impossible-order', 'out', 'left before it arrived') : statedLeftAt;
  const waitIsNegative = before(berthedAt, anchoredAt);
  if (waitIsNegative) refuse('negative-wait', 'in', 'anchored after it berthed');
  return { inbound, crossedAt, anchoredAt, berthedAt, leftAt, waitIsNegative };
}

const stopsIn = ({ inbound, anchoredAt, berthedAt, waitIsNegative }: VisitTimes): RecordedStop[] => [
  ...(anchoredAt === undefined || waitIsNegative
    ? []
    : [{ zone: 'anchorage' as const, place: 'anchorage', ataAt: anchoredAt }]),
  ...(berthedAt === undefined ? [] : [{ ...berth(inbound?.get('WHARF_CODE') ?? ''), ataAt: berthedAt }]),
];

/**
 * The record of a visit; undefined when it has no event yet, and, with a refusal, when it names no vessel. A departure before the
 * arrival counts as not stated.
 */
export function toRecord(visit: Visit, check: VisitCheck): CallRecord | undefined {
  const { visaNo, outbound } = visit;
  const refuse: Refuse = (reason, from, detail) => {
    check.refusals.push({ reason, detail: `${visaNo} ${detail}`.slice(0, 160) });
    check.refused[from].add(visaNo);
  };
  const times = readTimes(visit, check.fetchedAt, refuse);
  const { inbound, crossedAt, anchoredAt, berthedAt, leftAt, waitIsNegative } = times;
  const events = [anchoredAt, berthedAt, leftAt].filter((at) => at !== undefined);
  const row = inbound ?? outbound;
  if (row === undefined || (events.length === 0 && crossedAt === undefined)) return undefined;
  const vesselId = makeVesselId(row);
  if (vesselId === undefined) return refuse('no-vessel', inbound ? 'in' : 'out', 'names no vessel');
  const isLost = events.length === 0 && before(crossedAt, check.asOfAt - LOST_AFTER_MS);
  return {
    callId: visaNo,
    vesselId,
    traffic: traffic(visaNo, row),
    ...vesselClass(row),
    recordedAt: check.asOfAt,
    listedAt: forecastAt(inbound),
    stops: stopsIn(times),
    // A line that was crossed after berthing was crossed on another voyage, or on the way out.
    ataAt: before(berthedAt, crossedAt) ? undefined : crossedAt,
    atdAt: leftAt,
    cancelled: isLost || undefined,
    waitKnown: waitIsNegative ? false : undefined,
    keepsEarlier: 'fields',
  };
}
