/** What the data of a port rest on, as a badge and in words. */
import { html, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';

type Known = Pick<PortRecord, 'evidence' | 'as_of'>;

interface Words {
  /** As pages say it; the API has values of its own. */
  readonly word: 'live' | 'real, replayed' | 'real, recorded' | 'given' | 'simulated' | 'can be read';
  readonly text: string;
}

/** A port without figures has no data that could be real or recorded. */
export function evidenceWords({ evidence, as_of }: Known): Words {
  if (evidence === 'simulated') return { word: 'simulated', text: 'Made-up sample data.' };
  if (evidence === 'observed')
    return { word: 'live', text: 'This deployment has fetched these data, and they are not stale.' };
  if (evidence === 'given')
    return { word: 'given', text: 'From a table of calls that somebody gave to this service.' };
  if (as_of !== null && evidence === 'read')
    return { word: 'real, replayed', text: 'Real data of the source, replayed; these are not current.' };
  if (as_of !== null)
    return { word: 'real, recorded', text: 'Real replies of the source; these data are not current.' };
  return {
    word: 'can be read',
    text:
      evidence === 'expected'
        ? 'A deployment can read the port by the published format; no real reply has been read yet.'
        : 'A deployment can read the port; no figure of it is held here.',
  };
}

export function evidenceBadge(port: Known): TemplateResult {
  const { word, text } = evidenceWords(port);
  return html`<span class="tag tag-${word === 'live' ? 'fresh' : 'plain'}" title=${text}>${word}</span>`;
}
