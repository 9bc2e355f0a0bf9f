/** `npm run accuracy`: measures detector and figures in whole runs, prints the tables and writes docs/accuracy.md. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { METHODOLOGY_VERSION } from '../core/metrics/methodology.ts';
import { sharedPath } from '../test/builders/shared-data.ts';
import { scoreAnnotated } from './accuracy/annotated-study.ts';
import {
  annotatedSection,
  levelStepsSection,
  noiseSection,
  queueClearingSection,
} from './accuracy/detector-sections.ts';
import { groundTruthSection, rampSection } from './accuracy/figure-sections.ts';
import { studyQueueClearing } from './accuracy/queue-clearing-study.ts';
import { isSkipped, type Section, type Skipped, writePage } from './accuracy/report.ts';

const RUNS = 200;
const SEED = 1;
const SIMULATED_DAYS = 90;
const LEVEL_SERIES = 500;
const RAMP_RUNS = 20;

const docs = new URL('../docs/', import.meta.url);
const page = new URL('accuracy.md', docs);

const head = `# Accuracy

Written by \`npm run accuracy\`; do not edit between the markers. Methodology ${METHODOLOGY_VERSION}. Every run is seeded, so that the
same code gives the same figures. How each figure is defined: [methodology](methodology.md). A slice of every part is
among the tests of \`npm test\`, with the bars stated here.`;

async function measured(
  id: string,
  title: string,
  relative: string,
  measure: (path: string) => Promise<Section>,
): Promise<Section | Skipped> {
  const path = sharedPath(relative);
  if (path !== undefined) return measure(path);
  return { id, title, reason: `the folder shared/${relative} does not lie beside the checkout.` };
}

const parts = [
  await measured('annotated-series', 'Annotated series', 'data/tcpd', async (path) =>
    annotatedSection(await scoreAnnotated(path)),
  ),
  noiseSection(RUNS, SEED),
  levelStepsSection(LEVEL_SERIES),
  await measured(
    'los-angeles-2022',
    'The Los Angeles queue of 2022',
    'data/pola/container_vessel_activity_2022-01_2022-08.csv',
    async (path) => queueClearingSection(await studyQueueClearing(path)),
  ),
  groundTruthSection(SIMULATED_DAYS),
  rampSection(RAMP_RUNS),
];

await mkdir(new URL('accuracy/', docs), { recursive: true });
for (const part of parts) {
  if (isSkipped(part)) {
    console.log(`\n## ${part.title}\n\nSkipped, figures left as they were: ${part.reason}`);
    continue;
  }
  console.log(`\n## ${part.title}\n\n${part.body}`);
  await writeFile(new URL(`accuracy/${part.id}.svg`, docs), part.plot);
}
await writeFile(page, writePage(head, parts, await readFile(page, 'utf8').catch(() => '')));
