/** A port that is chosen on the coverage page: what it rests on, how old its data are, and which endpoints have data of it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { CoveredPort } from '../api/coverage.ts';
import { durationText, type ListedSource, minutesSince } from '../api/source-list.ts';
import { momentText } from '../view/text.ts';

export interface CoverageNow {
  readonly sources: readonly ListedSource[];
  /** The service's clock, epoch milliseconds. */
  readonly now: number;
  /** The service replays recorded replies, which have no age. */
  readonly isRecorded: boolean;
}

/** What this service has of the port: `served` is undefined where it does not serve it, or cannot be asked. */
export function ageText(
  served: Pick<PortRecord, 'as_of' | 'evidence'> | undefined,
  { now, isRecorded }: Omit<CoverageNow, 'sources'>,
): string {
  if (served === undefined) return 'not known here: this service does not serve the port, or needs a key';
  const { as_of, evidence } = served;
  if (as_of === null) return 'this service has observed nothing yet';
  if (isRecorded) return `recorded, as of ${momentText(as_of)}`;
  const age = `newest observation ${durationText(minutesSince(as_of, now))} ago`;
  return evidence === 'simulated' ? `made-up sample data, ${age}` : age;
}

const PLACED = 'that a public document places';

/** Where vessels are looked for, of ports that are read by positions. */
export function areaText({
  box,
  approaches = [],
  anchorages = [],
  pilot_grounds = [],
  grounds_not_found: none,
}: CoveredPort): string | undefined {
  if (box === undefined) return undefined;
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(', ');
  const known = names(anchorages) && `anchorages: ${names(anchorages)}`;
  const pilots = names(pilot_grounds) && `pilots board at: ${names(pilot_grounds)}`;
  const searched = none && ` (searched ${none.searched}${none.remark ? `: ${none.remark}` : ''})`;
  const also = names(approaches) && ` and ${names(approaches)}`;
  return `${box.south}° to ${box.north}° north, ${box.west}° to ${box.east}° east${also}; ${known || `no anchorage ${PLACED}`}; ${pilots || `no pilot ground ${PLACED}`}${searched ?? ''}`;
}

const fact = (term: string, content: unknown): TemplateResult =>
  html`<div><dt>${term}</dt><dd>${content}</dd></div>`;

function sourceFacts(entry: CoveredPort, sources: readonly ListedSource[]): TemplateResult {
  const source = sources.find(({ id }) => id === entry.source);
  const name = source === undefined ? entry.source : `${source.publisher}: ${source.name}`;
  const linked =
    source?.homepage === undefined ? name : html`<a href=${source.homepage} rel="noopener">${name}</a>`;
  const area = areaText(entry);
  const endpoints = Object.entries(entry.endpoints).map(([name, available]) => `${name}: ${available}`);
  return html`<dl>
    ${fact('Source', html`${linked} <code>${entry.source}</code>`)}
    ${fact('Evidence', entry.evidence)}
    ${fact('How fresh', entry.freshness)}
    ${fact('Data since', entry.since)}
    ${fact('Endpoints', endpoints.join(', '))}
    ${area === undefined ? nothing : fact('Read in', area)}
  </dl>`;
}

/** `entries`: the port once for each of its sources, not empty. Calls `close` with the button. */
export function coveragePort(
  entries: readonly CoveredPort[],
  served: PortRecord | undefined,
  about: CoverageNow,
  close: () => void,
): TemplateResult {
  const [{ port = '', name = '', country = '' } = {}] = entries;
  return html`<section class="coverage-port" aria-labelledby="coverage-port">
    <header>
      <h2 id="coverage-port" tabindex="-1">${name}, ${country} <code>${port}</code></h2>
      <button type="button" class="button" @click=${close}>Close</button>
    </header>
    <dl>${fact('Age', ageText(served, about))}</dl>
    ${entries.map((entry) => sourceFacts(entry, about.sources))}
    ${served ? html`<p><a href="/?port=${port}">${name} in the explorer</a></p>` : nothing}
  </section>`;
}
