/** The changelog as releases and as an Atom feed, from CHANGELOG.md in the form of "Keep a Changelog". */
import { anchorOf } from './markdown.ts';

export interface Release {
  readonly version: string;
  /** Text of its heading. */
  readonly heading: string;
  /** `YYYY-MM-DD`; undefined for unreleased changes. */
  readonly day: string | undefined;
  /** Markdown. */
  readonly text: string;
}

const RELEASE = /^## \[?([^\]\s]+)\]?(?: - (\d{4}-\d{2}-\d{2}))?\s*$/;

/** Newest first, as the file has them. */
export function readReleases(changelog: string): Release[] {
  const releases: (Omit<Release, 'text'> & { lines: string[] })[] = [];
  for (const line of changelog.split('\n')) {
    const [, version, day] = RELEASE.exec(line) ?? [];
    if (version !== undefined)
      releases.push({ version, heading: line.slice('## '.length).trim(), day, lines: [] });
    else releases.at(-1)?.lines.push(line);
  }
  return releases.map(({ lines, ...release }) => ({ ...release, text: lines.join('\n').trim() }));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Date of the feed before the first release, because a feed must have a date. */
const BEFORE_THE_FIRST = '1970-01-01';
const FEED_ID = 'tag:port-congestion-data-service,2026:changelog';

function entry({ version, heading, day, text }: Release, page: string): string {
  return `  <entry>
    <id>${FEED_ID}/${escaped(version)}</id>
    <title>${escaped(version)}</title>
    <updated>${day}T00:00:00Z</updated>
    <link href="${escaped(`${page}#${anchorOf(heading)}`)}"/>
    <content type="text">${escaped(text)}</content>
  </entry>
`;
}

/** The dated releases as an Atom 1.0 feed; `page` is the address of the changelog page and may be relative. */
export function atomFeed(releases: readonly Release[], page: string, self: string): string {
  const dated = releases.filter(({ day }) => day !== undefined);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${FEED_ID}</id>
  <title>Port Congestion Data Service: changes</title>
  <updated>${dated[0]?.day ?? BEFORE_THE_FIRST}T00:00:00Z</updated>
  <author><name>Port Congestion Data Service</name></author>
  <link rel="self" href="${escaped(self)}"/>
  <link href="${escaped(page)}"/>
${dated.map((release) => entry(release, page)).join('')}</feed>
`;
}
