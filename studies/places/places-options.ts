/** The options of `npm run study -- places`. */
import { type Day, endOfDay, type Instant, isDay, startOfDay } from '../../core/reference/time.ts';
import { UsageError } from '../../local/command-line.ts';
import { archiveCommand, type PositionArchive, readArchiveOptions } from './position-archive.ts';

const placesCommand = () =>
  archiveCommand(
    'places',
    `Learns the places of a source of positions from the closed stays in its archived fetches, and writes them to
core/sources/SOURCE/places.json, which the next build pins. Three months or more are best.`,
  )
    .option('--from <day>', 'leave out fetches before this UTC day, for example 2026-01-01')
    .option('--to <day>', 'leave out fetches after this UTC day')
    .option('--geojson <file>', 'also write the places that 20 vessels or more have used, for a map');

export interface PlacesOptions extends PositionArchive {
  /** Fetches after this time, and up to the other. */
  readonly afterAt: Instant | undefined;
  readonly untilAt: Instant;
  readonly geojson: string | undefined;
}

function dayOf(option: string, text: string | undefined): Day | undefined {
  if (text !== undefined && !isDay(text))
    throw new UsageError(`${option} must be a UTC day like 2026-01-31, not ${text}`);
  return text;
}

/** Throws `UsageError`. */
export function readPlacesOptions(args: readonly string[]): PlacesOptions {
  const { values, ...archive } = readArchiveOptions<'from' | 'to' | 'geojson'>(placesCommand(), args);
  const [from, to] = [dayOf('--from', values.from), dayOf('--to', values.to)];
  if (from !== undefined && to !== undefined && to < from) throw new UsageError('--to is before --from');
  return {
    ...archive,
    afterAt: from === undefined ? undefined : startOfDay(from) - 1,
    untilAt: to === undefined ? Number.MAX_SAFE_INTEGER : endOfDay(to),
    geojson: values.geojson,
  };
}
