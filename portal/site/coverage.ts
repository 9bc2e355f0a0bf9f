/** The coverage page: the covered ports, and below their table the sources, the world's port calls, and what is not covered. */

import { GROUNDS_NOT_FOUND, type KnownGround, knownGrounds } from '../../core/positions/port-areas.ts';
import type { Locode } from '../../core/reference/codes.ts';
import { type Evidence, knownSource } from '../../core/reference/evidence.ts';
import { findPort } from '../../core/reference/ports.ts';
import { groupBy, round } from '../../core/reference/statistics.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import {
  COVERAGE_ENDPOINTS,
  type CoverageEndpoint,
  type SourceDeclaration,
  sourceMethod,
} from '../../core/upstream/source.ts';
import type { CoveredPort, ListedGround } from '../api/coverage.ts';
import { durationText } from '../api/source-list.ts';
import { markdownTable } from './markdown.ts';
import { worldShareSection } from './world.ts';

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
/** The name of the country whose code a text begins with, as that of a port does. */
const findCountry = (port: Locode): string => countries.of(port.slice(0, 2)) ?? port.slice(0, 2);
const portName = (port: Locode): string => findPort(port)?.name ?? port;

export const coveredPorts = (sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS): Locode[] =>
  [...new Set(sources.flatMap(({ ports }) => ports))].toSorted();

/** `Brazil 26, Finland 32`, by name of the country. */
const byCountry = (ports: readonly Locode[]): string[] =>
  [...groupBy(ports, findCountry)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { length }]) => `${name} ${length}`);

/** How many ports are covered, by what their sources rest on. */
export function countsText(sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS): string {
  const listPorts = (evidence: Evidence): Locode[] =>
    coveredPorts(sources.filter(({ id }) => knownSource(id).evidence === evidence));
  const [recorded, read, expected] = [listPorts('recorded'), listPorts('read'), listPorts('expected')];
  return `${coveredPorts(sources).length} ports: ${recorded.length} recorded (${byCountry(recorded).join(', ')}), ${read.length} read (${byCountry(read).join(', ')}), ${expected.length} expected in ${byCountry(expected).length} countries`;
}

const lacks = ({ coverage }: SourceDeclaration, endpoint: CoverageEndpoint): string | undefined =>
  coverage?.lacks?.[endpoint];

/** Whether the source provides data for the endpoint; without a real reply that is expected, not known. */
function availability(source: SourceDeclaration, endpoint: CoverageEndpoint): string {
  if (lacks(source, endpoint) !== undefined) return 'no';
  return knownSource(source.id).evidence === 'expected' ? 'expected' : 'yes';
}

/** What a port rests on before a deployment has observed it. */
function evidenceText({ id }: SourceDeclaration, port: Locode): string {
  const { evidence, ports } = knownSource(id);
  const isOther = ports !== undefined && !ports.includes(port);
  return `${evidence}${isOther ? ', of other ports' : ''}`;
}

const listed = (grounds: readonly KnownGround[], wanted: KnownGround['kind']): ListedGround[] =>
  grounds
    .filter(({ kind }) => kind === wanted)
    .map(({ name, source, address, asOf, nearestMiles, farthestMiles, outOfReach }) => ({
      name,
      source,
      ...(address && { address }),
      as_of: asOf,
      nearest_nm: round(nearestMiles, 1),
      farthest_nm: round(farthestMiles, 1),
      ...(outOfReach && { out_of_reach: outOfReach }),
    }));

function notFound(port: Locode): Partial<CoveredPort> {
  const { searched, ports, remarks } = GROUNDS_NOT_FOUND;
  if (!ports.includes(port)) return {};
  const remark = remarks[port];
  return { grounds_not_found: { searched, ...(remark && { remark }) } };
}

/** Where a source of positions looks for the vessels of a port; nothing for other sources. */
function areas({ boxes = [], approaches = [] }: SourceDeclaration, port: Locode): Partial<CoveredPort> {
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
    ...notFound(port),
  };
}

export const coverageList = (
  sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS,
): readonly CoveredPort[] =>
  sources
    .flatMap((source) =>
      source.ports.map((port) => ({
        port,
        name: portName(port),
        country: findCountry(port),
        source: source.id,
        evidence: evidenceText(source, port),
        freshness: source.coverage?.delay ?? `fetched every ${durationText(source.everyMinutes)}`,
        since: source.coverage?.since ?? 'first fetch',
        endpoints: Object.fromEntries(
          COVERAGE_ENDPOINTS.map((endpoint) => [endpoint, availability(source, endpoint)]),
        ) as CoveredPort['endpoints'],
        ...areas(source, port),
      })),
    )
    .toSorted((a, b) => (a.port < b.port ? -1 : 1));

const listText = (items: readonly string[]): string => items.map((text) => `- ${text}`).join('\n');

const ALERT_NEEDS = 'thresholds after two such days, change points after 30, unusual figures after 60';

