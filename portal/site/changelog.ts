/** Pages of dated sections, in the form of "Keep a Changelog", as Atom feeds: the changelog and the corrections. */
import { atom } from '../../core/contracts/feeds.ts';
import { headingAnchor } from './markdown.ts';

export interface DatedSection {
  /** The version, or what was corrected. */
  readonly title: string;
  /** Text of its heading. */
  readonly heading: string;
  /** `YYYY-MM-DD`; undefined for unreleased changes. */
  readonly day: string | undefined;
  readonly text: string;
}

const SECTION = /^## (\[?([^\]\n]+?)\]?(?: - (\d{4}-\d{2}-\d{2}))?)[^\S\n]*$/gm;

/** Newest first, as the file has them. */
export function readSections(page: string): DatedSection[] {
  const headings = [...page.matchAll(SECTION)];
  return headings.map(({ index, 0: line, 1: heading = '', 2: title = '', 3: day }, i) => {
    const text = page.slice(index + line.length, headings[i + 1]?.index).trim();
    return { title, heading, day, text };
  });
}

/** A feed of the portal: its page and itself lie below `/docs/`. */
export interface DatedFeed {
  readonly name: string;
  readonly title: string;
}

export const CHANGES: DatedFeed = { name: 'changelog', title: 'changes' };
export const CORRECTIONS: DatedFeed = { name: 'corrections', title: 'corrections' };

export const feedPath = ({ name }: DatedFeed): string => `/docs/${name}.atom`;

/** The dated sections as an Atom 1.0 feed. Without one the feed is of `today`, `YYYY-MM-DD`. */
export function atomFeed(feed: DatedFeed, sections: readonly DatedSection[], today: string): string {
  const id = `tag:port-congestion-data-service,2026:${feed.name}`;
  const page = `/docs/${feed.name}.html`;
  const entries = sections.flatMap(({ title, heading, day, text }) =>
    day === undefined
      ? []
      : {
          id: `${id}/${title.replaceAll(' ', '-')}`,
          title,
          updated: `${day}T00:00:00Z`,
          link: `${page}#${headingAnchor(heading)}`,
          text,
          tags: [],
        },
  );
  return atom(
    { id, title: `Port Congestion Data Service: ${feed.title}`, page, entries },
    feedPath(feed),
    today,
  );
}
