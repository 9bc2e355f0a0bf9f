/** Sources of positions with generated traffic, small enough for thousands of passes: polls of one harbour, and days of two regions. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import {
  FILE_NAME,
  NOAA_FORMAT,
  noaaMarinecadastreAis,
} from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { OPEN_WATERS_FEED, openWatersAis } from '../../core/sources/open-waters-ais/source.ts';
import { dayReader } from '../../core/sources/positions/day-step.ts';
import { pollReader } from '../../core/sources/positions/poll-step.ts';
import type { FetchedFiles, Source } from '../../core/sources/source.ts';
import { noaaDays } from '../ais-accuracy/day-files.ts';
import { livePolls } from '../ais-accuracy/live-polls.ts';
import { roadsteadWorld } from '../ais-accuracy/roadstead-world.ts';
import { cutOf } from '../sources/noaa-marinecadastre-ais/day-texts.ts';

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
  const boxes = OPEN_WATERS_FEED.boxes.filter(({ ports }) =>
    ports.some((port) => port === 'USLAX' || port === 'NLRTM'),
  );
  const ports = boxes.flatMap((box) => box.ports);
  const declaration = { ...openWatersAis.declaration, boxes, ports };
  const world = roadsteadWorld({ seed, startAt, days, vessels: 60, fixSeconds: 300, hard: false });
  const polls = livePolls(world, { startAt, days, everyMinutes: 20, boxes });
  const fetches = new Map(Array.from(polls, ({ fetchedAt, files }) => [fetchedAt, files] as const));
  const reader = pollReader({ ...OPEN_WATERS_FEED, declaration, boxes, canaryPorts: ['NLRTM'] }, 'world');
  return played({ ...openWatersAis, ...reader, declaration }, fetches, now);
}

/** Days of two regions, each an hour after its end; the second comes again, corrected, an hour after the third. */
export function dailyRegions(now: () => Instant, startAt: Instant, seed: number): PlayedSource {
  const days = 4;
  const regions = Object.fromEntries(Object.entries(NOAA_FORMAT.regions).slice(0, 2));
  const format = { ...NOAA_FORMAT, regions };
  const regionPorts = Object.entries(regions).map(
    ([region, boxes]) => [region, boxes.flatMap(({ ports }) => ports)] as const,
  );
  const { places } = OPEN_WATERS_FEED;
  const world = roadsteadWorld({ seed, startAt, days, vessels: 40, fixSeconds: 300, hard: false });
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
  const inOrder = new Map([...fetches].sort(([a], [b]) => a - b));
  const declaration = {
    ...noaaMarinecadastreAis.declaration,
    boxes: Object.values(regions).flat(),
    regions: Object.fromEntries(regionPorts),
    ports: regionPorts.flatMap(([, ports]) => ports),
  };
  const reader = dayReader({ format, fileName: FILE_NAME, places });
  return played({ ...noaaMarinecadastreAis, ...reader, declaration }, inOrder, now);
}

export const POLL_STEP_MS = 20 * MINUTE_MS;
