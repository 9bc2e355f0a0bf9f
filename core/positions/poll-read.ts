/** Reads the fixes of one archived poll, counts the rows without one, and finds out whether the poll is complete. */

import type { Notice } from '../calls/observation.ts';
import type { Locode } from '../reference/codes.ts';
import type { Approach, Area, PortBox } from '../reference/port-boxes.ts';
import { formatInstant } from '../reference/time.ts';
import { replyJson, replyText } from '../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type ListCount,
  type Refusal,
  RefusedReply,
  type SourceDeclaration,
} from '../upstream/source.ts';
import { type Decoded, type Fix, type FixSink, UNKNOWN, UnreadablePositions } from './fix.ts';
import { type AnchorageArea, BORDER_DEGREES, isInside } from './port-areas.ts';

interface DecodedReply extends Decoded {
  readonly truncated?: boolean;
  /** Rows by the feed that they name. */
  readonly feeds?: ReadonlyMap<string, number>;
}

export interface PollFeed {
  readonly declaration: SourceDeclaration;
  readonly boxes: readonly PortBox[];
  readonly approaches?: readonly Approach[];
  /** Area of the vessels in a reply, for an upstream that does not take boxes. */
  readonly area?: Area;
  /** Ports with vessels around the clock: if none of them has a position, the upstream has an outage. */
  readonly canaryPorts: readonly Locode[];
  readonly vesselsFile: RegExp;
  /** Reads one of these files. Throws `UnreadablePositions`. */
  decode(reply: unknown, sink: FixSink, isExcluded: (feed: string) => boolean): DecodedReply;
  /** For an upstream that merges feeds: returns the declared name of a row's feed. */
  feedOf?(feed: string): string;
  /** Declared names of the feeds whose rows are counted and not used. */
  readonly excludedFeeds?: readonly string[];
  /** A stay inside one of them is a wait. */
  readonly anchorageAreas?: readonly AnchorageArea[];
}

/** The name of all feeds that the declaration does not list. */
const OTHER_FEEDS = 'others';

/** Has `ok`, or why the upstream reports that it is unhealthy. A poll without the file counts as healthy. */
export const HEALTH_FILE = 'health.txt';

/** Older positions do not show the present. */
const MAX_FIX_AGE_SECONDS = 30 * 60;
/** If all positions in the boxes, or those at the canary ports, are older, the upstream has an outage. */
const SILENT_SECONDS = 15 * 60;
export const CLOCK_SECONDS = 5 * 60;
/** Smallest share of the vessels in a reply that lie where it was asked for them. */
const MIN_INSIDE = 0.5;

/** Counts the rows, and those with each optional field: if the publisher renames a field, it is unknown in all of them. */
const listOf = (fixes: readonly Fix[], broken: number): ListCount => ({
  list: 'features',
  rows: fixes.length + broken,
  refused: broken,
  filled: {
    speed: fixes.filter(({ speed }) => speed !== UNKNOWN).length,
    heading: fixes.filter(({ heading }) => heading !== UNKNOWN).length,
    status: fixes.filter(({ status }) => status !== UNKNOWN).length,
    type: fixes.filter(({ vesselType }) => vesselType !== 0).length,
    imo: fixes.filter(({ imo }) => imo !== 0).length,
  },
});

const isExcluded = ({ feedOf, excludedFeeds = [] }: PollFeed, row: string): boolean =>
  feedOf !== undefined && excludedFeeds.includes(feedOf(row));

function readFiles(feed: PollFeed, { files }: ArchivedFetch) {
  const { declaration, vesselsFile, decode } = feed;
  const fixes: Fix[] = [];
  const feeds = new Map<string, number>();
  let [broken, otherRows, truncated] = [0, 0, false];
  const keep: FixSink = (fix) => fixes.push({ ...fix });
  const names = [...files.keys()].filter((name) => vesselsFile.test(name)).sort();
  if (names.length === 0) throw new RefusedReply('empty', 'no file of vessels');
  for (const name of names) {
    const reply = replyJson(name, files.get(name) ?? new Uint8Array(), declaration);
    try {
      const decoded = decode(reply, keep, (row) => isExcluded(feed, row));
      broken += decoded.broken;
      otherRows += decoded.others;
      for (const [row, rows] of decoded.feeds ?? []) feeds.set(row, (feeds.get(row) ?? 0) + rows);
      truncated ||= decoded.truncated ?? false;
    } catch (error) {
      if (!(error instanceof UnreadablePositions)) throw error;
      throw new RefusedReply('malformed', `${name}: ${error.message}`);
    }
  }
  return { fixes, broken, otherRows, truncated, feeds };
}

function healthFault({ declaration }: PollFeed, { files }: ArchivedFetch): Refusal | undefined {
  const file = files.get(HEALTH_FILE);
  const text = file === undefined ? 'ok' : replyText(HEALTH_FILE, file, declaration.maxReplyBytes).trim();
  return text === 'ok'
    ? undefined
    : { reason: 'unhealthy', detail: text.split('\n')[0]?.slice(0, 200) ?? '' };
}

