/** The search of the documentation: the index of the real pages, and how it is matched. */
import { describe, expect, it } from '@jest/globals';
import { excerptOf, searchOf } from '../../../../portal/docs/search.ts';
import { renderMarkdown } from '../../../../portal/site/markdown.ts';
import { docsPages } from '../../../../portal/site/pages.ts';
import { searchIndex } from '../../../../portal/site/search-index.ts';

const index = searchIndex(
  docsPages().map(({ name, markdown, pictures }) => {
    const { html, title } = renderMarkdown(markdown, pictures);
    return { href: `/docs/${name}.html`, title, html };
  }),
);

describe('the index', () => {
  it('has every page and section, as plain text', () => {
    expect(new Set(index.map(({ href }) => href.split('#')[0])).size).toBe(docsPages().length);
    for (const { text, heading } of index)
      expect(`${heading} ${text}`).not.toMatch(/<\/?(?:p|code|td|wbr)|&quot;/);
  });

  it('is small', () => {
    expect(JSON.stringify(index).length).toBeLessThan(250_000);
  });
});

describe('search', () => {
  const search = searchOf(index);

  it.each([
    ['auth_forbidden', '/docs/errors.html#auth_forbidden'],
    ['Retry-After', '/docs/limits.html#per-minute'],
    ['excel', '/docs/recipes.html#excel'],
    ['FIHEL', '/docs/coverage.html#ports'],
    ['forbid', '/docs/errors.html#auth_forbidden'],
  ])('finds %s', (query, href) => {
    expect(search(query).map((entry) => entry.href)).toContain(href);
  });

  it('puts a heading first and wants every word', () => {
    expect(search('duckdb')[0]?.heading).toBe('DuckDB');
    expect(search('duckdb zebra')).toEqual([]);
    expect(search('  ')).toEqual([]);
  });

  it('shows the text around a match', () => {
    const text = `${'a '.repeat(100)}needle ${'b '.repeat(100)}`;
    expect(excerptOf(text, ['needle'])).toContain('needle');
    expect(excerptOf('short', ['nothing'])).toBe('short');
  });
});
