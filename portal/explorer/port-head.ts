/** The head of a port: its name and place, its state in a sentence, and where the figures come from. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { SourceRecord } from '../../core/contracts/sources.ts';
import { requestPath } from '../api/responses.ts';
import { durationText, type ListedSource, minutesSince, sourcesBehind } from '../api/source-list.ts';
import { evidenceBadge, evidenceWords } from '../view/evidence.ts';
import { countryText, finalLine, placeText } from '../view/text.ts';
import type { Explorer } from './explorer.ts';

// The sources behind a port: those that the build lists, and each table of calls as the service states it.

/** Their terms are those of each table, so the build does not list them. */
const CALL_TABLES = 'call-tables';
const SOURCES = requestPath('sources');

/** The tables of a port, as sources. */
export const tableSources = (records: readonly SourceRecord[], port: string): ListedSource[] =>
  records
    .flatMap(({ tables = [] }) => tables)
    .filter(({ ports }) => ports.includes(port))
    .map(({ name, publisher, licence, attribution, calls }) => ({
      id: CALL_TABLES,
      name: `table of calls ${name}`,
      publisher: publisher ?? name,
      trade: false,
      licence: licence ?? 'not stated',
      attribution:
        attribution ?? `Publisher: ${publisher ?? 'not stated'}, licence: ${licence ?? 'not stated'}`,
      everyMinutes: 0,
      freshnessBudgetMinutes: 0,
      passesOnCalls: calls,
      simulated: false,
    }));

export function portSources(
  { responses }: Explorer,
  listed: readonly ListedSource[],
  { port, sources }: Pick<PortRecord, 'port' | 'sources'>,
): ListedSource[] {
  const declared = sourcesBehind(listed, sources);
  if (!sources.includes(CALL_TABLES)) return declared;
  const outcome = responses.read(SOURCES);
  const records = outcome?.kind === 'data' ? (outcome.body as readonly SourceRecord[]) : [];
  return [...declared, ...tableSources(records, port)];
}

/** How exact a time of a stay is, by the method that the port's figures are made by; undefined before there are figures. */
export function errorText(
  method: PortRecord['method'],
  sources: readonly Pick<ListedSource, 'everyMinutes'>[],
): string | undefined {
  if (method === 'records') return 'times as stated, to 0.05 h';
  if (method === 'positions') return 'stays found from positions';
  if (method !== 'polls' || sources.length === 0) return undefined;
  const everyMinutes = Math.max(...sources.map((source) => source.everyMinutes));
  return `each end of a stay to ${durationText(everyMinutes / 2)}`;
}

const ERROR_PAGES = { records: 'accuracy', polls: 'accuracy', positions: 'ais-accuracy' } as const;

const sourceLink = ({ name, homepage }: ListedSource): unknown =>
  homepage === undefined ? name : html`<a href=${homepage} rel="noopener">${name}</a>`;

const separated = (parts: readonly unknown[], separator: string): unknown[] =>
  parts.flatMap((part, i) => (i === 0 ? [part] : [separator, part]));

/** What the explorer knows of its service beside the ports. */
export interface About {
  readonly sources: readonly ListedSource[];
  /** Epoch milliseconds by the service's clock, which decides what is stale. */
  readonly now: () => number;
}

/** Where the figures come from, in one line: source, evidence, age and error. Recorded figures have no age. */
function origin(
  explorer: Explorer,
  { now }: About,
  port: PortRecord,
  sources: readonly ListedSource[],
): unknown[] {
  const { method, as_of } = port;
  const error = errorText(method, sources);
  const parts = [
    sources.length === 0 ? port.sources.join(', ') : separated(sources.map(sourceLink), ', '),
    html`${evidenceBadge(port)} ${evidenceWords(port).text}`,
  ];
  if (as_of !== null && !explorer.isRecorded)
    parts.push(`newest observation ${durationText(minutesSince(as_of, now()))} ago`);
  if (error !== undefined && method !== null)
    parts.push(html`<a href="/docs/${ERROR_PAGES[method]}.html">${error}</a>`);
  return separated(parts, ' · ');
}

/** After how many days its waits are final, with a link to the table; nothing before a release knows enough days. */
function finality({ days }: Explorer, port: string): unknown {
  const record = days.record();
  const line = record && finalLine(record, port);
  if (line === undefined) return nothing;
  return html`<p class="place">${line} <a href="/docs/record.html?port=${port}#revisions">How figures change</a></p>`;
}

/** `sentence`: the state of the port; undefined until its figures are there. */
export function portHead(
  explorer: Explorer,
  about: About,
  port: PortRecord,
  sentence: string | TemplateResult | undefined,
): TemplateResult {
  const waiting =
    port.as_of === null ? 'Nothing has been observed of this port yet.' : 'Reading the figures …';
  const sources = portSources(explorer, about.sources, port);
  return html`<header class="view-head"><div>
    <h2 id="port-title" tabindex="-1">${port.name} <code>${port.port}</code>${port.stopped_since === null ? nothing : html` <span class="tag tag-stopped">stopped</span>`}</h2>
    <p class="place">${countryText(port.country)} · ${placeText(port)}</p>
    <p class="port-sentence">${sentence ?? waiting}</p>
    <p class="place origin">Source: ${origin(explorer, about, port, sources)}</p>
    ${finality(explorer, port.port)}
    <p class="place">${sources.map(({ attribution }) => attribution).join(' · ')}</p>
  </div></header>`;
}
