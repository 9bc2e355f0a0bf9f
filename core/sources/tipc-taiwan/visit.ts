/** The call record of one visit, from TIPC's two lists. */
import type { CallRecord, RecordedStop, Traffic, VesselClass } from '../../calls/observation.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { DECIMAL, timeFault } from '../../upstream/fields.ts';
import type { XmlRow } from '../../upstream/files/xml.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { TAIPEI_TIME } from './declaration.ts';
import type { Direction } from './lists.ts';

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
export const forecastAt = (row: XmlRow | undefined): Instant | undefined =>
  TAIPEI_TIME.read(row?.get('EXPECT_DT') ?? '');

function isOfVoyage(at: Instant, row: XmlRow): boolean {
  const expectedAt = forecastAt(row);
  return expectedAt !== undefined && expectedAt - at <= STALE_MS && at - expectedAt <= LATE_MS;
}

/**
 * The record of a visit; undefined when it has no event yet, and, with a refusal, when it names no vessel. An impossible time, and
 * a departure before the arrival, count as not stated; an inbound row with an impossible berthing time counts for nothing.
 */
export function toRecord(
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
