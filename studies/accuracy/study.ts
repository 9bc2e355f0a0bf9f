/** `npm run study -- accuracy`: measures detector and figures in whole runs, prints the figures and writes docs/accuracy.md and the tables beside it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { METHODOLOGY_VERSION } from '../../core/metrics/figures.ts';
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { scoreAnnotated } from '../../test/detector/annotated-series.ts';
import { certaintySection } from './certainty-section.ts';
import { changePointsSection } from './change-points-study.ts';
import { CLOSURES_OF_2025, closuresSection } from './closures-study.ts';
import { COMPARED_WAITS, comparedWaitsSection } from './compared-waits-study.ts';
import { comparisonTable } from './comparison-table.ts';
import { CYCLONES, cyclonesSection } from './cyclones/section.ts';
import { annotatedSection, noiseSection } from './detector-sections.ts';
import { disruptionSection } from './disruption-study.ts';
import { groundTruthSection, rampSection } from './figure-sections.ts';
import { FORECAST, forecastSection } from './forecast-study.ts';
import { newYorkSection } from './new-york-section.ts';
import { hongKongPolls } from './poll-interval-study.ts';
import {
  isMeasured,
  isSkipped,
  type Kept,
  readTable,
  type Section,
  type Skipped,
  writePage,
  writeTable,
} from './report.ts';
import { TRACKTABLE, tracktableSection } from './tracktable-study.ts';

const RUNS = 200;
const SEED = 1;
const SIMULATED_DAYS = 90;
const RAMP_RUNS = 20;
const DISRUPTION_SEEDS = 2;
const POLL_INTERVAL_DAYS = 60;

const recordings = fileURLToPath(new URL('../../recordings', import.meta.url));
const docs = new URL('../../docs/', import.meta.url);
const page = new URL('accuracy.md', docs);

const head = `# Accuracy

<!-- Written by \`npm run study -- accuracy\`; do not edit. -->
Methodology ${METHODOLOGY_VERSION}; [definitions](methodology.md). \`npm test\` checks a part of each section against its bars. Elsewhere: [stays from AIS positions](ais-accuracy.md), [vintages](measurements.md#vintages).

${comparisonTable()}`;

/** Measured once: the Port of Los Angeles publishes its daily counts without a licence, so they cannot come with the repository. */
const LOS_ANGELES: Skipped = {
  id: 'los-angeles-2022',
  title: 'The Los Angeles queue of 2022',
  reason: 'its data may not be in the repository.',
};

/** The package is 70 MB, most of it maps. */
function realTracks(folder: string | undefined): Section | Skipped {
  if (folder !== undefined) return tracktableSection(folder);
  const reason =
    "name the folder python_example_data of PyPI's package tracktable-data 1.7.3.1 with --tracktable FOLDER.";
  return { ...TRACKTABLE, reason };
}

/** TIPC publishes its lists without a licence, so they cannot come with the repository. */
function kaohsiung(
  folder: string | undefined,
  of: { id: string; title: string },
  section: (folder: string) => Section,
): Section | Skipped {
  if (folder !== undefined) return section(folder);
  return { ...of, reason: "name the folder of TIPC's lists of Kaohsiung with --kaohsiung FOLDER." };
}

/** Of the same lists, as one poll of the source in a folder of an archive. */
function closures(archive: string | undefined): Section | Skipped {
  if (archive !== undefined) return closuresSection(archive);
  const reason =
    'name an archive folder with a poll of tipc-taiwan over January to September 2025 with --polls FOLDER.';
  return { ...CLOSURES_OF_2025, reason };
}

/** The data set is 250 KB a year, and grows by years on which the rule was not chosen. */
function cyclones(folder: string | undefined): Section | Skipped {
  if (folder !== undefined) return cyclonesSection(folder);
  const reason =
    'name the folder of the tables of CyPort (ChenchenMobility/CYPORT on GitHub) with --data FOLDER.';
  return { ...CYCLONES, reason };
}

/** What measures a section, by its id, which `--only` names. */
type Study = readonly [id: string, measure: () => Section | Skipped | Promise<Section | Skipped>];

await run(async () => {
  const about =
    'Measures detector and figures in whole runs, prints the figures and writes docs/accuracy.md and its tables.';
  const definition = command('npm run study -- accuracy', about)
    .option(
      '--kaohsiung <folder>',
      "TIPC's lists of Kaohsiung of 2025, for the sections on the forecast and on waits by positions",
    )
    .option('--polls <folder>', "an archive folder with a poll of TIPC's lists, for the section on closures")
    .option(
      '--tracktable <folder>',
      "python_example_data of PyPI's package tracktable-data, for the section on real tracks",
    )
    .option('--only <id...>', 'measures these sections alone, and leaves the others as they were')
    .option('--data <folder>', 'tables of CyPort, for the section on cyclones');
  const options = parse<{
    kaohsiung?: string;
    polls?: string;
    tracktable?: string;
    only?: string[];
    data?: string;
  }>(definition);
  const studies: readonly Study[] = [
    [
      'certainty',
      () =>
        certaintySection(
          POLL_INTERVAL_DAYS,
          hongKongPolls(recordings),
          ['first', 'second'].map((generator) => readTable(`stays-${generator}-generator`)),
        ),
    ],
    ['new-york', () => newYorkSection(`${recordings}/noaa-new-york`)],
    [TRACKTABLE.id, () => realTracks(options.tracktable)],
    [COMPARED_WAITS.id, () => kaohsiung(options.kaohsiung, COMPARED_WAITS, comparedWaitsSection)],
    ['annotated-series', async () => annotatedSection(await scoreAnnotated(`${recordings}/tcpd`))],
    ['autocorrelated-noise', () => noiseSection(RUNS, SEED)],
    ['change-points', () => changePointsSection(`${recordings}/release`)],
    [LOS_ANGELES.id, () => LOS_ANGELES],
    [FORECAST.id, () => kaohsiung(options.kaohsiung, FORECAST, forecastSection)],
    [CLOSURES_OF_2025.id, () => closures(options.polls)],
    ['simulated-ports', () => groundTruthSection(SIMULATED_DAYS)],
    ['ramp', () => rampSection(RAMP_RUNS)],
    ['disruptions', () => disruptionSection(DISRUPTION_SEEDS)],
    [CYCLONES.id, () => cyclones(options.data)],
  ];
  const ids = studies.map(([id]) => id);
  const unknown = options.only?.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new UsageError(`no section ${unknown}; there are ${ids.join(', ')}`);
  const parts: (Section | Skipped | Kept)[] = [];
  for (const [id, measure] of studies) {
    parts.push(options.only?.includes(id) === false ? { id } : await measure());
  }

  await mkdir(new URL('accuracy/', docs), { recursive: true });
  for (const part of parts) {
    if (isSkipped(part)) {
      console.log(`\n## ${part.title}\n\nSkipped, figures left as they were: ${part.reason}`);
      continue;
    }
    if (!isMeasured(part)) continue;
    console.log(`\n## ${part.title}\n\n${part.body}`);
    await writeFile(new URL(`accuracy/${part.id}.svg`, docs), part.plot);
    for (const each of part.tables ?? []) writeTable(each);
  }
  await writeFile(page, writePage(head, parts, await readFile(page, 'utf8').catch(() => '')));
});
