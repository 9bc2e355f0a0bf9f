/** The coverage page: every covered port, its source, its freshness, the start of its data, and the endpoints with data. */
import { type Evidence, knownSource } from '../core/reference/evidence.ts';
import type { Locode } from '../core/reference/locode.ts';
import { findPort } from '../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import {
  COVERAGE_ENDPOINTS,
  type CoverageEndpoint,
  methodOf,
  type SourceDeclaration,
} from '../core/sources/source.ts';
import { durationText } from '../portal/api/source-list.ts';
import { anchorOf, markdownTable } from './markdown.ts';
import { worldShareSection } from './world-share.ts';

/** Coverage of one port by the recordings. */
export interface ObservedPort {
  /** Times of the first and the last recorded reply about it. */
  readonly from: string;
  readonly to: string;
  readonly replies: number;
  readonly calls: number;
  /** Calls that were at an anchorage. */
  readonly anchored: number;
}

/** By source id, then by UN/LOCODE. */
export type Observed = Readonly<Record<string, Readonly<Record<Locode, ObservedPort>>>>;

/** The data that each endpoint of a port needs, by the method of its source. */
const NEEDS: Readonly<Record<ReturnType<typeof methodOf>, Readonly<Record<CoverageEndpoint, string>>>> = {
  polls: {
    snapshot: 'from the first poll',
    trend: 'from the first day with polls at most 4 h apart over 80 % of it',
    waits: 'from changes of place between two polls: accurate to half the time between them',
    alerts: 'thresholds after two such days, change points after 30',
  },
  records: {
    snapshot: 'from the first response of the source',
    trend: 'from the first day that the source covers',
    waits: 'from stated times of arrival and berthing',
    alerts: 'thresholds after two such days, change points after 30',
  },
  positions: {
    snapshot: 'from the first positions of the port',
    trend: 'from the first day with positions over 80 % of it',
    waits: 'from stops in the positions: [how well they are found](ais-accuracy.md)',
    alerts: 'thresholds after two such days, change points after 30',
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

function portRows(source: SourceDeclaration): string[][] {
  const { everyMinutes, coverage } = source;
  const heading = headingOf(source);
  return source.ports.map((port) => [
    `${nameOf(port)}, ${countryOf(port)}`,
    `\`${port}\``,
    `[${source.id}](#${anchorOf(heading)})`,
    evidenceText(source, port),
    coverage?.delay ?? `fetched every ${durationText(everyMinutes)}`,
    coverage?.since ?? 'first fetch',
    ...COVERAGE_ENDPOINTS.map((endpoint) => availability(source, endpoint)),
  ]);
}

function observedText(source: SourceDeclaration, observed: Observed): string {
  const ports = Object.entries(observed[source.id] ?? {});
  if (ports.length === 0) return 'The repository has no recorded response of this source.';
  const list = ports.map(
    ([port, { from, to, replies, calls, anchored }]) =>
      `${nameOf(port)} (\`${port}\`) ${from.slice(0, 10)} to ${to.slice(0, 10)}: ${replies} ${replies === 1 ? 'response' : 'responses'}, ${calls} ${calls === 1 ? 'call' : 'calls'}, ${anchored} at an anchorage`,
  );
  return `In the recordings of the repository: ${list.join('; ')}.`;
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

function section(source: SourceDeclaration, observed: Observed): string {
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
    observedText(source, observed),
    ...boxTable(source),
    ...approachTable(source),
  ].join('\n\n');
}

/** The whole page as Markdown. */
export function coveragePage(
  observed: Observed,
  sources: readonly SourceDeclaration[] = SOURCE_DECLARATIONS,
): string {
  const covering = withPorts(sources);
  const covered = new Set(coveredPorts(sources));
  const sampleOnly = SAMPLE_DECLARATION.ports.filter((port) => !covered.has(port));
  const trade = sources.filter(({ kind }) => kind === 'trade');
  const missing = notCovered(covered);
  return `${[
    '# Coverage',
    `<!-- Written by \`npm run coverage\`; do not edit. -->\n${countsText(sources)}. Every port, its source, what that rests on ([the rule](methodology.md#evidence)), how fresh its data are, when they begin, and which endpoints have data: \`expected\` where no real reply has shown it yet, \`archive\` where only the past is left. A port that a deployment reads is \`observed\` there. [Accuracy](accuracy.md#how-far-a-figure-can-be-off) says how far the figures of each source can be off. A deployed stage lists its own ports with their newest observation under \`GET /v1/ports\`.`,
    '## Ports',
    markdownTable(
      ['Port', 'Code', 'Source', 'Evidence', 'How fresh', 'Since', ...COVERAGE_ENDPOINTS],
      covering.flatMap(portRows).toSorted(([, a = ''], [, b = '']) => (a < b ? -1 : 1)),
    ),
    ...worldShareSection(sources),
    '## Sources',
    ...covering.map((source) => section(source, observed)),
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
  ].join('\n\n')}\n`;
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
