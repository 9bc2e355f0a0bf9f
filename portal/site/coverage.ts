/** The coverage page: every covered port, its source, its freshness, the start of its data, and the endpoints with data. */

import { type Evidence, knownSource } from '../../core/reference/evidence.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { findPort } from '../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { knownAnchorages } from '../../core/sources/positions/known-anchorages.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import {
  COVERAGE_ENDPOINTS,
  type CoverageEndpoint,
  methodOf,
  type SourceDeclaration,
} from '../../core/sources/source.ts';
import { durationText } from '../api/source-list.ts';
import { anchorOf, markdownTable } from './markdown.ts';
import { worldShareSection } from './world-share.ts';

/** A port of a source, as `coverage.json` lists it. */
export interface CoveredPort {
  readonly port: Locode;
  readonly name: string;
  readonly country: string;
  readonly source: string;
  /** What its data rest on before a deployment has observed it. */
  readonly evidence: string;
  readonly freshness: string;
  /** When its data begin. */
  readonly since: string;
  readonly endpoints: Readonly<Record<CoverageEndpoint, string>>;
  /** Of ports read by positions: anchorages that a public document places. Empty where none was found. */
  readonly anchorages?: readonly ListedAnchorage[];
}

interface ListedAnchorage {
  readonly name: string;
  readonly source: string;
  /** UTC day of the document's text, or of the last check against it. */
  readonly as_of: string;
  /** Nautical miles from the port's point to its nearest and farthest corner. */
  readonly nearest_nm: number;
  readonly farthest_nm: number;
}

/** Where the list is served. */
export const COVERAGE_LIST = '/docs/coverage.json';

/** The data that each endpoint of a port needs, by the method of its source. */
const NEEDS: Readonly<Record<ReturnType<typeof methodOf>, Readonly<Record<CoverageEndpoint, string>>>> = {
  polls: {
    snapshot: 'from the first poll',
    trend: 'from the first day with polls at most 4 h apart over 80 % of it',
    waits: 'from changes of place between two polls: accurate to half the time between them',
    alerts: 'thresholds after two such days, change points after 30, unusual figures after 60',
  },
  records: {
    snapshot: 'from the first response of the source',
    trend: 'from the first day that the source covers',
    waits: 'from stated times of arrival and berthing',
    alerts: 'thresholds after two such days, change points after 30, unusual figures after 60',
  },
  positions: {
    snapshot: 'from the first positions of the port',
    trend: 'from the first day with positions over 80 % of it',
    waits: 'from stops in the positions: [how well they are found](../../docs/ais-accuracy.md)',
    alerts: 'thresholds after two such days, change points after 30, unusual figures after 60',
  },
};

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
const countryOf = (port: Locode): string => countries.of(port.slice(0, 2)) ?? port.slice(0, 2);
const nameOf = (port: Locode): string => findPort(port)?.name ?? port;
const headingOf = ({ publisher }: SourceDeclaration): string => publisher;

const withPorts = (sources: readonly SourceDeclaration[]): SourceDeclaration[] =>
  sources.filter(({ ports }) => ports.length > 0);

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

const lacks = ({ coverage }: SourceDeclaration, endpoint: CoverageEndpoint): string | undefined =>
  coverage?.lacks?.[endpoint];

/** Whether the source provides data for the endpoint; without a real reply that is expected, not known. */
function availability(source: SourceDeclaration, endpoint: CoverageEndpoint): string {
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

const anchoragesOf = (
  { boxes, approaches }: SourceDeclaration,
  port: Locode,
): ListedAnchorage[] | undefined =>
  boxes === undefined
    ? undefined
    : knownAnchorages(port, boxes, approaches).map(({ name, source, asOf, nearestMiles, farthestMiles }) => ({
        name,
        source,
        as_of: asOf,
        nearest_nm: tenths(nearestMiles),
        farthest_nm: tenths(farthestMiles),
      }));

function withAnchorages(source: SourceDeclaration, port: Locode): Pick<CoveredPort, 'anchorages'> {
  const anchorages = anchoragesOf(source, port);
  return anchorages === undefined ? {} : { anchorages };
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
        ...withAnchorages(source, port),
      })),
    )
    .toSorted((a, b) => (a.port < b.port ? -1 : 1));

