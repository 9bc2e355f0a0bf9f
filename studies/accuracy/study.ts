/** `npm run study -- accuracy`: measures detector and figures in whole runs, prints the figures and writes docs/accuracy.md and the tables beside it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { METHODOLOGY_VERSION } from '../../core/metrics/figures.ts';
import { command, parse, run } from '../../local/command-line.ts';
import { scoreAnnotated } from './annotated-study.ts';
import { certaintySection } from './certainty-section.ts';
import { COMPARED_WAITS, comparedWaitsSection } from './compared-waits-study.ts';
import { annotatedSection, levelStepsSection, noiseSection } from './detector-sections.ts';
import { disruptionSection } from './disruption-study.ts';
import { groundTruthSection, rampSection } from './figure-sections.ts';
import { FORECAST, forecastSection } from './forecast-study.ts';
import { KAOHSIUNG, kaohsiungSection } from './kaohsiung-study.ts';
import { newYorkSection } from './new-york-section.ts';
import { hongKongPolls } from './poll-interval-study.ts';
import { isSkipped, readTable, type Section, type Skipped, writePage, writeTable } from './report.ts';
import { TRACKTABLE, tracktableSection } from './tracktable-study.ts';

const RUNS = 200;
const SEED = 1;
const SIMULATED_DAYS = 90;
const LEVEL_SERIES = 500;
const RAMP_RUNS = 20;
const DISRUPTION_SEEDS = 2;
const POLL_INTERVAL_DAYS = 60;

const recordings = fileURLToPath(new URL('../../recordings', import.meta.url));
const docs = new URL('../../docs/', import.meta.url);
const page = new URL('accuracy.md', docs);

const head = `# Accuracy

<!-- Written by \`npm run study -- accuracy\`; do not edit. -->
Measured errors of the figures and of the change-point detector. Methodology ${METHODOLOGY_VERSION}; definitions: [methodology](methodology.md). \`npm test\`
checks a part of each section against the bars. [Stays from AIS positions](ais-accuracy.md) have a page of their own. Vintages are what was served: [8,036 responses](measurements.md#vintages) with \`as_of\` are byte for byte those of their time.
Full tables are JSON files under their links, and the portal shows them in the page.`;

/** Measured once: the Port of Los Angeles publishes its daily counts without a licence, so they cannot come with the repository. */
const LOS_ANGELES: Skipped = {
  title: 'The Los Angeles queue of 2022',
  reason: 'its data may not be in the repository.',
};

/** The package is 70 MB, most of it maps. */
function realTracks(folder: string | undefined): Section | Skipped {
  if (folder !== undefined) return tracktableSection(folder);
  const reason =
    "name the folder python_example_data of PyPI's package tracktable-data 1.7.3.1 with --tracktable FOLDER.";
  return { title: TRACKTABLE.title, reason };
}

/** TIPC publishes its lists without a licence, so they cannot come with the repository. */
function kaohsiung(
  folder: string | undefined,
  of: { title: string },
  section: (folder: string) => Section,
): Section | Skipped {
  if (folder !== undefined) return section(folder);
  return { title: of.title, reason: "name the folder of TIPC's lists of Kaohsiung with --kaohsiung FOLDER." };
}

await run(async () => {
  const about =
    'Measures detector and figures in whole runs, prints the figures and writes docs/accuracy.md and its tables.';
  const definition = command('npm run study -- accuracy', about)
    .option(
      '--kaohsiung <folder>',
      "TIPC's lists of Kaohsiung of 2025, for the sections on the forecast, on methodology 2.0 and on waits by positions",
    )
    .option(
      '--tracktable <folder>',
      "python_example_data of PyPI's package tracktable-data, for the section on real tracks",
    );
  const options = parse<{ kaohsiung?: string; tracktable?: string }>(definition);
  const parts = [
    certaintySection(
      POLL_INTERVAL_DAYS,
      hongKongPolls(recordings),
      ['first', 'second'].map((generator) => readTable(`stays-${generator}-generator`)),
    ),
    newYorkSection(`${recordings}/noaa-new-york`),
    realTracks(options.tracktable),
    kaohsiung(options.kaohsiung, COMPARED_WAITS, comparedWaitsSection),
    annotatedSection(await scoreAnnotated(`${recordings}/tcpd`)),
    noiseSection(RUNS, SEED),
    levelStepsSection(LEVEL_SERIES),
    LOS_ANGELES,
    kaohsiung(options.kaohsiung, FORECAST, forecastSection),
    kaohsiung(options.kaohsiung, KAOHSIUNG, kaohsiungSection),
    groundTruthSection(SIMULATED_DAYS),
    rampSection(RAMP_RUNS),
    disruptionSection(DISRUPTION_SEEDS),
  ];

  await mkdir(new URL('accuracy/', docs), { recursive: true });
  for (const part of parts) {
    if (isSkipped(part)) {
      console.log(`\n## ${part.title}\n\nSkipped, figures left as they were: ${part.reason}`);
      continue;
    }
    console.log(`\n## ${part.title}\n\n${part.body}`);
    await writeFile(new URL(`accuracy/${part.id}.svg`, docs), part.plot);
    for (const each of part.tables ?? []) writeTable(each);
  }
  await writeFile(page, writePage(head, parts, await readFile(page, 'utf8').catch(() => '')));
});
