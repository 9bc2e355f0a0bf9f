/**
 * `npm run study -- faults`: every fault scenario at length, with a table of the results; fails at the first broken promise.
 */
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { backFills } from '../../test/faults/back-fill.ts';
import { crashPoints, positionCrashPoints } from '../../test/faults/crash-points.ts';
import { BrokenPromise, type FaultReport } from '../../test/faults/fault-run.ts';
import { clockJumps, storeDown, upstreamDown } from '../../test/faults/outages.ts';
import { stalls } from '../../test/faults/stalls.ts';
import { lies } from './lies-study.ts';

type Scenarios = Readonly<Record<string, () => Promise<FaultReport>>>;

const scenariosOf = (seed: number, { replies = [], bases }: Options): Scenarios => ({
  crashes: () => crashPoints(120, seed),
  positions: () => positionCrashPoints(12, seed, 3),
  store: () => storeDown(24, seed),
  upstream: () => upstreamDown(seed),
  clocks: () => clockJumps(600, seed),
  'back-fills': () => backFills(40, seed),
  stalls: () => stalls(12, seed),
  lies: () => lies(replies, bases),
});

interface Options {
  readonly only?: string[];
  readonly replies?: string[];
  readonly bases?: string[];
}

async function runScenarios(seed: number, options: Options): Promise<void> {
  const { only } = options;
  console.log(`seed ${seed} (another: npm run study -- faults SEED)\n`);
  const scenarios = scenariosOf(seed, options);
  const unknown = only?.find((name) => !Object.hasOwn(scenarios, name));
  if (unknown !== undefined)
    throw new UsageError(`there is no scenario ${unknown}: ${Object.keys(scenarios).join(', ')}`);
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (only !== undefined && !only.includes(name)) continue;
    const beganAt = performance.now();
    const report = await scenario();
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    const counts = Object.entries(report.counts).map(([name, count]) => `${name} ${count}`);
    console.log(
      `${report.scenario.padEnd(38)}${String(report.runs).padStart(7)} runs ${seconds.padStart(7)} s  ${counts.join(', ')}`,
    );
    const { lasting = 0, blocked = 0 } = report.counts;
    if (lasting + blocked > 0)
      throw new BrokenPromise('a lie changes figures for good, or blocks good replies: docs/faults.md');
  }
  console.log('\nnothing lost, nothing doubled');
}

await run(async () => {
  const about =
    'Runs every fault scenario at length; fails at the first broken promise. Lies write docs/faults.md.';
  const definition = command('npm run study -- faults', about)
    .argument('[seed]', 'a whole number', '1')
    .option(
      '--only <name...>',
      'runs these scenarios alone: crashes, positions, store, upstream, clocks, back-fills, stalls, lies',
    )
    .option('--replies <folder...>', "archive folders with polls of TIPC's lists, which are falsified too")
    .option('--bases <name...>', 'falsifies the replies with names that begin so; the page keeps the others');
  const options = parse<Options>(definition);
  const [seed = ''] = definition.processedArgs as string[];
  if (!/^\d+$/.test(seed)) throw new UsageError('SEED must be a whole number');
  await runScenarios(Number(seed), options);
});