function portTable(sources: readonly SourceDeclaration[]): string {
  const anchors = new Map(sources.map((source) => [source.id, anchorOf(headingOf(source))]));
  return markdownTable(
    ['Port', 'Code', 'Source', 'Evidence', 'How fresh', 'Since', ...COVERAGE_ENDPOINTS],
    coverageList(sources).map(({ port, name, country, source, evidence, freshness, since, endpoints }) => [
      `${name}, ${country}`,
      `\`${port}\``,
      `[${source}](#${anchors.get(source)})`,
      evidence,
      freshness,
      since,
      ...COVERAGE_ENDPOINTS.map((endpoint) => endpoints[endpoint]),
    ]),
  );
}

const unknownText = ({ coverage }: SourceDeclaration): string[] =>
  coverage?.unknown
    ? [
        'Unknown until a deployment has read it:',
        coverage.unknown.map((sentence) => `- ${sentence}`).join('\n'),
      ]
    : [];

/** The boxes in which a source of positions is read, in degrees. */
function boxTable({ boxes }: SourceDeclaration): string[] {
  if (boxes === undefined) return [];
  const rows = boxes.map(({ ports, south, north, west, east }) => [
    ports.map((port) => `${nameOf(port)} (\`${port}\`)`).join(', '),
    `${south} to ${north}`,
    `${west} to ${east}`,
  ]);
  return [
    'Positions are read in these boxes; ports that lie close together share one.',
    markdownTable(['Ports', 'Latitude, degrees', 'Longitude, degrees'], rows),
  ];
}

/** Where vessels of the ports lie outside of their boxes. */
function approachTable({ approaches }: SourceDeclaration): string[] {
  if (approaches === undefined) return [];
  const rows = approaches.map(({ name, kind, ports, south, north, west, east, reason, source }) => [
    `${name} (${kind})`,
    ports.map((port) => `\`${port}\``).join(', '),
    `${south} to ${north}`,
    `${west} to ${east}`,
    `${reason} ${source}.`,
  ]);
  return [
    'And in these approaches. A wait in a roadstead counts for the port of the berth that follows within 12 hours, and for the first port named until then; elsewhere for a berth within 30 nautical miles and 6 hours. A berth counts for the nearest port, within 20 nautical miles.',
    markdownTable(
      ['Approach', 'Ports', 'Latitude, degrees', 'Longitude, degrees', 'Why, and where it is described'],
      rows,
    ),
  ];
}

/** How far from each port's point its known anchorages lie, and the ports of which none was found. */
function anchorageTable(source: SourceDeclaration): string[] {
  if (source.boxes === undefined) return [];
  const found = source.ports.map((port) => ({ port, anchorages: anchoragesOf(source, port) ?? [] }));
  const rows = found.flatMap(({ port, anchorages }) =>
    anchorages.map((one) => [
      `${nameOf(port)} (\`${port}\`)`,
      one.name,
      `${one.nearest_nm} to ${one.farthest_nm}`,
      `${one.source}, ${one.as_of}`,
    ]),
  );
  const missing = found.filter(({ anchorages }) => anchorages.length === 0).map(({ port }) => `\`${port}\``);
  return [
    ...(rows.length === 0
      ? []
      : [
          "Anchorages that a public document places, by distance of their corners from the port's point. A wait at any of them counts for the port.",
          markdownTable(['Port', 'Anchorage', 'Nautical miles', 'Described in, as of'], rows),
        ]),
    ...(missing.length === 0
      ? []
      : [
          `No public document with coordinates of the anchorage or the pilot ground was found for ${missing.join(', ')}: waits within 20 nautical miles of these ports count.`,
        ]),
  ];
}

