/**
 * `npm run study -- faults`: every fault scenario at length, with a table of the results; fails at the first broken promise.
 */
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { crashPoints, positionCrashPoints } from './crash-points.ts';
import type { FaultReport } from './fault-run.ts';
import { clockJumps, storeDown, upstreamDown } from './outages.ts';
import { partitions } from './partitions.ts';
import { stalls } from './stalls.ts';

const scenariosOf = (seed: number): readonly (() => Promise<FaultReport>)[] => [
  () => crashPoints(120, seed),
  () => positionCrashPoints(12, seed, 3),
  () => storeDown(24, seed),
  () => upstreamDown(seed),
  () => clockJumps(600, seed),
  () => partitions(40, seed),
  () => stalls(12, seed),
];

async function everyScenario(seed: number): Promise<void> {
  console.log(`seed ${seed} (another: npm run study -- faults SEED)\n`);
  for (const scenario of scenariosOf(seed)) {
    const beganAt = performance.now();
    const report = await scenario();
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    const counts = Object.entries(report.counts).map(([name, count]) => `${name} ${count}`);
    console.log(
      `${report.scenario.padEnd(38)}${String(report.runs).padStart(7)} runs ${seconds.padStart(7)} s  ${counts.join(', ')}`,
    );
  }
  console.log('\nnothing lost, nothing doubled');
}

await run(async () => {
  const about = 'Runs every fault scenario at length; fails at the first broken promise.';
  const definition = command('npm run study -- faults', about).argument('[seed]', 'a whole number', '1');
  parse(definition);
  const [seed = ''] = definition.processedArgs as string[];
  if (!/^\d+$/.test(seed)) throw new UsageError('SEED must be a whole number');
  await everyScenario(Number(seed));
});
