/** Regions of the United Nations (M49, unstats.un.org/unsd/methodology/m49): the countries of each, by ISO 3166-1 alpha-2 code. */

const AMERICAS = ['Americas'];
const NORTH = [...AMERICAS, 'North America'];
const LATIN = [...AMERICAS, 'Latin America and the Caribbean'];

/** Region, the larger regions that contain it, and its countries. M49 does not list Taiwan; CLDR has it in Eastern Asia. */
const AREAS: readonly (readonly [string, readonly string[], string])[] = [
  ['Northern Africa', ['Africa'], 'DZ EG EH LY MA SD TN'],
  ['Eastern Africa', ['Africa'], 'BI DJ ER ET IO KE KM MG MU MW MZ RE RW SC SO SS TF TZ UG YT ZM ZW'],
  ['Middle Africa', ['Africa'], 'AO CD CF CG CM GA GQ ST TD'],
  ['Southern Africa', ['Africa'], 'BW LS NA SZ ZA'],
  ['Western Africa', ['Africa'], 'BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG'],
  ['Northern America', NORTH, 'BM CA GL PM US'],
  ['Central America', [...LATIN, ...NORTH], 'BZ CR GT HN MX NI PA SV'],
  [
    'Caribbean',
    [...LATIN, ...NORTH],
    'AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI',
  ],
  ['South America', LATIN, 'AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE'],
  ['Central Asia', ['Asia'], 'KG KZ TJ TM UZ'],
  ['Eastern Asia', ['Asia'], 'CN HK JP KP KR MN MO TW'],
  ['South-eastern Asia', ['Asia'], 'BN ID KH LA MM MY PH SG TH TL VN'],
  ['Southern Asia', ['Asia'], 'AF BD BT IN IR LK MV NP PK'],
  ['Western Asia', ['Asia'], 'AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE'],
  ['Eastern Europe', ['Europe'], 'BG BY CZ HU MD PL RO RU SK UA'],
  ['Northern Europe', ['Europe'], 'AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ'],
  ['Southern Europe', ['Europe'], 'AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA'],
  ['Western Europe', ['Europe'], 'AT BE CH DE FR LI LU MC NL'],
  ['Australia and New Zealand', ['Oceania'], 'AU CC CX HM NF NZ'],
  ['Melanesia', ['Oceania'], 'FJ NC PG SB VU'],
  ['Micronesia', ['Oceania'], 'FM GU KI MH MP NR PW UM'],
  ['Polynesia', ['Oceania'], 'AS CK NU PF PN TK TO TV WF WS'],
];

/** Every region, larger ones included. */
export const REGIONS: readonly string[] = [
  ...new Set(AREAS.flatMap(([region, larger]) => [...larger, region])),
].toSorted();

/** Countries of a region, whose name may be in any case; undefined for a name that is none. */
export function countriesIn(name: string): ReadonlySet<string> | undefined {
  const wanted = name.trim().toLowerCase();
  const inside = AREAS.filter(([region, larger]) =>
    [region, ...larger].some((listed) => listed.toLowerCase() === wanted),
  );
  return inside.length === 0 ? undefined : new Set(inside.flatMap(([, , countries]) => countries.split(' ')));
}
