/** What an area and berth of Portnet are for: an anchorage, a berth, or a place that is not named. */
import type { Zone } from '../../calls/observation.ts';

export interface AreaNames {
  readonly portAreaCode: string | undefined;
  readonly portAreaName: string | undefined;
  readonly berthCode: string | undefined;
  readonly berthName: string | undefined;
}

/** Most ports use the code; Vaasa (`12`) and Kilpilahti (`AN1`, `AN2`) state it only in the name. */
const ANCHORAGE_CODE = 'ANK';
const ANCHORAGE_NAME = /^(?:sisä|ulko)?ankkur(?:issa|ipaikka)\b|\banchor(?:age)?\b|^redi$/i;

/** How Portnet writes that a place is not known yet. */
const UNKNOWN = /^(?:muu|unknow|unknown|ei tiedossa)$/i;

const known = (name: string | undefined): string | undefined =>
  name === undefined || UNKNOWN.test(name) ? undefined : name;

/** `moving` when neither area nor berth is known: in port at a place that is not stated. */
export function zoneOf(area: AreaNames): Zone {
  const names = [area.portAreaName, area.berthName].map(known);
  const anchored = names.some((name) => name !== undefined && ANCHORAGE_NAME.test(name));
  if (area.portAreaCode === ANCHORAGE_CODE || anchored) return 'anchorage';
  return [area.portAreaCode, area.berthCode, ...names].some((name) => known(name) !== undefined)
    ? 'berth'
    : 'moving';
}

/** Area and berth as codes, names where a code is missing: `BG/KL1`; empty when neither is known. */
export const placeOf = (area: AreaNames): string =>
  [known(area.portAreaCode) ?? known(area.portAreaName), known(area.berthCode) ?? known(area.berthName)]
    .filter((part) => part !== undefined)
    .join('/');
