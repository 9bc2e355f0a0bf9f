/** `npm run study -- places`: learns what spots are used for from archived positions, and writes the table that a source pins. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readPlaces } from '../../core/positions/places.ts';
import { run } from '../../local/command-line.ts';
import { createProgress } from '../../local/service/progress.ts';
import { StartError } from '../../local/start-error.ts';
import { surveyStays } from './closed-stays.ts';
import { geojson, lesson } from './lesson.ts';
import { writePlaces } from './place-file.ts';
import { type PlacesOptions, readPlacesOptions } from './places-options.ts';
import { openArchive, readFetches } from './position-archive.ts';

const progress = createProgress(process.stderr);

async function learn(options: PlacesOptions): Promise<void> {
  const { id } = options.declaration;
  const file = new URL(`../../core/sources/${id}/places.json`, import.meta.url);
  const before = readPlaces(JSON.parse(readFileSync(file, 'utf8')));
  const archive = openArchive(options);
  const times = await archive.fetches(id, options.afterAt, options.untilAt);
  const survey = await surveyStays(options.fixes, readFetches(options, archive, times, progress));
  const { table, figures, refusal } = lesson(survey, before);
  for (const figure of figures) console.log(figure);
  if (refusal !== undefined) throw new StartError(`nothing is written: ${refusal}`);
  writeFileSync(file, writePlaces(table));
  console.log(`version ${table.version} in core/sources/${id}/places.json`);
  if (options.geojson !== undefined) writeFileSync(options.geojson, geojson(table));
}

await run(async () => {
  const options = readPlacesOptions(process.argv.slice(2));
  await learn(options);
});
