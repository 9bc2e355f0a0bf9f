/** The search index of the documentation: the text of every page by section, as one file that the browser loads. */
import type { SearchEntry } from '../docs/search.ts';
import type { DocsPage } from './pages.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const toText = (html: string): string =>
  html
    .replace(/<svg[\s\S]*?<\/svg>/g, ' ')
    .replace(/<wbr>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();

const HEADING = /<h[1-3] id="([^"]+)">([\s\S]*?)<\/h[1-3]>/g;

/** One entry for each heading of the pages, with the text up to the next heading. */
export const searchIndex = (pages: readonly DocsPage[]): SearchEntry[] =>
  pages.flatMap(({ href, title, html }) => {
    const headings = [...html.matchAll(HEADING)];
    return headings.map((heading, i) => {
      const [whole, id = '', text = ''] = heading;
      const section = html.slice(heading.index + whole.length, headings[i + 1]?.index);
      return {
        page: title,
        heading: toText(text),
        href: i === 0 ? href : `${href}#${id}`,
        text: toText(section),
      };
    });
  });
