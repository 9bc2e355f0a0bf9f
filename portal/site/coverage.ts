/** The coverage page below its table of ports: the sources, the world's port calls, and what is not covered. */

import { knownSource } from '../../core/reference/evidence.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { type KnownGround, knownGrounds } from '../../core/sources/positions/known-grounds.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import {
  COVERAGE_ENDPOINTS,
  type CoverageEndpoint,
  methodOf,
  type SourceDeclaration,
} from '../../core/sources/source.ts';
import { durationText } from '../api/source-list.ts';
import { availability, countries, countsText, coveredPorts, lacks, nameOf } from './coverage-list.ts';
import { markdownTable } from './markdown.ts';
import { worldShareSection } from './world-share.ts';

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

const unknownText = ({ coverage }: SourceDeclaration): string[] =>
  coverage?.unknown
    ? [
        'Unknown until a deployment has read it:',
        coverage.unknown.map((sentence) => `- ${sentence}`).join('\n'),
      ]
    : [];

/** How the areas of a source of positions are read; which they are is in the list for programs. */
function areasText({ boxes, approaches, ports }: SourceDeclaration): string[] {
  if (boxes === undefined) return [];
  const grounds = ports.map((port) => knownGrounds(port, boxes, approaches));
  const portsWith = (wanted: KnownGround['kind']): number =>
    grounds.filter((known) => known.some(({ kind }) => kind === wanted)).length;
  return [
    `Positions are read in ${boxes.length} boxes${approaches === undefined ? '' : ` and ${approaches.length} approaches`}, which coverage.json lists with the known anchorages and pilot grounds of each port. Public documents that were found place anchorages of ${portsWith('anchorage')} of the ports and pilot grounds of ${portsWith('pilots')}. A wait in a roadstead counts for the port of the berth that follows within 12 hours, and for the first port named until then; at a known anchorage for its port; elsewhere for a berth within 30 nautical miles and 6 hours. A berth counts for the nearest port, within 20 nautical miles. Where no public document places an anchorage, waits within 20 nautical miles of the port count.`,
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
    `### ${source.publisher}`,
    `${source.ports.length} ${source.ports.length === 1 ? 'port' : 'ports'}. \`${source.id}\`: ${source.name}. Fetched every ${durationText(source.everyMinutes)}, stale after ${durationText(source.freshnessBudgetMinutes)}. Data since: ${coverage?.since ?? 'first fetch'}.${secret === undefined ? '' : ` Needs a key of the publisher (\`${secret}\`).`}`,
    `Evidence: **${knownSource(id).evidence}**.${gone === undefined ? '' : ` **Offline since ${gone.since}**: ${gone.notice}. It is not fetched; its archive stays readable.`}`,
    ...unknownText(source),
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
    `What a port rests on follows [the rule](../../docs/methodology.md#evidence); an endpoint is \`expected\` where no real reply has shown its data yet, and \`archive\` where only the past is left. A port that a deployment reads is \`observed\` there. [Accuracy](../../docs/accuracy.md#how-far-a-figure-can-be-off) says how far the figures of each source can be off. \`GET /v1/ports\` lists the ports of a deployment with their newest observation.`,
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
