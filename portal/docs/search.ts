/** Search of the documentation: one static index, loaded when the reader first uses the field. */
import type MiniSearch from 'minisearch';
import { element } from '../view/element.ts';

/** Where the build puts the index. */
export const SEARCH_INDEX = '/docs/search.json';
const MAX_RESULTS = 12;
const CONTEXT = 70;

/** A section of a page. */
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
function createSearch(Index: typeof MiniSearch, entries: readonly SearchEntry[]): Search {
  const index = new Index<SearchEntry>({
    idField: 'href',
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'href', 'text'],
    searchOptions: { boost: { heading: 6, page: 3 }, combineWith: 'AND', prefix: true },
  });
  index.addAll(entries);
  return (query) => index.search(query).slice(0, MAX_RESULTS) as unknown as Found[];
}

/** The text around the first match, or the beginning. */
function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0));
  if (!Number.isFinite(at) || at <= CONTEXT) return text.slice(0, 2 * CONTEXT);
  return `…${text.slice(at - CONTEXT / 2, at + 1.5 * CONTEXT)}`;
}

const result = (entry: Found): HTMLElement =>
  element(
    'li',
    {},
    element(
      'a',
      { href: entry.href },
      element('b', {}, entry.heading),
      entry.heading === entry.page ? undefined : element('span', { class: 'muted' }, ` ${entry.page}`),
      element('span', { class: 'excerpt' }, excerpt(entry.text, entry.terms)),
    ),
  );

async function loadSearch(): Promise<Search> {
  const [{ default: Index }, { portalJson }] = await Promise.all([
    import('minisearch'),
    import('../api/source-list.ts'),
  ]);
  return createSearch(Index, await portalJson<SearchEntry[]>(SEARCH_INDEX));
}

/** Makes the field above the list of pages search, with its results below it. */
export function startSearch(host: Element): void {
  const input = host.querySelector('input');
  if (!input) return;
  let search: Promise<Search> | undefined;
  const results = element('ul', { class: 'results' });
  const state = element('p', { class: 'visually-hidden', role: 'status' });
  const show = async (): Promise<void> => {
    search ??= loadSearch();
    const query = input.value;
    const found = (await search)(query);
    // A slower result of an earlier query must not replace this one.
    if (query !== input.value) return;
    results.replaceChildren(...found.map(result));
    const isEmpty = query.trim() === '';
    const count = found.length === 1 ? '1 section found' : `${found.length} sections found`;
    state.textContent = isEmpty ? '' : count;
    if (!isEmpty && found.length === 0)
      results.replaceChildren(element('li', { class: 'muted' }, 'Nothing found.'));
  };
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') results.querySelector('a')?.click();
    if (key !== 'Escape') return;
    input.value = '';
    results.replaceChildren();
  });
  host.append(state, results);
}
