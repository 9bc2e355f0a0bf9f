/** Archived fetches of a source of positions, for `npm run study -- reception`. */
import { S3Client } from '@aws-sdk/client-s3';
import type { Command } from 'commander';

import { formatInstant, type Instant } from '../../core/reference/time.ts';
import { sourcesFor } from '../../core/sources/load-sources.ts';
import { createBucketArchive } from '../../core/store/bucket-archive.ts';
import { createFolderArchive, type RawArchive } from '../../core/store/raw-archive.ts';
import type { ArchivedFetch, SourceDeclaration } from '../../core/upstream/source.ts';
import { command, parse, StartError, UsageError } from '../../local/command-line.ts';
import type { Progress } from '../../local/ready-lines.ts';
import { type FixReader, fixReader, isPositionSource } from './fix-reader.ts';

const SOURCES = (await sourcesFor(process.env)).filter(isPositionSource);
const POSITION_SOURCES: readonly string[] = SOURCES.map(({ declaration }) => declaration.id);

/** A command on the archived fetches of one source of positions; `about` is followed by the sources. */
export const archiveCommand = (name: string, about: string): Command =>
  command(`npm run study -- ${name}`, `${about} SOURCE is one of ${POSITION_SOURCES.join(', ')}.`)
    .argument('<source>')
    .option(
      '--archive <dir>',
      'the raw archive: .data/live/archive of npm start --live, or a replay folder (this or --bucket)',
    )
    .option(
      '--bucket <name>',
      'the archive bucket of a stage, with the credentials and region of the AWS command line',
    );

export interface PositionArchive {
  readonly declaration: SourceDeclaration;
  readonly fixes: FixReader;
  readonly where: { readonly archive: string } | { readonly bucket: string };
}

/** Reads the source, its archive and the command's own options. Throws `UsageError`. */
export function readArchiveOptions<Name extends string>(
  definition: Command,
  args: readonly string[],
): PositionArchive & { readonly values: Readonly<Partial<Record<Name, string>>> } {
  const { archive, bucket, ...values } = parse<Partial<Record<string, string>>>(definition, args);
  const source = SOURCES.find(({ declaration }) => declaration.id === definition.args[0]);
  if (source === undefined)
    throw new UsageError(`name one source of positions: ${POSITION_SOURCES.join(', ')}`);
  if ((archive === undefined) === (bucket === undefined))
    throw new UsageError('say where the archive is: --archive DIR or --bucket NAME');
  return {
    declaration: source.declaration,
    fixes: fixReader(source),
    where: archive === undefined ? { bucket: bucket ?? '' } : { archive },
    values: values as Partial<Record<Name, string>>,
  };
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
}
