/** The options of `npm run places`. */
import { parseArgs } from 'node:util';
import { type Day, endOfDay, type Instant, isDay, startOfDay } from '../../core/reference/time.ts';
import { DEPLOYED_SOURCES, sourceById } from '../../core/sources/registry.ts';
import type { FixReader } from '../../core/sources/source.ts';
import { optionErrorText, StartError } from '../../local/start-error.ts';

const SOURCES = DEPLOYED_SOURCES.filter(({ fixes }) => fixes !== undefined).map(
  ({ declaration }) => declaration.id,
);

export const USAGE = `Usage: npm run places -- SOURCE --archive DIR | --bucket NAME [options]

Learns the places of a source of positions from the closed stays in its archived fetches, and writes them to
core/sources/SOURCE/places.json, which the next build pins. Three months or more are best. SOURCE is one of
${SOURCES.join(', ')}.

  --archive DIR    the raw archive: .data/live/archive of npm start --live, or a replay folder
  --bucket NAME    the archive bucket of a stage, with the credentials and region of the AWS command line
  --from DAY       leave out fetches before this UTC day, for example 2026-01-01
  --to DAY         leave out fetches after this UTC day
  --geojson FILE   also write the places that 20 vessels or more have used, for a map
  --help           this text
`;

export interface PlacesOptions {
  readonly id: string;
  readonly fixes: FixReader;
  readonly where: { readonly archive: string } | { readonly bucket: string };
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

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const help = { type: 'boolean', default: false } as const;
  const options = { archive: text, bucket: text, from: text, to: text, geojson: text, help };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (thrown) {
    throw new StartError(optionErrorText(thrown));
  }
}

/** Undefined for `--help`. Throws `StartError` for a command line that cannot be followed. */
export function readPlacesOptions(args: readonly string[]): PlacesOptions | undefined {
  const { positionals, values } = parse(args);
  if (values.help) return undefined;
  const [id = '', ...more] = positionals;
  const fixes = sourceById(id)?.fixes;
  if (fixes === undefined || more.length > 0)
    throw new StartError(`name one source of positions: ${SOURCES.join(', ')}`);
  const { archive, bucket, geojson } = values;
  if ((archive === undefined) === (bucket === undefined))
    throw new StartError('say where the archive is: --archive DIR or --bucket NAME');
  const [from, to] = [dayOf('--from', values.from), dayOf('--to', values.to)];
  if (from !== undefined && to !== undefined && to < from) throw new StartError('--to is before --from');
  return {
    id,
    fixes,
    where: archive === undefined ? { bucket: bucket ?? '' } : { archive },
    afterAt: from === undefined ? undefined : startOfDay(from) - 1,
    untilAt: to === undefined ? Number.MAX_SAFE_INTEGER : endOfDay(to),
    geojson,
  };
}
