/** The id of a vessel, and in which figures it counts by its type. */
import type { Traffic } from '../../calls/observation.ts';

/**
 * Portnet vessel types that count in no figure: 10 passenger, 20 passenger and car ferry, 30 train ferry, 91 tug, 94 pusher
 * (the barge it pushes has a call of its own).
 */
const CRAFT_TYPES = new Set([10, 20, 30, 91, 94]);

/** Traffic of a Portnet type; 0 stands for none. */
export function trafficOf(vesselTypeCode: number | undefined): Traffic {
  if (!vesselTypeCode) return 'unknown';
  return CRAFT_TYPES.has(vesselTypeCode) ? 'ferry' : 'cargo';
}

/** AIS ship types (ITU-R M.1371): 70 to 89 cargo vessels and tankers; 0 stands for none; all others are craft. */
export function trafficOfAisType(type: number | undefined): Traffic {
  if (!type) return 'unknown';
  return type >= 70 && type <= 89 ? 'cargo' : 'ferry';
}

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
