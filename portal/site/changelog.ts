/** The changelog as releases and as an Atom feed, from CHANGELOG.md in the form of "Keep a Changelog". */
import { atom } from '../../core/contracts/feeds.ts';
import { headingAnchor } from './markdown.ts';

export interface Release {
  readonly version: string;
  /** Text of its heading. */
  readonly heading: string;
  /** `YYYY-MM-DD`; undefined for unreleased changes. */
  readonly day: string | undefined;
  readonly text: string;
}

const RELEASE = /^## (\[?([^\]\s]+)\]?(?: - (\d{4}-\d{2}-\d{2}))?)[^\S\n]*$/gm;

/** Newest first, as the file has them. */
export function readReleases(changelog: string): Release[] {
  const headings = [...changelog.matchAll(RELEASE)];
  return headings.map(({ index, 0: line, 1: heading = '', 2: version = '', 3: day }, i) => {
    const text = changelog.slice(index + line.length, headings[i + 1]?.index).trim();
    return { version, heading, day, text };
  });
}

const FEED_ID = 'tag:port-congestion-data-service,2026:changelog';

/**
 * The dated releases as an Atom 1.0 feed; `page` is the address of the changelog page and may be relative. Without a dated release the
 * feed is of `today`, `YYYY-MM-DD`.
 */
export function atomFeed(releases: readonly Release[], page: string, self: string, today: string): string {
  const entries = releases.flatMap(({ version, heading, day, text }) =>
    day === undefined
      ? []
      : {
          id: `${FEED_ID}/${version}`,
          title: version,
          updated: `${day}T00:00:00Z`,
          link: `${page}#${headingAnchor(heading)}`,
          text,
          tags: [],
        },
  );
  return atom({ id: FEED_ID, title: 'Port Congestion Data Service: changes', page, entries }, self, today);
}
