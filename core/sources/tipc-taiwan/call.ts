/** The call record of one visit, from TIPC's two lists. */
import type { CallRecord, RecordedStop, Traffic, VesselClass } from '../../calls/observation.ts';
import { DAY_MS, EARLIEST_EVENT_AT, formatInstant, type Instant } from '../../reference/time.ts';
import type { XmlRow } from '../files/xml.ts';
import type { Refusal } from '../source.ts';
import { TAIPEI_OFFSET_MS } from './lists.ts';

/** The rows of one visa number; the inbound row is missing where the vessel was forecast before the window. */
export interface Visit {
  readonly visaNo: string;
  readonly inbound?: XmlRow | undefined;
  readonly outbound?: XmlRow | undefined;
}

/** `202501312359` in Taipei; undefined for another form or an invalid time of this century. */
export function taipeiTime(text: string): Instant | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute] = match;
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  const isReal =
    !Number.isNaN(local) && formatInstant(local) === `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  const at = local - TAIPEI_OFFSET_MS;
  return isReal && at >= EARLIEST_EVENT_AT ? at : undefined;
}

/** A time this long before the forecast belongs to an earlier voyage: rows of harbour craft have such times for years. */
const STALE_MS = 30 * DAY_MS;
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
function classOf(row: XmlRow): { readonly vesselClass?: VesselClass } {
  const type = row.get('STA_TYPE')?.trim() ?? '';
  return type === '' ? {} : { vesselClass: CLASSES[type] ?? 'other' };
}

/** Craft by visa number, type or tonnage; cargo by the purpose to load or discharge. */
function trafficOf(visaNo: string, row: XmlRow): Traffic {
  const type = row.get('STA_TYPE')?.trim() ?? '';
  const tonnage = Number.parseFloat(row.get('GROSS_TOA') ?? '');
  if (!VOYAGE.test(visaNo) || CRAFT_TYPES.has(type) || tonnage < MIN_CARGO_TONNAGE) return 'ferry';
  if (type === '') return 'unknown';
  return CARGO_PURPOSE.test(row.get('GOAL_ARRIVAL') ?? '') ? 'cargo' : 'visitor';
}

/** The lists give no number of the vessel, so the name identifies the vessel: the English one where there is one. */
function vesselIdOf(row: XmlRow): string | undefined {
  const name = row.get('VESSEL_ENAME') || row.get('VESSEL_CNAME');
  return name ? `name:${name.toUpperCase().replaceAll(/\s+/g, ' ')}` : undefined;
}

/** An anchorage inside the port carries the word in its name; buoys and berths are berths. */
const berthOf = (wharf: string): Pick<RecordedStop, 'zone' | 'place'> => ({
  zone: wharf.includes('錨地') ? 'anchorage' : 'berth',
  place: wharf,
});

const before = (a: Instant | undefined, b: Instant | undefined): boolean =>
  a !== undefined && b !== undefined && a < b;

/** Context for reading a visit, and the list for its refusals. */
export interface VisitCheck {
  readonly fetchedAt: Instant;
  readonly asOfAt: Instant;
  readonly refusals: Refusal[];
}

/**
 * The record of a visit; undefined when it has no event yet, and, with a refusal, when its times
 * contradict one another or it names no vessel. A single impossible time counts as not stated.
 */
export function recordOf({ visaNo, inbound, outbound }: Visit, check: VisitCheck): CallRecord | undefined {
  const row = inbound ?? outbound;
  if (row === undefined) return undefined;
  const refuse = (reason: string, detail: string): undefined => {
    check.refusals.push({ reason, detail: `${visaNo} ${detail}`.slice(0, 160) });
  };
  const time = (from: XmlRow | undefined, tag: string): Instant | undefined => {
    const text = from?.get(tag) ?? '';
    if (text === '') return undefined;
    const at = taipeiTime(text);
    const forecastAt = taipeiTime(from?.get('EXPECT_DT') ?? '');
    if (at === undefined) return refuse('unreadable-time', `${tag} ${text}`);
    if (at > check.fetchedAt) return refuse('future-time', `${tag} ${text}`);
    const isStale = forecastAt === undefined || forecastAt - at > STALE_MS;
    return isStale ? refuse('stale-time', `${tag} ${text}, forecast ${from?.get('EXPECT_DT')}`) : at;
  };

  const anchoredAt = time(inbound, 'ARRV_DT');
  const berthedAt = time(inbound, 'ACT_PORT_DT');
  const leftAt = time(outbound, 'LEAVE_PORT_DT');
  const lineAt = time(inbound, 'SP5NM');
  // A line that was crossed after berthing was crossed on another voyage, or on the way out.
  const crossedAt = before(berthedAt, lineAt) ? undefined : lineAt;
  if (inbound?.get('ACT_PORT_DT') && berthedAt === undefined) return undefined;
  if (before(leftAt, berthedAt ?? anchoredAt)) return refuse('impossible-order', 'left before it arrived');
  // A negative wait: the vessel is in port, and how long it waited is unknown.
  const waitIsNegative = before(berthedAt, anchoredAt);
  if (waitIsNegative) refuse('negative-wait', 'anchored after it berthed');

  const arrivals = [crossedAt, waitIsNegative ? undefined : anchoredAt, berthedAt].filter(
    (at) => at !== undefined,
  );
  if (arrivals.length === 0 && leftAt === undefined) return undefined;
  const vesselId = vesselIdOf(row);
  if (vesselId === undefined) return refuse('no-vessel', 'names no vessel');
  const listedAt = taipeiTime(inbound?.get('EXPECT_DT') ?? '');
  const onlyCrossed = anchoredAt === undefined && berthedAt === undefined && leftAt === undefined;
  const stops: RecordedStop[] = [];
  if (anchoredAt !== undefined && !waitIsNegative)
    stops.push({ zone: 'anchorage', place: 'anchorage', ataAt: anchoredAt });
  if (berthedAt !== undefined) stops.push({ ...berthOf(inbound?.get('WHARF_CODE') ?? ''), ataAt: berthedAt });
  return {
    callId: visaNo,
    vesselId,
    traffic: trafficOf(visaNo, row),
    ...classOf(row),
    recordedAt: check.asOfAt,
    listedAt,
    stops,
    ataAt: arrivals.length > 0 ? Math.min(...arrivals) : undefined,
    atdAt: leftAt,
    cancelled: (onlyCrossed && before(crossedAt, check.asOfAt - LOST_AFTER_MS)) || undefined,
    waitKnown: waitIsNegative ? false : undefined,
    partial: true,
  };
}
