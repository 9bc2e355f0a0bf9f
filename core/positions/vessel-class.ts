/** Which vessels count: by AIS vessel type, and the identity that a vessel keeps when its MMSI changes. */

/**
 * `cargo` counts. `ferry`, every passenger vessel, shows how a port is received, and counts nowhere. `unknown` ones are
 * counted apart. `other` vessels (tugs, fishing boats, high-speed and pleasure craft) are not followed.
 */
export const VESSEL_CLASSES = ['unknown', 'cargo', 'ferry', 'other'] as const;
export type VesselClass = (typeof VESSEL_CLASSES)[number];

/** The US Coast Guard's own codes in NOAA's files: freight, bulk, tank and cargo; then passenger vessels. */
const US_CARGO = new Set([1003, 1004, 1016, 1017, 1024]);
const US_PASSENGER = new Set([1012, 1013, 1014, 1015]);

/** The class of an AIS vessel type (ITU-R M.1371: 60 to 69 passenger, 70 to 79 cargo, 80 to 89 tanker). */
export function vesselClass(type: number): VesselClass {
  return CLASSES[type] ?? 'other';
}

function classOfType(type: number): VesselClass {
  if ((type >= 70 && type <= 89) || US_CARGO.has(type)) return 'cargo';
  if ((type >= 60 && type <= 69) || US_PASSENGER.has(type)) return 'ferry';
  return type === 0 ? 'unknown' : 'other';
}

/** Classes of all types below the last of the US codes. */
const CLASSES = Array.from({ length: 1100 }, (_, type) => classOfType(type));

/** The vessel's identity: its IMO number where one is known, else its MMSI. */
export const vesselIdentity = (mmsi: number, imo: number): string =>
  imo === 0 ? `mmsi:${mmsi}` : `imo:${imo}`;
