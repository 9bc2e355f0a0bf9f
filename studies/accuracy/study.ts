/** `npm run study -- accuracy`: measures alerts, score, closures and forecasts, and rewrites their sections of docs/accuracy.md with the tables beside it. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { scoreAnnotated } from '../../test/detector/annotated-series.ts';
import { changePointsSection } from './change-points-study.ts';
import { CLOSURES_OF_2025, closuresSection } from './closures-study.ts';
import { CYCLONES, cyclonesSection } from './cyclones/section.ts';
import { annotatedSection, noiseSection } from './detector-sections.ts';
import { disruptionSection } from './disruption-study.ts';
import { FORECAST, forecastSection } from './forecast-study.ts';
import { PORTWATCH, portwatchSection } from './portwatch-study.ts';
import { type Section, withSections, writeTable } from './report.ts';
import { TARRAGONA, tarragonaSection } from './tarragona-study.ts';

const RUNS = 200;
const SEED = 1;
const DISRUPTION_SEEDS = 2;

const recordings = fileURLToPath(new URL('../../recordings', import.meta.url));
const docs = new URL('../../docs/', import.meta.url);
const page = new URL('accuracy.md', docs);

interface Folders {
  readonly polls?: string;
  readonly data?: string;
  readonly portwatch?: string;
}

/** What measures a section, by its id; undefined without the data that this repository may not hold. */
const studiesOn = ({ polls, data, portwatch }: Folders) =>
  ({
    'annotated-series': async () => annotatedSection(await scoreAnnotated(`${recordings}/tcpd`)),
    'autocorrelated-noise': () => noiseSection(RUNS, SEED),
    'change-points': () => changePointsSection(`${recordings}/release`),
    [FORECAST.id]: () => forecastSection(`${recordings}/release`),
    [CLOSURES_OF_2025.id]: polls === undefined ? undefined : () => closuresSection(polls),
    [TARRAGONA.id]: () => tarragonaSection(recordings),
    disruptions: () => disruptionSection(DISRUPTION_SEEDS),
    [CYCLONES.id]: data === undefined ? undefined : () => cyclonesSection(data),
    [PORTWATCH.id]:
      portwatch === undefined ? undefined : () => portwatchSection(`${recordings}/release`, portwatch),
  }) satisfies Readonly<Record<string, (() => Section | Promise<Section>) | undefined>>;

await run(async () => {
  const about =
    'Measures sections of docs/accuracy.md, prints them and rewrites them and their tables. Without its folder a section stays as it is.';
  const definition = command('npm run study -- accuracy', about)
    .option(
      '--polls <folder>',
      "an archive folder with a poll of TIPC's lists of January to September 2025, for the section on closures",
    )
    .option(
      '--data <folder>',
      'tables of CyPort (ChenchenMobility/CYPORT on GitHub), for the section on cyclones',
    )
    .option(
      '--portwatch <file>',
      'daily port calls of Kaohsiung of IMF PortWatch (port541) as CSV, date,portcalls, for the section beside satellites',
    )
    .option('--only <id...>', 'measures these sections alone');
  const { only, ...folders } = parse<Folders & { only?: string[] }>(definition);
  const studies = Object.entries(studiesOn(folders));
  const ids = studies.map(([id]) => id);
  const unknown = only?.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new UsageError(`no section ${unknown}; there are ${ids.join(', ')}`);
  const sections: Section[] = [];
  for (const [id, measure] of studies) {
    if (only?.includes(id) === false) continue;
    if (measure === undefined)
      console.log(`\nSection ${id} stays as it is: its data are not named, see --help`);
    else sections.push(await measure());
  }
  for (const section of sections) {
    console.log(`\n## ${section.title}\n\n${section.body}`);
    await writeFile(new URL(`accuracy/${section.id}.svg`, docs), section.plot);
    for (const each of section.tables ?? []) writeTable(each);
  }
  await writeFile(page, withSections(await readFile(page, 'utf8'), sections));
});
