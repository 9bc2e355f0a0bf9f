/** `npm run study -- reception`: how the ports of a source of positions are received, from its archived fetches. */
import { DAY_MS } from '../../core/reference/time.ts';
import { run } from '../../local/command-line.ts';
import { createProgress } from '../../local/ready-lines.ts';
import { openArchive, readFetches } from './position-archive.ts';
import { surveyReception } from './reception-survey.ts';
import { type ReceptionOptions, readReceptionOptions, reportText } from './report.ts';

const progress = createProgress(process.stderr);

async function report(options: ReceptionOptions): Promise<void> {
  const { declaration, fixes, days } = options;
  const archive = openArchive(options);
  const all = await archive.fetches(declaration.id, undefined, Number.MAX_SAFE_INTEGER);
  const fromAt = (all.at(-1) ?? 0) - days * DAY_MS;
  const times = all.filter((at) => at >= fromAt);
  const fetches = readFetches(options, archive, times, progress);
  const survey = await surveyReception(fixes, declaration.ports, fetches);
  for (const line of reportText(survey, fixes.usualUnit)) console.log(line);
}

await run(async () => {
  const options = readReceptionOptions(process.argv.slice(2));
  await report(options);
});
