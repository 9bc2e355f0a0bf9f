/** The try-it page: every operation as a link, before the console that sends requests is loaded. */
import type { OpenApiDocument } from '../../core/contracts/openapi.ts';
import { escapeHtml } from './layout.ts';

const INTRODUCTION =
  'Choose an operation: the console opens on it and sends requests from this page to the API that serves it. Press <b>Authorize</b> there to enter your key; it stays in the memory of this page. The description itself is <a href="/openapi.json">openapi.json</a>.';

/** An operation as the console names it in the address: `Ports-snapshot`. */
interface ListedOperation {
  readonly tag: string;
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
}

const listOperations = ({ paths }: Pick<OpenApiDocument, 'paths'>): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const { tags, operationId, summary } = get;
    return tags.map((tag) => ({ tag, operationId, path, summary }));
  });

const toItem = ({ tag, operationId, path, summary }: ListedOperation): string =>
  `<li><a id="${tag}-${operationId}" href="#${tag}-${operationId}"><b>GET</b> <code>${escapeHtml(path).replace(/\/(?=[^/])/g, '/<wbr>')}</code><span>${escapeHtml(summary)}</span></a></li>`;

/** A group of operations for each tag, in the order of the document. */
export function tryItBody(document: Pick<OpenApiDocument, 'paths'>): string {
  const operations = listOperations(document);
  const groups = [...new Set(operations.map(({ tag }) => tag))].map((tag) => {
    const items = operations.filter((operation) => operation.tag === tag).map(toItem);
    return `<h3>${escapeHtml(tag)}</h3><ul>${items.join('')}</ul>`;
  });
  // The console has a main part of its own, with headings of the third level, and takes the place of this one.
  return `<div id="content" class="try-it" tabindex="-1"><section aria-labelledby="try-it"><h1 id="try-it">Try it</h1><p class="try-it-note">${INTRODUCTION}</p><h2 class="visually-hidden">Operations</h2><noscript><p class="notice">The console needs JavaScript.</p></noscript></section><div id="console"><main class="operations">${groups.join('')}</main></div></div>`;
}