/** The data that each endpoint of a port needs, by the method of its source. */
const NEEDS: Readonly<Record<ReturnType<typeof sourceMethod>, Readonly<Record<CoverageEndpoint, string>>>> = {
  polls: {
    snapshot: 'from the first poll',
    trend: 'from the first day with polls at most 4 h apart over 80 % of it',
    waits: 'from changes of place between two polls: accurate to half the time between them',
    alerts: ALERT_NEEDS,
  },
  records: {
    snapshot: 'from the first response of the source',
    trend: 'from the first day that the source covers',
    waits: 'from stated times of arrival and berthing',
    alerts: ALERT_NEEDS,
  },
  positions: {
    snapshot: 'from the first positions of the port',
    trend: 'from the first day with positions over 80 % of it',
    waits: 'from stops in the positions: [how well they are found](../../docs/ais-accuracy.md)',
    alerts: ALERT_NEEDS,
  },
};

/** How the areas of a source of positions are read; which they are is in the list for programs. */
function areasText({ boxes, approaches, ports }: SourceDeclaration): string[] {
  if (boxes === undefined) return [];
  const grounds = ports.map((port) => knownGrounds(port, boxes, approaches));
  const portsWith = (wanted: KnownGround['kind']): number =>
    grounds.filter((known) => known.some(({ kind }) => kind === wanted)).length;
  return [
    `Positions are read in ${boxes.length} boxes${approaches === undefined ? '' : ` and ${approaches.length} approaches`}, which coverage.json lists with the known anchorages and pilot grounds of each port. Public documents that were found place anchorages of ${portsWith('anchorage')} of the ports and pilot grounds of ${portsWith('pilots')}; of ${ports.filter((port) => GROUNDS_NOT_FOUND.ports.includes(port)).length} ports neither was found by ${GROUNDS_NOT_FOUND.searched}. A wait in a roadstead counts for the port of the berth that follows within 12 hours, and for the first port named until then; at a known anchorage for its port; elsewhere for a berth within 30 nautical miles and 6 hours. A berth counts for the nearest port, within 20 nautical miles. Where no public document places an anchorage, waits within 20 nautical miles of the port count.`,
  ];
}

function section(source: SourceDeclaration): string {
  const { id, kind, coverage, secret } = source;
  if (kind === 'trade') throw new Error(`${source.id} names ports but has trade values`);
  const rows = COVERAGE_ENDPOINTS.map((endpoint) => {
    const reason = lacks(source, endpoint);
    return [
      endpoint,
      availability(source, endpoint),
      reason ?? coverage?.notes?.[endpoint] ?? NEEDS[sourceMethod(source)][endpoint],
    ];
  });
  return [
    `### ${source.publisher}`,
    `${source.ports.length} ${source.ports.length === 1 ? 'port' : 'ports'}. \`${source.id}\`: ${source.name}. Fetched every ${durationText(source.everyMinutes)}, stale after ${durationText(source.freshnessBudgetMinutes)}. Data since: ${coverage?.since ?? 'first fetch'}.${secret === undefined ? '' : ` Needs a key of the publisher (\`${secret}\`).`}`,
    `Evidence: **${knownSource(id).evidence}**.`,
    ...(coverage?.unknown ? ['Unknown until a deployment has read it:', listText(coverage.unknown)] : []),
    markdownTable(['Endpoint', 'Available', 'When, or why not'], rows),
    ...areasText(source),
  ].join('\n\n');
}

/** The page as Markdown, without its title. Links are relative to `portal/pages`. */
export function coverageSections(sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS): string {
  const covering = sources.filter(({ ports }) => ports.length > 0);
  const covered = new Set(coveredPorts(sources));
  const sampleOnly = SAMPLE_DECLARATION.ports.filter((port) => !covered.has(port));
  const trade = sources.filter(({ kind }) => kind === 'trade');
  const missing = notCovered(covered);
  return [
    `${countsText(sources)}.`,
    `The evidence of a port follows [the rule](../../docs/methodology.md#evidence); an endpoint is \`expected\` where no real reply has shown its data yet, and \`archive\` where only the past is left. A port that a deployment reads is \`observed\` there. [Accuracy](../../docs/accuracy.md#how-far-a-figure-can-be-off) says how far the figures of each source can be off. \`GET /v1/ports\` lists the ports of a deployment with their newest observation.`,
    ...worldShareSection(sources),
    '## Sources',
    ...covering.map(section),
    '## Imports',
    `US imports by HS code: ${trade.map(({ publisher, id }) => `${publisher} (\`${id}\`)`).join(', ')}, monthly, the newest 36 months. No other country's imports are covered.`,
    '## What is not covered',
    listText([
      `Ports outside the table.${missing === undefined ? '' : ` In particular no port of ${missing}.`}`,
      'Single terminals and berths: every figure is of a whole port.',
      'Time at sea: slow steaming, and drifting outside the area that a source reports.',
      'Days on which a source did not respond. They have no row, and no estimate replaces them.',
      ...sampleOnly.map(
        (port) => `${portName(port)} (\`${port}\`) exists in the sample data only: no real source covers it.`,
      ),
    ]),
  ].join('\n\n');
}

/** Port countries that readers look for first. */
const ASKED_FOR = 'CN US SG KR JP NL BE DE AE MY ES GB IN AU CA CL MX SA'.split(' ');

/** The countries that readers ask for and no source covers, as a sentence part; undefined when there is none. */
function notCovered(covered: ReadonlySet<Locode>): string | undefined {
  const present = new Set([...covered].map((port) => port.slice(0, 2)));
  const missing = ASKED_FOR.filter((country) => !present.has(country)).map(findCountry);
  return missing.length === 0
    ? undefined
    : new Intl.ListFormat('en', { type: 'disjunction' }).format(missing.toSorted());
}
