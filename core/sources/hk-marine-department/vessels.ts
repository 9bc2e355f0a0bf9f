/** Who a row speaks of: the call sign, which is in every report, and whether the vessel carries cargo. */
import type { Traffic } from '../../calls/observation.ts';

const CALL_SIGN = /^[A-Z0-9][A-Z0-9 ./-]{0,19}$/;

/** Types that do not queue for cargo berths. A type that is not given is taken for cargo. */
const NOT_CARGO = /^(?:PASSENGER|FISHING|TUG|PLEASURE|YACHT|OTHER$)/;

/** The vessel's id; undefined when the row names none. */
export function readVesselId(callSign: string | undefined): string | undefined {
  const id = callSign?.trim().toUpperCase() ?? '';
  return CALL_SIGN.test(id) ? id : undefined;
}

/** Traffic of a ship type, for vessels that are not cargo. */
export const readTraffic = (shipType: string | undefined): { readonly traffic?: Traffic } =>
  NOT_CARGO.test(shipType?.trim().toUpperCase() ?? '') ? { traffic: 'ferry' } : {};
