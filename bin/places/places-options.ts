/** The options of `npm run places`. */
import { type Day, endOfDay, type Instant, isDay, startOfDay } from '../../core/reference/time.ts';
import { StartError } from '../../local/start-error.ts';
import {
  ARCHIVE_USAGE,
  POSITION_SOURCES,
  type PositionArchive,
  readArchiveOptions,
} from '../archive/position-archive.ts';

export const USAGE = `Usage: npm run places -- SOURCE --archive DIR | --bucket NAME [options]

Learns the places of a source of positions from the closed stays in its archived fetches, and writes them to
core/sources/SOURCE/places.json, which the next build pins. Three months or more are best. SOURCE is one of
${POSITION_SOURCES.join(', ')}.

${ARCHIVE_USAGE}  --from DAY       leave out fetches before this UTC day, for example 2026-01-01
  --to DAY         leave out fetches after this UTC day
  --geojson FILE   also write the places that 20 vessels or more have used, for a map
  --help           this text
`;

export interface PlacesOptions extends PositionArchive {
  /** Fetches after this time, and up to the other. */
  readonly afterAt: Instant | undefined;
  readonly untilAt: Instant;
  readonly geojson: string | undefined;
}

function dayOf(option: string, text: string | undefined): Day | undefined {
  if (text !== undefined && !isDay(text))
    throw new StartError(`${option} must be a UTC day like 2026-01-31, not ${text}`);
  return text;
}

/** Undefined for `--help`. Throws `StartError` for a command line that cannot be followed. */
export function readPlacesOptions(args: readonly string[]): PlacesOptions | undefined {
  const read = readArchiveOptions(args, ['from', 'to', 'geojson']);
  if (read === undefined) return undefined;
  const { values, ...archive } = read;
  const [from, to] = [dayOf('--from', values.from), dayOf('--to', values.to)];
  if (from !== undefined && to !== undefined && to < from) throw new StartError('--to is before --from');
  return {
    ...archive,
    afterAt: from === undefined ? undefined : startOfDay(from) - 1,
    untilAt: to === undefined ? Number.MAX_SAFE_INTEGER : endOfDay(to),
    geojson: values.geojson,
  };
}
