/** `npm run ais-accuracy`: scores the engine against generated traffic and writes docs/ais-accuracy.md. */
import { writeFileSync } from 'node:fs';
import type { EngineParameters } from '../../core/ais/parameters.ts';
import { command, parse, run } from '../../local/command-line.ts';
import { BIAS_SEEDS, biasRow } from './bias-study.ts';
import { withDecimals } from './faulty-worlds.ts';
import { learnedFrom, measure, type Scores, shortfalls } from './measure.ts';
import { queueWorld } from './queue-world/world.ts';
import { roadsteadWorld } from './roadstead-world.ts';
import { servedSection } from './served-study.ts';
import type { GenerateWorld, WorldOptions } from './world-types.ts';

const DAYS = 3;
const VESSELS = 300;
const LESSON_DAYS = 12;
const LONG_DAYS = 10;

interface Run {
  readonly name: string;
  readonly options?: Partial<WorldOptions>;
  readonly defect?: Partial<EngineParameters>;
  /** Hours of each day without reception. */
  readonly outageHours?: number;
  readonly decimals?: number;
  /** The places are learned from twelve days of other vessels at the same berths and anchorages. */
  readonly isTaught?: true;
}

const RUNS: readonly Run[] = [
  { name: 'seed 1' },
  { name: 'seed 2', options: { seed: 2 } },
  { name: 'seed 3', options: { seed: 3 } },
  { name: 'hard traffic', options: { hard: true } },
  { name: 'a fix every 5 minutes', options: { fixSeconds: 300 } },
  { name: 'rough weather, every 5 minutes', options: { fixSeconds: 300, rough: true } },
  { name: 'three decimals, every 5 minutes', options: { fixSeconds: 300 }, decimals: 3 },
  {
    name: `${LONG_DAYS} days, hard, places learned before`,
    options: { days: LONG_DAYS, hard: true },
    isTaught: true,
  },
  { name: 'a fix every 10 minutes', options: { fixSeconds: 600 } },
  { name: 'a fix every 30 minutes', options: { fixSeconds: 1800 } },
  ...[3, 5].map((outageHours) => ({
    name: `every 5 minutes, ${outageHours} h a day without reception`,
    options: { fixSeconds: 300 },
    outageHours,
  })),
  { name: '**defect**: one track an MMSI', defect: { tracksPerVessel: 1 } },
  { name: '**defect**: no test of reach', defect: { reachKnots: 1e9, reachMetres: 1e9 } },
  {
    name: '**defect**: a stop ends by time alone',
    defect: { leaveMetres: 1e9, moveMetres: 1e9, jumpMetres: 1e9, shiftMetres: 1e9 },
  },
];

const share = (value: number): string => value.toFixed(3);

function cells({ own, shared, kindAlone, shifts, averageWait: wait }: Scores): string[] {
  return [
    share(own.recall),
    share(own.precision),
    `${share(kindAlone)} / ${share(own.kind)}`,
    `${own.startP95.toFixed(1)} / ${own.endP95.toFixed(1)}`,
    `${share(shifts)} / ${share(shared.recall)}`,
    share(own.berthedWaitPort),
    `${own.unberthedRight} of ${own.unberthedWaits}`,
    `${wait.meanError.toFixed(2)} / ${wait.largestError.toFixed(2)}`,
  ];
}

const HEADINGS = [
  'Run',
  'Recall',
  'Precision',
  'Kind, alone / learned',
  'Start / end',
  'Recall after a shift / of shared MMSIs',
  'Port of waits, berthed',
  'Not berthed',
  'Mean wait of a port, error h, mean / largest',
];

const USUAL: WorldOptions = {
  seed: 1,
  startAt: Date.UTC(2026, 0, 5),
  days: DAYS,
  vessels: VESSELS,
  fixSeconds: 60,
  hard: false,
};

function table(generate: GenerateWorld): string {
  const lessons = {
    ...USUAL,
    seed: 4,
    portsSeed: USUAL.seed,
    days: LESSON_DAYS,
    fixSeconds: 300,
    hard: true,
  };
  const places = learnedFrom(generate, lessons);
  const [rows, below]: [string[], string[]] = [[], []];
  for (const { name, options, defect, isTaught, outageHours, decimals } of RUNS) {
    const published = decimals === undefined ? generate : withDecimals(generate, decimals);
    const scores = measure(published, { ...USUAL, ...options }, defect, isTaught && places, outageHours);
    const missed = shortfalls(scores, options?.fixSeconds, outageHours).join(', ');
    const row = `| ${[name, ...cells(scores)].join(' | ')} |`;
    console.log(row, missed);
    if (defect === undefined) rows.push(row);
    if (missed !== '') below.push(`- ${name}: ${missed}`);
  }
  return [
    `| ${HEADINGS.join(' | ')} |`,
    `|${'---|'.repeat(HEADINGS.length)}`,
    ...rows,
    '',
    'Below a bar:',
    '',
    ...below,
  ].join('\n');
}

