/** Call records from port calls of the v0 and v1 APIs, and from visits of the v2 API. */
import { z } from 'zod';
import type { CallRecord, RecordedStop, Traffic, Zone } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Instant } from '../../reference/time.ts';
import { ISO_TIME, pastTime, WHOLE_NUMBER } from '../../upstream/fields.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import type {} from '../../upstream/source.ts';

// Validates call times, which agents enter by hand and Digitraffic passes on unchecked.

export interface TimeCheck {
  /** Nothing that has happened can be later than this. */
  readonly asOfAt: Instant;
  readonly refusals: Refusals;
}

/**
 * A time in the past, undefined when none is stated. An impossible one (unreadable, in the future, before 2000) counts as not
 * stated and is reported: the rest of the call, and later corrections, are still valid.
 */
const passedTime = (label: string, text: string | undefined, { asOfAt, refusals }: TimeCheck) =>
  pastTime(ISO_TIME, text ?? '', label, asOfAt, refusals);

// The id of a vessel, and in which figures it counts by its type.

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

interface VesselNames {
  readonly imo: number | undefined;
  readonly mmsi: number | undefined;
  readonly name: string | undefined;
}

/** The IMO number, which never changes for a hull; else the MMSI or the name. Undefined without any. */
function makeVesselId({ imo, mmsi, name }: VesselNames): string | undefined {
  if (imo !== undefined && imo >= 1_000_000 && imo <= 9_999_999) return `imo:${imo}`;
  if (mmsi !== undefined && mmsi >= 100_000_000 && mmsi <= 999_999_999) return `mmsi:${mmsi}`;
  return name === undefined ? undefined : `name:${name.toUpperCase()}`;
}

// The use of a Portnet area and berth: anchorage, berth, or a place that is not named.

interface AreaNames {
  readonly portAreaCode: string | undefined;
  readonly portAreaName: string | undefined;
  readonly berthCode: string | undefined;
  readonly berthName: string | undefined;
}

/** Most ports use the code; Vaasa (`12`) and Kilpilahti (`AN1`, `AN2`) state it only in the name. */
const ANCHORAGE_CODE = 'ANK';
const ANCHORAGE_NAME = /^(?:sisä|ulko)?ankkur(?:issa|ipaikka)\b|\banchor(?:age)?\b|^redi$/i;

/** Portnet's words for a place that is not known yet. */
const UNKNOWN = /^(?:muu|unknow|unknown|ei tiedossa)$/i;

const known = (name: string | undefined): string | undefined =>
  name === undefined || UNKNOWN.test(name) ? undefined : name;

/** `moving` when neither area nor berth is known: in port at a place that is not stated. */
function zone(area: AreaNames): Zone {
  const names = [area.portAreaName, area.berthName].map(known);
  const anchored = names.some((name) => name !== undefined && ANCHORAGE_NAME.test(name));
  if (area.portAreaCode === ANCHORAGE_CODE || anchored) return 'anchorage';
  return [area.portAreaCode, area.berthCode, ...names].some((name) => known(name) !== undefined)
    ? 'berth'
    : 'moving';
}

/** Area and berth as codes, names where a code is missing: `BG/KL1`; empty when neither is known. */
const place = (area: AreaNames): string =>
  [known(area.portAreaCode) ?? known(area.portAreaName), known(area.berthCode) ?? known(area.berthName)]
    .filter((part) => part !== undefined)
    .join('/');

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

export const portCallShape = z.object({
  portCallId: z.number().int().positive(),
  portCallTimestamp: text,
  portToVisit: z.string(),
  vesselName: text,
  imoLloyds: number,
  mmsi: number,
  vesselTypeCode: number,
  portAreaDetails: z.array(areaShape).max(200),
});

export type PortCallV1 = z.output<typeof portCallShape>;

export interface PortRecord {
  readonly port: Locode;
  readonly record: CallRecord;
}

/** A stop; an ATD before its ATA counts as not stated, with a refusal. */
function toStop(area: z.output<typeof areaShape>, label: string, check: TimeCheck): RecordedStop {
  const ataAt = passedTime(`${label} ata`, area.ata, check);
  const atdAt = passedTime(`${label} atd`, area.atd, check);
  const stop = { zone: zone(area), place: place(area), ataAt };
  if (ataAt === undefined || atdAt === undefined || atdAt >= ataAt) return { ...stop, atdAt };
  check.refusals.push({
    reason: 'impossible-order',
    detail: `${label} left ${stop.place} before it arrived`,
  });
  return stop;
}

/** The record of a call; undefined, with a refusal, when it names no vessel. */
export function readPortCall(call: PortCallV1, check: TimeCheck): PortRecord | undefined {
  const label = `call ${call.portCallId}`;
  const vesselId = makeVesselId({ imo: call.imoLloyds, mmsi: call.mmsi, name: call.vesselName });
  if (vesselId === undefined) {
    check.refusals.push({ reason: 'no-vessel', detail: label });
    return undefined;
  }
  // An area that is listed twice, equal in every field, is one stop.
  const areas = new Map(call.portAreaDetails.map((area) => [JSON.stringify(area), area]));
  const stops = [...areas.values()].map((area) => toStop(area, label, check));
  const changedAt = ISO_TIME.read(call.portCallTimestamp ?? '') ?? check.asOfAt;
  const record: CallRecord = {
    callId: String(call.portCallId),
    vesselId,
    traffic: traffic(call.vesselTypeCode),
    // A stamp in the future would make every later correction look older than this record.
    recordedAt: Math.min(changedAt, check.asOfAt),
    stops,
    keepsEarlier: 'times',
  };
  return { port: call.portToVisit, record };
}

// Visits of the national v2 API: without berth and anchorage, so arrivals and departures only.

export const visitShape = z.object({
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
export const aisVesselShape = z.object({ imo: z.number().nullish(), shipType: z.number().nullish() });

/** AIS ship type by IMO number. */
export type VesselTypes = ReadonlyMap<number, number>;

/** The record of a visit; undefined, with a refusal, when it contradicts itself or names no vessel. */
export function readVisit(
  visit: z.output<typeof visitShape>,
  types: VesselTypes,
  check: TimeCheck,
): PortRecord | undefined {
  const label = `visit ${visit.visitId}`;
  const imo = WHOLE_NUMBER.read(visit.vesselId ?? '');
  const vesselId = makeVesselId({ imo, mmsi: undefined, name: visit.vesselName });
  if (vesselId === undefined) {
    check.refusals.push({ reason: 'no-vessel', detail: label });
    return undefined;
  }
  const ataAt = passedTime(`${label} ata`, visit.ata, check);
  const atdAt = passedTime(`${label} atd`, visit.atd, check);
  const isTurned = ataAt !== undefined && atdAt !== undefined && atdAt < ataAt;
  if (isTurned)
    check.refusals.push({ reason: 'impossible-order', detail: `${label} left before it arrived` });
  const record: CallRecord = {
    callId: visit.visitId,
    vesselId,
    traffic: trafficOfAisType(imo === undefined ? undefined : types.get(imo)),
    recordedAt: Math.min(ISO_TIME.read(visit.updateTime ?? '') ?? check.asOfAt, check.asOfAt),
    stops: [],
    ataAt,
    atdAt: isTurned ? undefined : atdAt,
    cancelled: visit.status === 'Cancelled' || undefined,
    keepsEarlier: 'times',
  };
  return { port: visit.portOfCall, record };
}
