/** The try-it page: every operation as a link, before the console that sends requests is loaded. */
import type { OpenApiDocument } from '../../core/contracts/openapi/document.ts';
import { groupBy } from '../../core/reference/statistics.ts';
import { escapeHtml } from './layout.ts';

const INTRODUCTION =
  'Choose an operation: the console opens on it and sends requests from this page to the API that serves it. Press <b>Authorize</b> there to enter your key; it stays in the memory of this page. The description itself is <a href="/openapi.json">openapi.json</a>.';

/** A group of operations for each tag, in the order of the document; each named as in the address of the console, `Ports-snapshot`. */
export function tryItBody({ paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, { get }]) =>
    get ? get.tags.map((tag) => ({ ...get, path, tag, id: `${tag}-${get.operationId}` })) : [],
  );
  const groups = [...groupBy(operations, ({ tag }) => tag)].map(([tag, listed]) => {
    const items = listed.map(
      ({ path, id, summary }) =>
        `<li><a id="${id}" href="#${id}"><b>GET</b> <code>${escapeHtml(path).replace(/\/(?=[^/])/g, '/<wbr>')}</code><span>${escapeHtml(summary)}</span></a></li>`,
    );
    return `<h3>${escapeHtml(tag)}</h3><ul>${items.join('')}</ul>`;
  });
  // The console has a main part of its own, with headings of the third level, and takes the place of this one.
  return `<div id="content" class="try-it" tabindex="-1"><section aria-labelledby="try-it"><h1 id="try-it">Try it</h1><p class="try-it-note">${INTRODUCTION}</p><h2 class="visually-hidden">Operations</h2><noscript><p class="notice">The console needs JavaScript.</p></noscript></section><div id="console"><main class="operations">${groups.join('')}</main></div></div>`;
}
