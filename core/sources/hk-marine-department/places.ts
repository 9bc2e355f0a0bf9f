/** The use of each place in Hong Kong, by its name in the reports. */
import { WITHIN } from '../../calls/legs.ts';
import type { Zone } from '../../calls/observation.ts';

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
  // General cargo is worked at the buoys west of Stonecutters Island.
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
