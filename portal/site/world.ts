/** The world behind the ports, projected when the portal is built: a browser would need seconds of a telephone for it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { geoEqualEarth, geoGraticule10, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { PROJECTION, type WorldPaths } from '../map/projection.ts';
import { markdownTable } from './markdown.ts';
import shares from './world-share.json' with { type: 'json' };

type Countries = Topology<{ land: GeometryCollection; countries: GeometryCollection }>;

const FILE = fileURLToPath(new URL('../../node_modules/world-atlas/countries-110m.json', import.meta.url));

/** Returns the coastlines in units of the drawing, rounded to `decimals`. */
export function worldPaths(decimals: number): WorldPaths {
  const world = JSON.parse(readFileSync(FILE, 'utf8')) as Countries;
  const { scale, translate } = PROJECTION;
  const path = geoPath(
    geoEqualEarth()
      .scale(scale)
      .translate([...translate]),
  ).digits(decimals);
  const { land, countries } = world.objects;
  return {
    graticule: path(geoGraticule10()) ?? '',
    land: path(feature(world, land)) ?? '',
    borders: path(mesh(world, countries, (a, b) => a !== b)) ?? '',
  };
}

// How much of the world's port calls the sources cover: a section of the coverage page.

/** A source that is fetched at least so often shows the present. */
const LIVE_MINUTES = 60;

const percent: Readonly<Record<string, number>> = shares.percent;

type Counted = Pick<SourceDeclaration, 'id' | 'everyMinutes' | 'secret' | 'boxes'>;

const isLive = ({ everyMinutes }: Counted): boolean => everyMinutes <= LIVE_MINUTES;

/** `0.91 + 0.58 = 1.49 %`: the parts, in the order of the sources, and their sum. */
function sumText(sources: readonly Counted[]): string {
  const parts = sources.map(({ id }) => percent[id] ?? 0);
  const sum = parts.reduce((total, part) => total + part, 0);
  return `${parts.map((part) => part.toFixed(2)).join(' + ')} = **${sum.toFixed(2)} %**`;
}

/** The section, in Markdown; a source that the list was not compared with is left out. */
export function worldShareSection(sources: readonly Counted[]): string[] {
  const counted = sources.filter(({ id }) => percent[id] !== undefined);
  const live = counted.filter(isLive);
  const keyless = live.filter(({ secret }) => secret === undefined);
  const rows = counted.map((source) => [
    `\`${source.id}\``,
    isLive(source) ? 'live' : 'history',
    source.secret === undefined ? 'none' : `\`${source.secret}\``,
    `${(percent[source.id] ?? 0).toFixed(2)} %`,
  ]);
  return [
    "## Share of the world's port calls",
    `The port database of [IMF PortWatch](https://portwatch.imf.org/) of ${shares.dated} has ${shares.yearlyCalls.toLocaleString('en')} yearly vessel calls. The table shows the share at the ports of each source. A port of the database is matched by its UN/LOCODE or its position; the database itself is not part of this repository. The shares say which calls happen at covered ports, not how many of them a source reports.`,
    markdownTable(['Source', 'Data', 'Key', 'Share'], rows),
    [
      `- Live, without a key: ${sumText(keyless)}.`,
      `- Live, without a key and without positions: ${sumText(keyless.filter(({ boxes }) => boxes === undefined))}.`,
      `- Live, with all keys: ${sumText(live)}.`,
      `- All sources: ${sumText(counted)}.`,
    ].join('\n'),
    'For ports that are read from positions, the share is an upper bound: whether receivers reach a port is unknown until live polls of it have been read.',
  ];
}
