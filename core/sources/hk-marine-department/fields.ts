/** The fields of a row of the reports: vessel, time and place. */
import type { Traffic, VesselClass, Zone } from '../../calls/observation.ts';
import { WITHIN } from '../../calls/port-call.ts';
import { EARLIEST_EVENT_AT, HOUR_MS, type Instant } from '../../reference/time.ts';
import { IMO_NUMBER } from '../../upstream/fields.ts';
import { HONG_KONG_TIMES } from './declaration.ts';

// The vessel of a row: its call sign, its IMO number where the report has one, and whether it carries cargo.

const CALL_SIGN = /^[A-Z0-9][A-Z0-9 ./-]{0,19}$/;

/** Types (SHIP_TYPE) that count in no figure. `OTHER` is barges, cable layers and work vessels. */
const CRAFT = /^(?:PASSENGER|FISHING|TUG|PLEASURE|YACHT|OTHER$)/;
const CARGO =
  /^(?:CONTAINER|BULK|GENERAL|TANKER|CHEMICAL|LIQUIFIED|CAR CARRIER|RORO|MULTI-PURPOSE|LNG POWERED)/;

/** Words that stand for a missing call sign: several vessels would share one id. */
const NO_CALL_SIGN = new Set(['0', 'N/A', 'NA', 'NIL', 'NONE', 'NULL', 'UNKNOWN']);

/** The vessel's id; undefined when the row names none. */
export function readVesselId(callSign: string | undefined): string | undefined {
  const id = callSign?.trim().toUpperCase() ?? '';
  return CALL_SIGN.test(id) && !NO_CALL_SIGN.has(id) ? id : undefined;
}

/** The IMO number if valid. `TEMP00167` is not one. */
export function readImo(text: string | undefined): { readonly imo?: string } {
  const imo = IMO_NUMBER.read(text?.trim() ?? '');
  return imo === undefined ? {} : { imo };
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

// The time of a row, in one of the two forms of the reports.

/** Clocks differ; a time further ahead of the fetch than this is refused. In 170 real reports no time is ahead of its fetch. */
const FURTHEST_AHEAD_MS = HOUR_MS;

export type TimeFault = 'impossible-time' | 'future-time';

/** Parses a time of a report fetched at `fetchedAt`; returns a fault for an invalid time or one in the future. */
export function readTime(text: string, fetchedAt: Instant): Instant | TimeFault {
  const at = HONG_KONG_TIMES.map((form) => form.read(text)).find((time) => time !== undefined);
  if (at === undefined || at < EARLIEST_EVENT_AT) return 'impossible-time';
  return at > fetchedAt + FURTHEST_AHEAD_MS ? 'future-time' : at;
}

/** In order of precedence: an anchorage off a terminal is an anchorage, a terminal on an island is a terminal. */
const ZONES: readonly { readonly zone: Zone; readonly names: RegExp }[] = [
  { zone: 'anchorage', names: /\bANCHORAGES?\b/ },
  // A shelter for small craft or a buoy on a fairway is neither anchorage nor berth, whatever the rest of the name.
  { zone: 'moving', names: /\b(?:TYPHOON SHELTER|BUOYS?)\b/ },
  {
    zone: 'berth',
    names:
      /\b(?:BERTHS?|TERMINALS?|(?:DRY |FLOATING )?DOCKS?|DOCKYARD|SHIPYARD|WHARF|WHARVES|PIERS?|JETTY|JETTIES|QUAY|BASIN|DEPOT|SLIPWAY|MOORINGS?|CARGO WORKING AREA|PCWA|FISH MARKET|POWER STATION|CEMENT|BIODIESEL|OIL|GAS|LNG|AVIATION FUEL FACILITY)\b/,
  },
  // Vessels load and discharge general cargo at the buoys west of Stonecutters Island.
  { zone: 'berth', names: /^STONECUTTERS? IS(?:\.|LAND)? \(NGONG SHUEN CHAU\) WEST\b/ },
  {
    zone: 'berth',
    names:
      /\b(?:CHINA MERCHANTS?|EUROASIA|SINOPEC|EXXON ?MOBIL|ESSO|SHELL|CALTEX|CHEVRON|FEOSO|PETROCHINA|TOWNGAS|HK ELECTRIC|HONG KONG ELECTRIC|CLP|CASTLE PEAK POWER|GREEN ISLAND CEMENT|SHIU WING|YIU LIAN|HUD|HONGKONG UNITED|STONECUTTERS NAVAL|RIVER TRADE)\b/,
  },
  {
    zone: 'moving',
    names:
      /\b(?:CHANNELS?|FAIRWAY|PASSAGE|STRAITS?|ROADS?|PILOT|ISLANDS?|ISLETS?|BAY|HARBOUR|SHELTER|POINT|LIGHT|SOUND|BANK|WATERS|LIMITS?|PART|WAN|CHAU|TSUI|KOK|MUN|TAU|SHEK|WAGLAN|POTOI|PO TOI|TATHONG|LAMMA|LANTAU|NINEPINS?|TSING YI|MA ?WAN|TUEN MUN|KWAI CHUNG|KWUN TONG|KAI TAK|KAU YI|URMSTON|SULPHUR|KELLETT|ADAMASTA|BEAUFORT|CHEK LAP KOK|SHEKOU|YANTIAN|MIRS|TOLO)\b/,
  },
];

/** Berths within a terminal, where the reports use both the terminal's name and the berth's. */
const EXACT: readonly { readonly name: RegExp; readonly wider: string; readonly prefix: string }[] = [
  {
    name: /^KWAI ?CHUNG CONTR?\.? ?BERTH NO\. ?(\d+[A-Z]?)\b/,
    wider: 'KWAI CHUNG CONTAINER TERMINAL',
    prefix: 'BERTH ',
  },
  { name: /^YIU LIAN DOCK NO\. ?(\d+)\b/, wider: 'YIU LIAN DOCK', prefix: 'NO.' },
];

/** One spelling for each place: single spaces, upper case, an exact berth within its terminal. */
function spelt(text: string): string {
  const name = text.replaceAll('>', ' ').replace(/\s+/g, ' ').trim().toUpperCase();
  for (const { name: pattern, wider, prefix } of EXACT) {
    const number = pattern.exec(name)?.[1];
    if (number !== undefined) return `${wider}${WITHIN}${prefix}${number}`;
  }
  return name;
}

/** The place that a report names, and its use; `zone` is undefined for an unknown name. */
export function readPlace(text: string): { readonly zone: Zone | undefined; readonly place: string } {
  const place = spelt(text);
  return { zone: ZONES.find(({ names }) => names.test(place))?.zone, place };
}
