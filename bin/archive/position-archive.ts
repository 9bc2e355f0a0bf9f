/** Archived fetches of a source of positions, for the commands that read them: `npm run places` and `npm run reception`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { S3Client } from '@aws-sdk/client-s3';
import { formatInstant, type Instant } from '../../core/reference/time.ts';
import { DEPLOYED_SOURCES, sourcesFor } from '../../core/sources/registry.ts';
import type { ArchivedFetch, FixReader, SourceDeclaration } from '../../core/sources/source.ts';
import { createBucketArchive } from '../../core/store/bucket-archive.ts';
import { createFolderArchive } from '../../core/store/folder-archive.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import { optionErrorText, StartError } from '../../local/start-error.ts';
import type { Progress } from '../../serve/progress.ts';

export const POSITION_SOURCES: readonly string[] = DEPLOYED_SOURCES.filter(
  ({ fixes }) => fixes !== undefined,
).map(({ declaration }) => declaration.id);

export const ARCHIVE_USAGE = `  --archive DIR    the raw archive: .data/live/archive of npm start --live, or a replay folder
  --bucket NAME    the archive bucket of a stage, with the credentials and region of the AWS command line
`;

export interface PositionArchive {
  readonly declaration: SourceDeclaration;
  readonly fixes: FixReader;
  readonly where: { readonly archive: string } | { readonly bucket: string };
}

/**
 * Reads `SOURCE --archive DIR | --bucket NAME` and the options of `names`, which have a value. Undefined for `--help`.
 * Throws `StartError` for a command line that cannot be followed.
 */
export function readArchiveOptions<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): (PositionArchive & { readonly values: Readonly<Partial<Record<Name, string>>> }) | undefined {
  const { positionals, values } = parse(args, names);
  if (values.help === true) return undefined;
  const [id = '', ...more] = positionals;
  const source = sourcesFor(process.env).find(({ declaration }) => declaration.id === id);
  if (source?.fixes === undefined || more.length > 0)
    throw new StartError(`name one source of positions: ${POSITION_SOURCES.join(', ')}`);
  const { archive, bucket, ...others } = values as Partial<Record<string, string>>;
  if ((archive === undefined) === (bucket === undefined))
    throw new StartError('say where the archive is: --archive DIR or --bucket NAME');
  return {
    declaration: source.declaration,
    fixes: source.fixes,
    where: archive === undefined ? { bucket: bucket ?? '' } : { archive },
    values: others as Partial<Record<Name, string>>,
  };
}

function parse(args: readonly string[], names: readonly string[]) {
  const valued = ['archive', 'bucket', ...names].map((name) => [name, { type: 'string' }] as const);
  const options: ParseArgsConfig['options'] = {
    ...Object.fromEntries(valued),
    help: { type: 'boolean', default: false },
  };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (thrown) {
    throw new StartError(optionErrorText(thrown));
  }
}

export const openArchive = ({ where }: PositionArchive): RawArchive =>
  'bucket' in where
    ? createBucketArchive(new S3Client({}), where.bucket)
    : createFolderArchive(where.archive);

/** Reads the fetches of these times in their order. Throws `StartError` where there is none. */
export async function* readFetches(
  { declaration: { id } }: PositionArchive,
  archive: RawArchive,
  times: readonly Instant[],
  progress: Progress,
): AsyncGenerator<ArchivedFetch> {
  if (times.length === 0) throw new StartError(`the archive has no fetch of ${id} in these days`);
  progress.begin(id, times.length);
  for (const [index, fetchedAt] of times.entries()) {
    progress.step(index, formatInstant(fetchedAt));
    const files = await archive.read(id, fetchedAt);
    yield { fetchedAt, files: files ?? new Map() };
  }
  progress.end();
}
