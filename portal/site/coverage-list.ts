/** Every covered port with its source, from the declarations: for the coverage page, for programs, and counted for the README. */

import { type Evidence, knownSource } from '../../core/reference/evidence.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { findPort } from '../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { type KnownGround, knownGrounds } from '../../core/sources/positions/known-grounds.ts';
import {
  COVERAGE_ENDPOINTS,
  type CoverageEndpoint,
  type SourceDeclaration,
} from '../../core/sources/source.ts';
import type { CoveredPort, ListedGround } from '../api/coverage.ts';
import { durationText } from '../api/source-list.ts';

export const countries = new Intl.DisplayNames(['en'], { type: 'region' });
const countryOf = (port: Locode): string => countries.of(port.slice(0, 2)) ?? port.slice(0, 2);
export const nameOf = (port: Locode): string => findPort(port)?.name ?? port;

/** Every port that a real source covers, in order of code. */
export const coveredPorts = (sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS): Locode[] =>
  [...new Set(sources.flatMap(({ ports }) => ports))].toSorted();

/** `Brazil 26, Finland 32`, by name of the country. */
function byCountry(ports: readonly Locode[]): string[] {
  const counts = new Map<string, number>();
  for (const port of ports) counts.set(countryOf(port), (counts.get(countryOf(port)) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, count]) => `${name} ${count}`);
}

const isGone = ({ gone }: SourceDeclaration): boolean => gone !== undefined;

/** How many ports are covered, by what their sources rest on; those of offline sources apart. */
export function countsText(sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS): string {
  const live = sources.filter((source) => !isGone(source));
  const portsOf = (evidence: Evidence): Locode[] =>
    coveredPorts(live.filter(({ id }) => knownSource(id).evidence === evidence));
  const [recorded, read, expected] = [portsOf('recorded'), portsOf('read'), portsOf('expected')];
  const gone = coveredPorts(sources.filter(isGone));
  return [
    `${coveredPorts(live).length} ports: ${recorded.length} recorded (${byCountry(recorded).join(', ')}), ${read.length} read (${byCountry(read).join(', ')}), ${expected.length} expected in ${byCountry(expected).length} countries`,
    ...(gone.length === 0
      ? []
      : [
          `${gone.length} more (${byCountry(gone).join(', ')}) have an archive only, their publisher is offline`,
        ]),
  ].join('. ');
}

export const lacks = ({ coverage }: SourceDeclaration, endpoint: CoverageEndpoint): string | undefined =>
  coverage?.lacks?.[endpoint];

/** Whether the source provides data for the endpoint; without a real reply that is expected, not known. */
export function availability(source: SourceDeclaration, endpoint: CoverageEndpoint): string {
  if (lacks(source, endpoint) !== undefined) return 'no';
  if (isGone(source)) return 'archive';
  return knownSource(source.id).evidence === 'expected' ? 'expected' : 'yes';
}

/** What a port rests on before a deployment has observed it. */
function evidenceText({ id, gone }: SourceDeclaration, port: Locode): string {
  const { evidence, ports } = knownSource(id);
  const isOther = ports !== undefined && !ports.includes(port);
  return `${evidence}${isOther ? ', of other ports' : ''}${gone === undefined ? '' : `, offline since ${gone.since}`}`;
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** The grounds of one kind, as `coverage.json` lists them. */
const listed = (grounds: readonly KnownGround[], wanted: KnownGround['kind']): ListedGround[] =>
  grounds
    .filter(({ kind }) => kind === wanted)
    .map(({ name, source, address, asOf, nearestMiles, farthestMiles, outOfReach }) => ({
      name,
      source,
      ...(address === undefined ? {} : { address }),
      as_of: asOf,
      nearest_nm: tenths(nearestMiles),
      farthest_nm: tenths(farthestMiles),
      ...(outOfReach === undefined ? {} : { out_of_reach: outOfReach }),
    }));

/** Where a source of positions looks for the vessels of a port; nothing for other sources. */
function areasOf(
  source: SourceDeclaration,
  port: Locode,
): Pick<CoveredPort, 'box' | 'approaches' | 'anchorages' | 'pilot_grounds'> {
  const { boxes = [], approaches = [] } = source;
  const found = boxes.find(({ ports }) => ports.includes(port));
  if (found === undefined) return {};
  const { south, north, west, east } = found;
  const grounds = knownGrounds(port, boxes, approaches);
  return {
    box: { south, north, west, east },
    approaches: approaches
      .filter(({ ports }) => ports.includes(port))
      .map(({ ports: _, ...approach }) => approach),
    anchorages: listed(grounds, 'anchorage'),
    pilot_grounds: listed(grounds, 'pilots'),
  };
}

/** The ports of every source, in order of code. */
export const coverageList = (
  sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS,
): readonly CoveredPort[] =>
  sources
    .flatMap((source) =>
      source.ports.map((port) => ({
        port,
        name: nameOf(port),
        country: countryOf(port),
        source: source.id,
        evidence: evidenceText(source, port),
        freshness: source.coverage?.delay ?? `fetched every ${durationText(source.everyMinutes)}`,
        since: source.coverage?.since ?? 'first fetch',
        endpoints: Object.fromEntries(
          COVERAGE_ENDPOINTS.map((endpoint) => [endpoint, availability(source, endpoint)]),
        ) as CoveredPort['endpoints'],
        ...areasOf(source, port),
      })),
    )
    .toSorted((a, b) => (a.port < b.port ? -1 : 1));
