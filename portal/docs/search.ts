/** Search of the documentation: one static index, loaded when the reader first uses the field. */
import { portalJson } from '../api/source-list.ts';
import { element } from '../view/element.ts';

/** Where the build puts the index. */
export const SEARCH_INDEX = '/docs/search.json';
const MOST_RESULTS = 12;
const CONTEXT = 70;

/** A section of a page. */
export interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The rank of a section: a word counts 6 in the heading, 3 in the page's title and 1 in the text; 0 means no match. */
function scoreOf({ page, heading, text }: SearchEntry, words: readonly string[]): number {
  const fields = [
    [heading.toLowerCase(), 6],
    [page.toLowerCase(), 3],
    [text.toLowerCase(), 1],
  ] as const;
  let score = 0;
  for (const word of words) {
    const found = fields.filter(([field]) => field.includes(word)).map(([, weight]) => weight);
    if (found.length === 0) return 0;
    score += found.reduce((sum, weight) => sum + weight, 0);
  }
  return score;
}

/** Sections with every word of `query`, best first. */
export function search(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
}

/** The text around the first match, or the beginning. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0));
  if (!Number.isFinite(at) || at <= CONTEXT) return text.slice(0, 2 * CONTEXT);
  return `…${text.slice(at - CONTEXT / 2, at + 1.5 * CONTEXT)}`;
}

const resultOf = (entry: SearchEntry, words: readonly string[]): HTMLElement =>
  element(
    'li',
    {},
    element(
      'a',
      { href: entry.href },
      element('b', {}, entry.heading),
      entry.heading === entry.page ? undefined : element('span', { class: 'muted' }, ` ${entry.page}`),
      element('span', { class: 'excerpt' }, excerptOf(entry.text, words)),
    ),
  );

/** The field with its results, above the list of pages. */
export function createSearch(): HTMLElement {
  let index: Promise<readonly SearchEntry[]> | undefined;
  const input = element('input', {
    type: 'search',
    placeholder: 'Search the docs',
    'aria-label': 'Search the documentation',
    autocomplete: 'off',
  });
  const results = element('ul', { class: 'results' });
  const state = element('p', { class: 'visually-hidden', role: 'status' });
  const show = async (): Promise<void> => {
    index ??= portalJson<SearchEntry[]>(SEARCH_INDEX);
    const query = input.value;
    const found = search(await index, query);
    // A slower result of an earlier query must not replace this one.
    if (query !== input.value) return;
    const words = wordsOf(query);
    results.replaceChildren(...found.map((entry) => resultOf(entry, words)));
    const count = found.length === 1 ? '1 section found' : `${found.length} sections found`;
    state.textContent = words.length === 0 ? '' : count;
    if (words.length > 0 && found.length === 0)
      results.replaceChildren(element('li', { class: 'muted' }, 'Nothing found.'));
  };
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') results.querySelector('a')?.click();
    if (key !== 'Escape') return;
    input.value = '';
    results.replaceChildren();
  });
  return element('search', { class: 'search' }, input, state, results);
}