/** Returns why the positions of the poll are incomplete; undefined if they are not. */
function silence(
  feed: PollFeed,
  fetched: ArchivedFetch,
  fresh: readonly Fix[],
  truncated: boolean,
): Refusal | undefined {
  if (truncated) return { reason: 'truncated', detail: 'the reply was cut at the record limit' };
  const unhealthy = healthFault(feed, fetched);
  if (unhealthy !== undefined) return unhealthy;
  const polled = fetched.fetchedAt / 1000;
  const newest = fresh.reduce((most, { time }) => Math.max(most, time), 0);
  if (polled - newest > SILENT_SECONDS)
    return {
      reason: 'silent-upstream',
      detail:
        newest === 0
          ? 'no position of the last half hour'
          : `newest position ${formatInstant(newest * 1000)}`,
    };
  const { boxes, canaryPorts } = feed;
  const canaries = boxes.filter(({ ports }) => ports.some((port) => canaryPorts.includes(port)));
  const isReceived = (box: PortBox): boolean =>
    fresh.some((fix) => polled - fix.time <= SILENT_SECONDS && isInside(box, fix, BORDER_DEGREES));
  return canaries.length > 0 && !canaries.some(isReceived)
    ? { reason: 'silent-canaries', detail: `nothing received at ${canaryPorts.join(' and ')}` }
    : undefined;
}

const total = (rows: ReadonlyMap<string, number>): number =>
  [...rows.values()].reduce((sum, count) => sum + count, 0);

const FEEDS_NAMED = 5;

/** Names the feeds that the attribution lacks: their terms may require credit, or forbid the use. */
function creditNotice(rows: ReadonlyMap<string, number>): Notice {
  const names = [...rows.keys()].sort().map((feed) => feed.slice(0, 40));
  const more = names.length > FEEDS_NAMED ? ` and ${names.length - FEEDS_NAMED} more` : '';
  return {
    reason: 'uncredited-feed',
    detail: `${total(rows)} rows of ${names.slice(0, FEEDS_NAMED).join(', ')}${more}`,
  };
}

/** Reads a poll. Throws `RefusedReply` for a web page, half a body, or positions outside the places that were asked for. */
export function readPositions(feed: PollFeed, fetched: ArchivedFetch) {
  const { approaches = [], area, boxes } = feed;
  const areas: readonly Area[] = [...boxes, ...approaches];
  const { fixes: all, broken, otherRows, truncated, feeds } = readFiles(feed, fetched);
  const polled = fetched.fetchedAt / 1000;
  const inside = all.filter((fix) => areas.some((bounds) => isInside(bounds, fix, BORDER_DEGREES)));
  const expected = area === undefined ? inside : all.filter((fix) => isInside(area, fix, BORDER_DEGREES));
  if (all.length > 0 && expected.length < MIN_INSIDE * all.length)
    throw new RefusedReply(
      'outside-boxes',
      `${all.length - expected.length} of ${all.length} positions lie outside the ${area ? 'area of the feed' : 'boxes asked for'}`,
    );
  const excluded = new Map([...feeds].filter(([row]) => isExcluded(feed, row)));
  const uncredited = new Map(
    [...feeds].filter(([row]) => !excluded.has(row) && feed.feedOf?.(row) === OTHER_FEEDS),
  );
  const old = inside.filter((fix) => polled - fix.time > MAX_FIX_AGE_SECONDS).length;
  const future = inside.filter((fix) => fix.time > polled + CLOCK_SECONDS).length;
  const fixes = inside.filter(({ time }) => polled - time <= MAX_FIX_AGE_SECONDS);
  // A fix from a wrong clock does not prove that the port is received.
  const timely = fixes.filter(({ time }) => time <= polled + CLOCK_SECONDS);
  const vesselsIn = (bounds: Area): number =>
    new Set(timely.filter((fix) => isInside(bounds, fix, BORDER_DEGREES)).map(({ mmsi }) => mmsi)).size;
  return {
    /** Fixes in the boxes and approaches, in the order of the files. */
    fixes,
    /** Vessels received in each box, then in each approach. */
    received: areas.map(vesselsIn),
    notices: uncredited.size === 0 ? [] : [creditNotice(uncredited)],
    /**
     * Rows that gave no fix: `broken` and `otherRows` (no position, or no vessel), `outside` of the boxes, `old` and `excludedRows`.
     * Counted as fixes: `uncreditedRows`, and rows of the `future`, whose clock is set back.
     */
    counts: {
      broken,
      otherRows,
      uncreditedRows: total(uncredited),
      excludedRows: total(excluded),
      outside: all.length - inside.length,
      old,
      future,
    },
    list: listOf(all, broken),
    /** Why the positions are incomplete; the poll then covers no port. */
    silence: silence(feed, fetched, timely, truncated),
  };
}
export type Poll = ReturnType<typeof readPositions>;
