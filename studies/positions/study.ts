/** `npm run study -- positions`: scores the engine against generated traffic and writes docs/ais-accuracy.md with its tables. */
import { writeFileSync } from 'node:fs';
import { command, parse, run } from '../../local/command-line.ts';
import { withDecimals } from '../../test/worlds/traffic/faulty-worlds.ts';
import { learnedFrom, measure, type Scores, shortfalls } from '../../test/worlds/traffic/measure.ts';
import { roadsteadWorld } from '../../test/worlds/traffic/roadstead-world.ts';
import type { GenerateWorld, WorldOptions } from '../../test/worlds/traffic/world-types.ts';
import { type FullTable, table, tableLink, writeTable } from '../accuracy/report.ts';
import { BIAS_SEEDS, biasText } from './bias-study.ts';
import { queueWorld } from './queue-world/world.ts';
import { servedSection } from './served-study.ts';

const DAYS = 3;
const VESSELS = 300;
const LESSON_DAYS = 12;
const LONG_DAYS = 10;

interface Run {
  readonly name: string;
  readonly options?: Partial<WorldOptions>;
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

/** A run of a generator, and which bars it misses. */
interface Measured {
  readonly run: Run;
  readonly scores: Scores;
  readonly missed: string;
}

function measureRuns(generate: GenerateWorld): Measured[] {
  const lessons = {
    ...USUAL,
    seed: 4,
    portsSeed: USUAL.seed,
    days: LESSON_DAYS,
    fixSeconds: 300,
    hard: true,
  };
  const places = learnedFrom(generate, lessons);
  return RUNS.map((run) => {
    const { name, options, isTaught, outageHours, decimals } = run;
    const published = decimals === undefined ? generate : withDecimals(generate, decimals);
    const scores = measure(published, { ...USUAL, ...options }, undefined, isTaught && places, outageHours);
    const missed = shortfalls(scores, options?.fixSeconds, outageHours).join(', ');
    console.log([name, ...cells(scores)].join(' | '), missed);
    return { run, scores, missed };
  });
}

/** The runs that the page sums up in one row. */
const GROUPS: readonly (readonly [name: string, has: (run: Run) => boolean])[] = [
  ['1 to 5 minutes', ({ options, outageHours }) => (options?.fixSeconds ?? 60) <= 300 && !outageHours],
  ['10 minutes', ({ options }) => options?.fixSeconds === 600],
  ['30 minutes', ({ options }) => options?.fixSeconds === 1800],
  ['5 minutes, 3 or 5 h a day without reception', ({ outageHours }) => outageHours !== undefined],
];

/** The worst figure of the runs of each group. */
function groupTable(runs: readonly Measured[]): string {
  const rows = GROUPS.map(([name, has]) => {
    const all = runs.filter(({ run }) => has(run)).map(({ scores }) => scores);
    const least = (of: (scores: Scores) => number): string => share(Math.min(...all.map(of)));
    const most = (of: (scores: Scores) => number, decimals: number): string =>
      Math.max(...all.map(of)).toFixed(decimals);
    return [
      name,
      least(({ own }) => own.recall),
      least(({ own }) => own.precision),
      least(({ own }) => own.kind),
      `${most(({ own }) => own.startP95, 1)} / ${most(({ own }) => own.endP95, 1)}`,
      `${most(({ averageWait }) => averageWait.meanError, 2)} / ${most(({ averageWait }) => averageWait.largestError, 2)}`,
    ];
  });
  return table(
    ['A fix every', 'Recall', 'Precision', 'Kind', 'Start / end', 'Mean wait, mean / largest error'],
    rows,
  );
}

/** How many waits of all runs belong to the right port. */
function portText(runs: readonly Measured[]): string {
  const own = runs.map(({ scores }) => scores.own);
  const sum = (of: (scores: Scores['own']) => number): number =>
    own.reduce((total, scores) => total + of(scores), 0);
  return `Port of waits: right for at least ${share(Math.min(...own.map((scores) => scores.berthedWaitPort)))} where the vessel has berthed, for ${sum((scores) => scores.unberthedRight)} of ${sum((scores) => scores.unberthedWaits)} where it has not.`;
}

/** The part of the page about a generator; writes the table of its runs. */
function generatorText(name: string, generate: GenerateWorld): string {
  const runs = measureRuns(generate);
  const each: FullTable = {
    name: `stays-${name}-generator`,
    title: 'Each run',
    columns: HEADINGS,
    rows: runs.map(({ run, scores }) => [run.name, ...cells(scores)]),
  };
  writeTable(each);
  const below = runs.filter(({ missed }) => missed !== '');
  return [
    groupTable(runs),
    '',
    `${portText(runs)} Below a bar: ${below.map(({ run, missed }) => `${run.name} (${missed})`).join('; ') || 'no run'}.`,
    '',
    tableLink(each),
  ].join('\n');
}

const page = async (): Promise<string> => `# Accuracy of stays from positions

Written by \`npm run study -- positions\`; do not edit. [Real tracks](accuracy.md#real-tracks-of-us-coasts) have few merchant stays, so the traffic is generated: ${DAYS} days
of ${VESSELS} cargo vessels and other craft, with gaps, outliers, wrong statuses, doubled and disordered rows, and pairs of vessels on one MMSI. A row
shows the worst of its runs.

- **Recall, precision**: a true stay (berth of 1 h, wait of 3 h or more) is found when it overlaps a found one by more than half of both; without
  reception, by the time that was received of it.
- **Start, end**: 95th percentile of the absolute error in minutes.
- **Port of waits**: that of the next berth; until then that at which most vessels that wait there berth next, else the nearest.
- **Mean wait** for a berth of a port with five berthings, hours.

Runs up to 5 minutes are three seeds; *hard traffic* (narrow swings, jitter, stuck statuses, gaps), also of ${LONG_DAYS} days with places learned before; positions
of three decimals; and *rough weather* (drifts, dragging anchors), weak evidence: both generators have it from the author of the engine.

## First generator

Eight US ports (\`studies/positions/roadstead-world.ts\`). Engine and generator have one author, so these figures are upper bounds.

${generatorText('first', roadsteadWorld)}

## Second generator

Thirteen ports at nine roadsteads (\`studies/positions/queue-world\`), by an author who had read neither the engine nor the first generator.
A vessel chooses among the ports of a roadstead by lot, so no rule can assign its open waits well.

${generatorText('second', queueWorld)}

So live polls come every five minutes. With ten, which a back-fill takes, borders are up to five minutes off; with thirty, one berth in eight after a shift is
lost.

## Bias

Seeds 1 to ${BIAS_SEEDS}, a fix every five minutes; ports of five berthings or more; vessels at anchor by port every six hours of the second half.

${biasText('First', roadsteadWorld, { ...USUAL, fixSeconds: 300 })}
${biasText('Second', queueWorld, { ...USUAL, fixSeconds: 300 })}

${await servedSection()}

## Bars

For fixes 1 to 5 minutes apart: recall and precision 0.98, kind 0.99, start and end 3 minutes (5 at five minutes), port of berthed waits
0.96. At ten minutes: recall 0.95, kind 0.98, start and end 10 minutes. With 3 or 5 hours a day without reception: recall and precision 0.93.
\`npm run test:all\` checks both generators.
`;
await run(async () => {
  const about =
    'Scores the engine against generated traffic, prints the runs and writes docs/ais-accuracy.md with its tables.';
  parse(command('npm run study -- positions --', about));
  writeFileSync(new URL('../../docs/ais-accuracy.md', import.meta.url), await page());
});
