/** Regions of the United Nations (M49, unstats.un.org/unsd/methodology/m49): the countries of each, by ISO 3166-1 alpha-2 code. */
import regions from './regions.json' with { type: 'json' };

/** The larger regions that contain a region, and its countries. M49 does not list Taiwan; CLDR has it in Eastern Asia. */
const AREAS = Object.entries(regions).map(([region, { within, countries }]) => ({
  names: [...within, region],
  countries: countries.split(' '),
}));

export const REGIONS: readonly string[] = [...new Set(AREAS.flatMap(({ names }) => names))].toSorted();

/** Countries of a region, whose name may be in any case; undefined for an unknown name. */
export function countriesIn(name: string): ReadonlySet<string> | undefined {
  const wanted = name.trim().toLowerCase();
  const inside = AREAS.filter(({ names }) => names.some((listed) => listed.toLowerCase() === wanted));
  return inside.length === 0 ? undefined : new Set(inside.flatMap(({ countries }) => countries));
}
