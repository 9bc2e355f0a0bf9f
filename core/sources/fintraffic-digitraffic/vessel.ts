/** The id of a vessel, and whether it queues for a berth as cargo vessels do. */
import type { Traffic } from '../../calls/observation.ts';

/**
 * Portnet vessel types that run on a timetable or serve other vessels, and so do not indicate a queue: 10 passenger,
 * 20 passenger and car ferry, 30 train ferry, 91 tug, 94 pusher (the barge it pushes has a call of its own).
 */
const NOT_QUEUEING_TYPES = new Set([10, 20, 30, 91, 94]);

/** Unknown types count as cargo, because leaving out a cargo vessel would hide a wait. */
export const trafficOf = (vesselTypeCode: number | undefined): Traffic =>
  vesselTypeCode !== undefined && NOT_QUEUEING_TYPES.has(vesselTypeCode) ? 'ferry' : 'cargo';

/** AIS ship types (ITU-R M.1371): 31, 32, 52 tugs and tows, 40 to 49 high-speed craft, 60 to 69 passenger. */
export const trafficOfAisType = (type: number | undefined): Traffic =>
  type !== undefined &&
  ((type >= 60 && type <= 69) || (type >= 40 && type <= 49) || [31, 32, 52].includes(type))
    ? 'ferry'
    : 'cargo';

export interface VesselNames {
  readonly imo: number | undefined;
  readonly mmsi: number | undefined;
  readonly name: string | undefined;
}

/** The IMO number, which never changes for a hull; else the MMSI or the name. Undefined without any. */
export function vesselIdOf({ imo, mmsi, name }: VesselNames): string | undefined {
  if (imo !== undefined && imo >= 1_000_000 && imo <= 9_999_999) return `imo:${imo}`;
  if (mmsi !== undefined && mmsi >= 100_000_000 && mmsi <= 999_999_999) return `mmsi:${mmsi}`;
  return name === undefined ? undefined : `name:${name.toUpperCase()}`;
}
