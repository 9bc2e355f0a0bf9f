/** Call records from port calls of the v0 and v1 APIs, and from visits of the v2 API. */
import { z } from 'zod';
import type { CallRecord, RecordedStop, Traffic, Zone } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import { ISO_TIME, pastTime, type TimeCheck, WHOLE_NUMBER } from '../../upstream/fields.ts';

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

/** Visits have no berth and no anchorage. */
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

export interface PortRecord {
  readonly port: Locode;
  readonly record: CallRecord;
}

/** The record of a call; undefined, with a refusal, when it names no vessel. */
export function readPortCall(call: z.output<typeof portCallShape>, check: TimeCheck): PortRecord | undefined {
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
export function readVisit(
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
