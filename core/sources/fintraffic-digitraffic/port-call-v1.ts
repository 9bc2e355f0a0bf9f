/** Call records from port calls of the v0 and v1 APIs. */
import { z } from 'zod';
import type { CallRecord, RecordedStop } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import { parseInstant } from '../../reference/time.ts';
import { placeOf, zoneOf } from './area.ts';
import { passedTime, type TimeCheck } from './call-time.ts';
import { trafficOf, vesselIdOf } from './vessel.ts';

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

function stopOf(area: z.output<typeof areaShape>, label: string, check: TimeCheck): RecordedStop {
  const ataAt = passedTime(`${label} ata`, area.ata, check);
  const atdAt = passedTime(`${label} atd`, area.atd, check);
  return {
    zone: zoneOf(area),
    place: placeOf(area),
    ataAt,
    atdAt,
  };
}

/** The record of a call; undefined, with a refusal, when it contradicts itself or names no vessel. */
export function readPortCall(call: PortCallV1, check: TimeCheck): PortRecord | undefined {
  const label = `call ${call.portCallId}`;
  const vesselId = vesselIdOf({ imo: call.imoLloyds, mmsi: call.mmsi, name: call.vesselName });
  if (vesselId === undefined) {
    check.refusals.push({ reason: 'no-vessel', detail: label });
    return undefined;
  }
  const stops = call.portAreaDetails.map((area) => stopOf(area, label, check));
  const turned = stops.find(
    ({ ataAt, atdAt }) => ataAt !== undefined && atdAt !== undefined && atdAt < ataAt,
  );
  if (turned) {
    check.refusals.push({
      reason: 'impossible-order',
      detail: `${label} left ${turned.place} before it arrived`,
    });
    return undefined;
  }
  const changedAt = parseInstant(call.portCallTimestamp ?? '') ?? check.asOfAt;
  const record: CallRecord = {
    callId: String(call.portCallId),
    vesselId,
    traffic: trafficOf(call.vesselTypeCode),
    // A stamp in the future would make every later correction look older than this record.
    recordedAt: Math.min(changedAt, check.asOfAt),
    stops,
  };
  return { port: call.portToVisit, record };
}
