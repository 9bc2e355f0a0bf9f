/** A panel of a view: a heading, and a body that shows the response of one request, that it loads, or what is wrong. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ErrorResponse, Responses } from '../api/responses.ts';
import { emptyNotice, failureNotice, loadingNotice } from './notice.ts';

export interface Panel {
  readonly title: string;
  /** The heading is one of the second level, not of the third. */
  readonly isTop?: boolean;
  /** Name of the content, as in "Loading trend". */
  readonly what: string;
  readonly path: string;
  /** What the panel is about, for example a port: its data stay until those of another request about it are there. */
  readonly about: string;
  readonly controls?: TemplateResult;
  /** A sentence for an error that only means that there is nothing to show; undefined for every other. */
  readonly absence?: (response: ErrorResponse) => string | undefined;
  /** What is drawn of the body of the response; a sentence where that is nothing. */
  readonly draw: (body: unknown) => TemplateResult | string;
}

/** `text` with places where a line may break: after the slashes and separators of an address. */
const breakable = (text: string): unknown[] =>
  text.split(/(?<=[/?&=,](?!\/))/).map((part, i) => (i === 0 ? part : html`<wbr>${part}`));

function content(responses: Responses, { what, path, about, absence, draw }: Panel): TemplateResult {
  const outcome = responses.readInto(`${what} ${about}`, path);
  if (outcome === undefined) return loadingNotice(what);
  if (outcome.kind !== 'data') {
    const absent = outcome.kind === 'error' ? absence?.(outcome) : undefined;
    return absent === undefined ? failureNotice(outcome, () => responses.retry(path)) : emptyNotice(absent);
  }
  const drawn = draw(outcome.body);
  return typeof drawn === 'string' ? emptyNotice(drawn) : drawn;
}

export function panel(responses: Responses, given: Panel): TemplateResult {
  const { title, isTop = false, path, controls = nothing } = given;
  const id = `panel-${title.toLowerCase().replaceAll(' ', '-')}`;
  const body = content(responses, given);
  return html`<section class="panel" aria-labelledby=${id} aria-busy=${responses.read(path) ? nothing : 'true'}>
    <header class="panel-head">
      ${isTop ? html`<h2 id=${id}>${title}</h2>` : html`<h3 id=${id}>${title}</h3>`}${controls}
    </header>
    <div class="panel-body">${body}</div>
    <footer class="panel-foot"><code class="request">${breakable(`GET ${path}`)}</code></footer>
  </section>`;
}
