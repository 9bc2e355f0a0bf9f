/** The forms that feed readers take: Atom 1.0 (RFC 4287) and JSON Feed 1.1 (jsonfeed.org). Addresses may be relative to the feed's. */

interface FeedEntry {
  /** Stays the same while the entry is changed. */
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly updated: string;
  readonly link: string;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface Feed {
  readonly id: string;
  readonly title: string;
  /** Address of the page that the feed is about. */
  readonly page: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/** What each form is sent as. */
export const FEED_TYPES = { atom: 'application/atom+xml', jsonfeed: 'application/feed+json' } as const;
export type FeedFormat = keyof typeof FEED_TYPES;

const PUBLISHER = 'Port Congestion Data Service';
/** An Atom feed has a date, also without an entry. */
const BEFORE_THE_FIRST = '1970-01-01T00:00:00Z';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const atomEntry = ({ id, title, updated, link, text, tags }: FeedEntry): string => `  <entry>
    <id>${escaped(id)}</id>
    <title>${escaped(title)}</title>
    <updated>${updated}</updated>
    <link href="${escaped(link)}"/>
${tags.map((tag) => `    <category term="${escaped(tag)}"/>\n`).join('')}    <content type="text">${escaped(text)}</content>
  </entry>
`;

/** An Atom feed; `self` is its own address. */
export function atomOf({ id, title, page, entries }: Feed, self: string): string {
  const newest = entries.reduce((latest, { updated }) => (updated > latest ? updated : latest), '');
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(id)}</id>
  <title>${escaped(title)}</title>
  <updated>${newest || BEFORE_THE_FIRST}</updated>
  <author><name>${PUBLISHER}</name></author>
  <link rel="self" href="${escaped(self)}"/>
  <link href="${escaped(page)}"/>
${entries.map(atomEntry).join('')}</feed>
`;
}

/** A JSON Feed; `self` is its own address. */
export const jsonFeedOf = ({ title, page, entries }: Feed, self: string): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    authors: [{ name: PUBLISHER }],
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.link,
      title: entry.title,
      content_text: entry.text,
      date_modified: entry.updated,
      tags: entry.tags,
    })),
  });
