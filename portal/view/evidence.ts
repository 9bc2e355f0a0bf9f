/** What the data of a port rest on, as a badge and in words. */
import { html, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { ListedSource } from '../api/source-list.ts';

type Evidence = PortRecord['evidence'];

export const EVIDENCE_TEXT: Readonly<Record<Evidence, string>> = {
  observed: 'This deployment has fetched these data, and they are not stale.',
  recorded: 'Real replies in the repository pass its tests; these data are not current.',
  read: 'Tests have read real replies that are kept elsewhere; these data are not current.',
  expected: 'Published formats only: no real reply has been read yet.',
  simulated: 'Made-up sample data.',
};

export const evidenceBadge = (evidence: Evidence): TemplateResult =>
  html`<span class="tag tag-${evidence === 'observed' ? 'fresh' : 'plain'}" title=${EVIDENCE_TEXT[evidence]}>${evidence}</span>`;

/** Says which of the sources `behind` are offline; empty when none is. */
export const offlineText = (sources: readonly ListedSource[], behind: readonly string[]): string =>
  sources
    .filter(({ id, gone }) => gone !== undefined && behind.includes(id))
    .map(({ id, gone }) => ` ${id} is offline since ${gone?.since}: ${gone?.notice}.`)
    .join('');
