/** Use of the locations named by OCEANS-X. */
import type { Zone } from '../../calls/observation.ts';

/** In order of precedence: an anchorage off a terminal is an anchorage, a berth of another port none of Singapore. */
const ZONES: readonly { readonly zone: Zone; readonly names: RegExp }[] = [
  // Ports of Indonesia and Malaysia on the strait.
  { zone: 'moving', names: /^(?:BATAM|KARIMUN|TANJONG PELEPAS)\b/ },
  { zone: 'anchorage', names: /\bANCH(?:ORAGES?)?\b/ },
  // Pilot boarding grounds, and the buoy before the East Johor Strait, which the lists use like one.
  {
    zone: 'moving',
    names: /\b(?:PILOT|(?:BOARD|BOARDING|DISEMB|DISEMBARKATION) (?:GRD|GROUND)|SHOAL BUOY)\b/,
  },
  { zone: 'moving', names: /^(?:(?:AT |OPEN )?SEA|HIGH SEAS?)\b|\bFAIRWAY\b/ },
  { zone: 'berth', names: /\b(?:BERTHS?|TERMINALS?|WHARF|WHARVES|DOCKS?|JETTY|JETTIES|P\d+)\b/ },
];

/** Use of the place with that name, in upper case; undefined for an unknown name. */
export const readPlaceZone = (name: string): Zone | undefined =>
  ZONES.find(({ names }) => names.test(name))?.zone;
