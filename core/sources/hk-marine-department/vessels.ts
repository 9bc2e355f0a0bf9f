/** The vessel of a row: its call sign, its IMO number where the report has one, and whether it carries cargo. */
import type { Traffic, VesselClass } from '../../calls/observation.ts';

const CALL_SIGN = /^[A-Z0-9][A-Z0-9 ./-]{0,19}$/;

/** Types (SHIP_TYPE) that count in no figure. `OTHER` is barges, cable layers and work vessels. */
const CRAFT = /^(?:PASSENGER|FISHING|TUG|PLEASURE|YACHT|OTHER$)/;
const CARGO =
  /^(?:CONTAINER|BULK|GENERAL|TANKER|CHEMICAL|LIQUIFIED|CAR CARRIER|RORO|MULTI-PURPOSE|LNG POWERED)/;

/** The vessel's id; undefined when the row names none. */
export function readVesselId(callSign: string | undefined): string | undefined {
  const id = callSign?.trim().toUpperCase() ?? '';
  return CALL_SIGN.test(id) ? id : undefined;
}

/** The IMO number if valid: seven digits, of which the last is the check digit. `TEMP00167` is not one. */
export function readImo(text: string | undefined): { readonly imo?: string } {
  const imo = text?.trim() ?? '';
  if (!/^[1-9]\d{6}$/.test(imo)) return {};
  const weighted = Array.from(imo.slice(0, 6), (digit, index) => Number(digit) * (7 - index));
  return weighted.reduce((sum, term) => sum + term, 0) % 10 === Number(imo.at(-1)) ? { imo } : {};
}

/** Traffic of a ship type; a type that neither list has is unknown. */
export function readTraffic(shipType: string | undefined): Traffic {
  const type = shipType?.trim().toUpperCase() ?? '';
  if (CRAFT.test(type)) return 'ferry';
  return CARGO.test(type) ? 'cargo' : 'unknown';
}

const CLASSES: readonly (readonly [RegExp, VesselClass])[] = [
  [/^CONTAINER/, 'container'],
  [/^BULK/, 'bulk'],
  [/^(?:TANKER|CHEMICAL|LIQUIFIED (?:PETROLEUM|NATURAL) GAS TANKER)/, 'tanker'],
];

/** Class of a ship type; none for a vessel without a type. */
export function readClass(shipType: string | undefined): { readonly vesselClass?: VesselClass } {
  const type = shipType?.trim().toUpperCase() ?? '';
  if (type === '') return {};
  return { vesselClass: CLASSES.find(([pattern]) => pattern.test(type))?.[1] ?? 'other' };
}
