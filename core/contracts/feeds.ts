/** The forms that feed readers take: Atom 1.0 (RFC 4287) and JSON Feed 1.1 (jsonfeed.org). Readers resolve relative addresses differently or not at all, so a feed states absolute ones where its own is known. */
import * as z from 'zod/mini';
import { ALERT_WORDS } from '../metrics/alert-rules.ts';
import { described, listOf, text, timestamp } from './wire.ts';

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

const PUBLISHER = 'Port Congestion Data Service';

/** Text as it stands in XML or HTML, in a quoted attribute too. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const atomEntry = ({ id, title, updated, link, text, tags }: FeedEntry): string => `  <entry>
    <id>${escaped(id)}</id>
    <title>${escaped(title)}</title>
    <updated>${updated}</updated>
    <link rel="alternate" href="${escaped(link)}"/>
${tags.map((tag) => `    <category term="${escaped(tag)}"/>\n`).join('')}    <content type="text">${escaped(text)}</content>
  </entry>
`;

/**
 * An Atom feed; `self` is its own address. A feed without an entry has a date too: the beginning of `today`, the UTC day,
 * so that its bytes are equal all day.
 */
export function atom({ id, title, page, entries }: Feed, self: string, today: string): string {
  const newest = entries.reduce((latest, { updated }) => (updated > latest ? updated : latest), '');
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(id)}</id>
  <title>${escaped(title)}</title>
  <updated>${newest || `${today}T00:00:00Z`}</updated>
  <author><name>${PUBLISHER}</name></author>
  <link rel="self" href="${escaped(self)}"/>
  <link rel="alternate" href="${escaped(page)}"/>
${entries.map(atomEntry).join('')}</feed>
`;
}

const VERSION = 'https://jsonfeed.org/version/1.1';

const jsonFeedItem = z.object({
  id: text('Stays the same while the alert is changed.', 'tag:port-congestion-data-service,2026:alerts/1'),
  url: text("Address of the port's page.", 'https://data.example/?port=HKHKG'),
  title: text('Port, metric and severity.', 'HKHKG: congestion_score, high'),
  content_text: text(
    'The sentence of the alert.',
    ALERT_WORDS.threshold.explain(ALERT_WORDS.threshold.example),
  ),
  date_modified: timestamp('Time of the alert.'),
  tags: listOf(text('Severity or type.', 'high'), 8, 'Severity and type.'),
});

/** The members of JSON Feed 1.1 that a feed of ours has. */
export const jsonFeed = described(
  z.object({
    version: z.literal(VERSION),
    title: text('Title.', 'Port Congestion Data Service: alerts'),
    home_page_url: text('Address of the explorer.', 'https://data.example/'),
    feed_url: text(
      'Address of the feed, with its filters.',
      'https://data.example/v1/alerts?format=jsonfeed',
    ),
    authors: listOf(z.object({ name: text('Name.', PUBLISHER) }), 1, 'Who publishes the feed.'),
    items: listOf(jsonFeedItem, 500, 'Newest first.'),
  }),
  { description: 'JSON Feed 1.1.' },
);

/** A JSON Feed; `self` is its own address. */
export const jsonFeedOf = ({ title, page, entries }: Feed, self: string): z.infer<typeof jsonFeed> => ({
  version: VERSION,
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
    tags: [...entry.tags],
  })),
});
