/** `npm run places`: learns what spots are used for from archived positions, and writes the table that a source pins. */
import { readFileSync, writeFileSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';
import { readPlaces, writePlaces } from '../core/ais/place-table.ts';
import { formatInstant } from '../core/reference/time.ts';
import { surveyStays } from '../core/sources/closed-stays.ts';
import type { ArchivedFetch } from '../core/sources/source.ts';
import { createBucketArchive } from '../core/store/bucket-archive.ts';
import { createFolderArchive } from '../core/store/folder-archive.ts';
import { errorText, StartError } from '../local/start-error.ts';
import { createProgress } from '../serve/progress.ts';
import { geojsonOf, lessonOf } from './places/lesson.ts';
import { type PlacesOptions, readPlacesOptions, USAGE } from './places/places-options.ts';

const progress = createProgress(process.stderr);

async function* fetchesOf({ id, where, afterAt, untilAt }: PlacesOptions): AsyncGenerator<ArchivedFetch> {
  const archive =
    'bucket' in where
      ? createBucketArchive(new S3Client({}), where.bucket)
      : createFolderArchive(where.archive);
  const times = await archive.fetches(id, afterAt, untilAt);
  if (times.length === 0) throw new StartError(`no fetch of ${id} is there in these days`);
  progress.begin(id, times.length);
  for (const [index, fetchedAt] of times.entries()) {
    progress.step(index, formatInstant(fetchedAt));
    const files = await archive.read(id, fetchedAt);
    yield { fetchedAt, files: files ?? new Map() };
  }
  progress.end();
}

async function learn(options: PlacesOptions): Promise<void> {
  const file = new URL(`../core/sources/${options.id}/places.json`, import.meta.url);
  const before = readPlaces(JSON.parse(readFileSync(file, 'utf8')));
  const survey = await surveyStays(options.fixes, fetchesOf(options));
  const { table, figures, refusal } = lessonOf(survey, before);
  for (const figure of figures) console.log(figure);
  if (refusal !== undefined) throw new StartError(`nothing is written: ${refusal}`);
  writeFileSync(file, writePlaces(table));
  console.log(`version ${table.version} in core/sources/${options.id}/places.json`);
  if (options.geojson !== undefined) writeFileSync(options.geojson, geojsonOf(table));
}

try {
  const options = readPlacesOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else await learn(options);
} catch (thrown) {
  progress.end();
  console.error(errorText(thrown));
  process.exitCode = 1;
}