function section(source: SourceDeclaration): string {
  const { id, kind, coverage, gone, secret } = source;
  if (kind === 'trade') throw new Error(`${source.id} names ports but has trade values`);
  const rows = COVERAGE_ENDPOINTS.map((endpoint) => {
    const reason = lacks(source, endpoint);
    return [
      endpoint,
      availability(source, endpoint),
      reason ?? coverage?.notes?.[endpoint] ?? NEEDS[methodOf(source)][endpoint],
    ];
  });
  return [
    `### ${headingOf(source)}`,
    `${source.ports.length} ${source.ports.length === 1 ? 'port' : 'ports'}. \`${source.id}\`: ${source.name}. Fetched every ${durationText(source.everyMinutes)}, stale after ${durationText(source.freshnessBudgetMinutes)}. Data since: ${coverage?.since ?? 'first fetch'}.${secret === undefined ? '' : ` Needs a key of the publisher (\`${secret}\`).`}`,
    `Evidence: **${knownSource(id).evidence}**.${gone === undefined ? '' : ` **Offline since ${gone.since}**: ${gone.notice}. It is not fetched; its archive stays readable.`}`,
    ...unknownText(source),
    markdownTable(['Endpoint', 'Available', 'When, or why not'], rows),
    ...boxTable(source),
    ...approachTable(source),
    ...anchorageTable(source),
  ].join('\n\n');
}

/** The page as Markdown, without its title. Links are relative to `portal/pages`. */
export function coverageSections(sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS): string {
  const covering = withPorts(sources);
  const covered = new Set(coveredPorts(sources));
  const sampleOnly = SAMPLE_DECLARATION.ports.filter((port) => !covered.has(port));
  const trade = sources.filter(({ kind }) => kind === 'trade');
  const missing = notCovered(covered);
  return [
    `${countsText(sources)}. Every port, its source, what that rests on ([the rule](../../docs/methodology.md#evidence)), how fresh its data are, when they begin, and which endpoints have data: \`expected\` where no real reply has shown it yet, \`archive\` where only the past is left. A port that a deployment reads is \`observed\` there. [Accuracy](../../docs/accuracy.md#how-far-a-figure-can-be-off) says how far the figures of each source can be off. \`GET /v1/ports\` lists the ports of a deployment with their newest observation.`,
    '## Ports',
    portTable(covering),
    ...worldShareSection(sources),
    '## Sources',
    ...covering.map(section),
    '## Imports',
    `US imports by HS code: ${trade.map(({ publisher, id }) => `${publisher} (\`${id}\`)`).join(', ')}, monthly, the newest 36 months. No other country's imports are covered.`,
    '## What is not covered',
    [
      `- Ports outside the table.${missing === undefined ? '' : ` In particular no port of ${missing}.`}`,
      '- Single terminals and berths: every figure is of a whole port.',
      '- Forecasts. Every figure describes what a source has reported.',
      '- Time at sea: slow steaming, and drifting outside the area that a source reports.',
      '- Days on which a source did not respond. They have no row, and no estimate replaces them.',
      ...sampleOnly.map(
        (port) => `- ${nameOf(port)} (\`${port}\`) exists in the sample data only: no real source covers it.`,
      ),
    ].join('\n'),
  ].join('\n\n');
}

/** Port countries that readers look for first. */
const ASKED_FOR = [
  'CN',
  'US',
  'SG',
  'KR',
  'JP',
  'NL',
  'BE',
  'DE',
  'AE',
  'MY',
  'ES',
  'GB',
  'IN',
  'AU',
  'CA',
  'CL',
  'MX',
  'SA',
];

/** The countries that readers ask for and no source covers, as a sentence part; undefined when there is none. */
function notCovered(covered: ReadonlySet<Locode>): string | undefined {
  const present = new Set([...covered].map((port) => port.slice(0, 2)));
  const missing = ASKED_FOR.filter((country) => !present.has(country)).map(
    (country) => countries.of(country) ?? country,
  );
  return missing.length === 0
    ? undefined
    : new Intl.ListFormat('en', { type: 'disjunction' }).format(missing.toSorted());
}