const page = async (): Promise<string> => `# Accuracy of stays from positions

Written by \`npm run ais-accuracy\`; do not edit. [Real tracks](accuracy.md#real-tracks-of-us-coasts) have few merchant stays, so the traffic is generated: ${DAYS} days
of ${VESSELS} cargo vessels and other craft, with gaps, outliers, stuck and late statuses, doubled and disordered rows, and pairs
of vessels on one MMSI, a fix a minute where the row does not say otherwise. *Hard traffic* has narrow swings, more jitter, 35 % stuck statuses, and gaps on 70 %.
*Rough weather*, by the author of the engine in both generators, is weak evidence: drifts of 0.5 to 2 knots, and in the second dragging anchors.

- A true stay (berth of 1 h or more, wait of 3 h or more) is **found** when it overlaps a found one by more than half of both.
  Without reception some hours of each day, a stay counts by the time that was received of it: when it began or ended in an outage is unknown.
- **Kind**: by spread, heading and status alone; with places learned from the same run, or before it from ${LESSON_DAYS} days of other vessels.
- **Start, end**: 95th percentile of the absolute error in minutes.
- **Port of waits**: a wait belongs to the port of the next berth. *Not berthed* counts the right ports of vessels that have not berthed
  when the data end: they are assigned to the port at which most vessels that wait in that place berth next, else to the nearest.
- **Mean wait of a port**: of ports with five waits or more.

## First generator

Eight US ports (\`test/ais-accuracy/roadstead-world.ts\`). Engine and generator have one author, so these figures are upper bounds.

${table(roadsteadWorld)}

## Second generator

Thirteen ports at nine roadsteads (\`test/ais-accuracy/queue-world\`), by an author who had read neither the engine nor the first generator.
A transponder at rest reports every three minutes, and stays begin and end at one knot, up to two and a half minutes before half a knot.
Ports of one roadstead share its anchorages and a vessel chooses among them by lot, so no rule can assign its open waits well: of 214 the nearest
port was right for 143, the port of most vessels that waited there for 158.

${table(queueWorld)}

## Bias

Seeds 1 to ${BIAS_SEEDS} of both generators, a fix every five minutes: by how much the mean of all waits found is longer than the true one, its range,
the seeds in which it is longer with the probability of as uneven a split (sign test), ports of five waits or more whose mean is within 10 %, and
counts of vessels at anchor of a port, every six hours of the second half, that differ by one at most, with the largest difference. In the
second generator vessels that still wait in a shared anchorage count for the nearest port.

| Generator | Bias | Range | Longer | Sign test | Mean within 10 % | \`at_anchor\` within 1 | Largest |
|---|---|---|---|---|---|---|---|
${biasRow('first', roadsteadWorld, { ...USUAL, fixSeconds: 300 })}
${biasRow('second', queueWorld, { ...USUAL, fixSeconds: 300 })}

${await servedSection()}

## The interval of live polls

Five minutes: up to there recall, kind and port are those of a fix a minute. With ten, which a back-fill takes, borders are up to five minutes off.
With thirty, one berth in eight after a shift is lost, and the mean wait of a port is wrong by hours at worst.

## Bars

Of \`test/unit/ais/accuracy.test.ts\` (both generators in \`npm run test:all\`), for fixes one to five minutes apart: recall and precision 0.98, kind 0.99,
start and end 3 minutes (5 at five minutes), port of berthed waits 0.96. At ten minutes: recall 0.95, kind 0.98, start and end 10 minutes.
With 3 or 5 hours a day without reception: recall and precision 0.93.
`;
await run(async () => {
  const about =
    'Scores the engine against generated traffic, prints the tables and writes docs/ais-accuracy.md.';
  parse(command('npm run ais-accuracy --', about));
  writeFileSync(new URL('../../docs/ais-accuracy.md', import.meta.url), await page());
});
