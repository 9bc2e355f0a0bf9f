/** What the places of Hong Kong are for, by the names that the reports give them. */
import { WITHIN } from '../../calls/legs.ts';
import type { Zone } from '../../calls/observation.ts';
import type { Position } from '../../calls/port-call.ts';

/** Read in this order: an anchorage off a terminal is an anchorage, a terminal on an island is a terminal. */
const ZONES: readonly { readonly zone: Zone; readonly names: RegExp }[] = [
  { zone: 'anchorage', names: /\bANCHORAGES?\b/ },
  // A shelter for small craft, a buoy on a fairway: neither queue nor berth, whatever stands beside them.
  { zone: 'moving', names: /\b(?:TYPHOON SHELTER|BUOYS?)\b/ },
  {
    zone: 'berth',
    names:
      /\b(?:BERTHS?|TERMINALS?|(?:DRY |FLOATING )?DOCKS?|DOCKYARD|SHIPYARD|WHARF|WHARVES|PIERS?|JETTY|JETTIES|QUAY|BASIN|DEPOT|SLIPWAY|MOORINGS?|CARGO WORKING AREA|PCWA|FISH MARKET|POWER STATION|CEMENT|BIODIESEL|OIL|GAS|LNG)\b/,
  },
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

/** Names of one place within another, where the reports use now the wider name and now the exact one. */
const EXACT: readonly { readonly name: RegExp; readonly wider: string; readonly prefix: string }[] = [
  {
    name: /^KWAI ?CHUNG CONTR?\.? ?BERTH NO\. ?(\d+[A-Z]?)\b/,
    wider: 'KWAI CHUNG CONTAINER TERMINAL',
    prefix: 'BERTH ',
  },
  { name: /^YIU LIAN DOCK NO\. ?(\d+)\b/, wider: 'YIU LIAN DOCK', prefix: 'NO.' },
];

/** One spelling a place: single spaces, upper case, an exact berth within its terminal. */
function spelt(text: string): string {
  const name = text.replaceAll('>', ' ').replace(/\s+/g, ' ').trim().toUpperCase();
  for (const { name: pattern, wider, prefix } of EXACT) {
    const number = pattern.exec(name)?.[1];
    if (number !== undefined) return `${wider}${WITHIN}${prefix}${number}`;
  }
  return name;
}

/** The place that a report names, and what it is for; undefined when the name is not understood. */
export function readPlace(text: string): Position | undefined {
  const place = spelt(text);
  const zone = ZONES.find(({ names }) => names.test(place))?.zone;
  return zone === undefined ? undefined : { zone, place };
}
