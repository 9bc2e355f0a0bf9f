/** Visits of the national v2 API: without berth and anchorage, so arrivals and departures only. */
import { z } from 'zod';
import type { CallRecord } from '../../calls/observation.ts';
import { parseInstant } from '../../reference/time.ts';
import { passedTime, type TimeCheck } from './call-time.ts';
import type { PortRecord } from './port-call-v1.ts';
import { trafficOfAisType, vesselIdOf } from './vessel.ts';

const time = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || undefined);

export const visitShape = z.object({
  visitId: z.string().min(1).max(35),
  vesselId: z.string().nullish(),
  vesselName: z.string().nullish(),
  portOfCall: z.string(),
  ata: time,
  atd: time,
  status: z.string(),
  updateTime: time,
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
  const imo = /^\d{7}$/.test(visit.vesselId ?? '') ? Number(visit.vesselId) : undefined;
  const vesselId = vesselIdOf({ imo, mmsi: undefined, name: visit.vesselName?.trim() || undefined });
  const ataAt = passedTime(`${label} ata`, visit.ata, check);
  const atdAt = passedTime(`${label} atd`, visit.atd, check);
  const turned = ataAt !== undefined && atdAt !== undefined && atdAt < ataAt;
  if (vesselId === undefined || turned) {
    check.refusals.push({ reason: turned ? 'impossible-order' : 'no-vessel', detail: label });
    return undefined;
  }
  const record: CallRecord = {
    callId: visit.visitId,
    vesselId,
    traffic: trafficOfAisType(imo === undefined ? undefined : types.get(imo)),
    recordedAt: Math.min(parseInstant(visit.updateTime ?? '') ?? check.asOfAt, check.asOfAt),
    stops: [],
    ataAt,
    atdAt,
    cancelled: visit.status === 'Cancelled' || undefined,
  };
  return { port: visit.portOfCall, record };
}
