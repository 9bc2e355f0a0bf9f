/** Sources of positions with generated traffic, small enough for thousands of passes: polls of one harbour, and days of two regions. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import type { FetchedFiles, Source } from '../../core/upstream/source.ts';
import { extent } from '../builders/extent.ts';
import { noaaAround, openWatersAround } from '../builders/narrowed-sources.ts';
import { cutOf } from '../sources/noaa-marinecadastre-ais/day-texts.ts';
import { noaaDays } from '../worlds/traffic/day-files.ts';
import { livePolls } from '../worlds/traffic/live-polls.ts';
import { roadsteadWorld } from '../worlds/traffic/roadstead-world.ts';

/** A source that returns one of `fetches` for each time of a fetch, oldest first, and the fetches. */
export interface PlayedSource {
  readonly source: Source;
  readonly fetches: ReadonlyMap<Instant, FetchedFiles>;
}

const played = (source: Source, fetches: PlayedSource['fetches'], now: () => Instant): PlayedSource => ({
  source: {
    ...source,
    fetch: async () => fetches.get(now()) ?? new Map(),
  },
  fetches,
});

/** Los Angeles and Long Beach, and Rotterdam, where a tug shows that the feed is well; a poll every 20 minutes from `startAt`. */
export function polledHarbour(
  now: () => Instant,
  startAt: Instant,
  days: number,
  seed: number,
): PlayedSource {
  const ports = ['USLAX', 'USLGB'];
  const { source, boxes } = openWatersAround(ports);
  const world = roadsteadWorld({
    seed,
    startAt,
    days,
    vessels: extent(9, 15),
    ports,
    fixSeconds: 300,
    hard: false,
  });
  const polls = livePolls(world, { startAt, days, everyMinutes: 20, boxes });
  const fetches = new Map(Array.from(polls, ({ fetchedAt, files }) => [fetchedAt, files] as const));
  return played(source, fetches, now);
}

/** Days of two regions, each an hour after its end; the second comes again, corrected, an hour after the third. */
export function dailyRegions(now: () => Instant, startAt: Instant, seed: number): PlayedSource {
  const days = 4;
  const ports = ['USNYC', 'USORF', 'USOAK'];
  const { source, format } = noaaAround(ports);
  const world = roadsteadWorld({
    seed,
    startAt,
    days,
    vessels: extent(9, 15),
    ports,
    fixSeconds: 300,
    hard: false,
  });
  const fetches = new Map<Instant, FetchedFiles>();
  for (const [index, { day, text }] of [...noaaDays(world.fixes, '2025')].entries()) {
    const publishedAt = startAt + (index + 1) * DAY_MS + HOUR_MS;
    const fileOf = (rows: string): FetchedFiles =>
      cutOf(new TextEncoder().encode(rows), { chunkBytes: 1_000_000, day, file: `ais-${day}.csv`, format });
    if (index === 1) {
      const third = text.split('\n').filter((row) => Number(row.slice(0, 9)) % 3 !== 0);
      fetches.set(publishedAt, fileOf(third.join('\n')));
      fetches.set(publishedAt + DAY_MS + HOUR_MS, fileOf(text));
    } else fetches.set(publishedAt, fileOf(text));
  }
  const fetchesByTime = new Map([...fetches].sort(([a], [b]) => a - b));
  return played(source, fetchesByTime, now);
}

export const POLL_STEP_MS = 20 * MINUTE_MS;
