/** Search of the documentation: one static index, loaded when the reader first uses the field. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { portalJson } from '../api/source-list.ts';

export const SEARCH_INDEX = '/docs/search.json';
const MAX_RESULTS = 12;
const CONTEXT = 70;

export interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

/** A section that matches, with the words of its own that do. */
type Found = SearchEntry & { readonly terms: readonly string[] };
type Search = (query: string) => readonly Found[];

/** Searches sections for every word of a query, or its beginning; best first. */
async function loadSearch(): Promise<Search> {
  const { default: Index } = await import('minisearch');
  const index = new Index<SearchEntry>({
    idField: 'href',
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'href', 'text'],
    searchOptions: { boost: { heading: 6, page: 3 }, combineWith: 'AND', prefix: true },
  });
  index.addAll(await portalJson<SearchEntry[]>(SEARCH_INDEX));
  return (query) => index.search(query).slice(0, MAX_RESULTS) as unknown as Found[];
}

/** The text around the first match, or the beginning. */
function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0));
  if (!Number.isFinite(at) || at <= CONTEXT) return text.slice(0, 2 * CONTEXT);
  return `…${text.slice(at - CONTEXT / 2, at + 1.5 * CONTEXT)}`;
}

const result = ({ page, heading, href, text, terms }: Found): TemplateResult =>
  html`<li><a href=${href}><b>${heading}</b>${
    heading === page ? nothing : html`<span class="muted"> ${page}</span>`
  }<span class="excerpt">${excerpt(text, terms)}</span></a></li>`;

function results(found: readonly Found[], query: string): TemplateResult {
  const isEmpty = query.trim() === '';
  const count = found.length === 1 ? '1 section found' : `${found.length} sections found`;
  const isNone = !isEmpty && found.length === 0;
  return html`<p class="visually-hidden" role="status">${isEmpty ? '' : count}</p>
    <ul class="results">${isNone ? html`<li class="muted">Nothing found.</li>` : found.map(result)}</ul>`;
}

/** Makes the field above the list of pages search, with its results below it. */
export function startSearch(host: HTMLElement): void {
  const input = host.querySelector('input');
  if (!input) return;
  let search: Promise<Search> | undefined;
  const show = (found: readonly Found[], query: string) => render(results(found, query), host);
  show([], '');
  input.addEventListener('input', async () => {
    search ??= loadSearch();
    const query = input.value;
    const found = (await search)(query);
    // A slower result of an earlier query must not replace this one.
    if (query === input.value) show(found, query);
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') host.querySelector<HTMLElement>('.results a')?.click();
    if (key !== 'Escape') return;
    input.value = '';
    show([], '');
  });
}
