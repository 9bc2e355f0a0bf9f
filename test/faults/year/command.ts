/** `npm run faults -- year [--seed N] [--days N]`: the simulated year at length, with its figures. */
import { parseArgs } from 'node:util';
import { DAY_MS } from '../../../core/reference/time.ts';
import { simulateYear } from './year.ts';

const DEFAULT_DAYS = 365;

/** Prints the seed first, so that a year that fails can be lived again. */
export async function yearCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, days: { type: 'string' } },
  });
  const seed = Number(values.seed ?? Math.floor(Date.now() / 1000));
  const days = Number(values.days ?? DEFAULT_DAYS);
  console.log(`npm run faults -- year --seed ${seed} --days ${days}\n`);
  const beganAt = performance.now();
  const { counts, runs } = await simulateYear({
    seed,
    days,
    onMonth: ({ day, passes, passMs, rows, largestRow }) =>
      console.log(
        `day ${String(day).padStart(4)}  ${String(passes).padStart(6)} passes  ${passMs.toFixed(2)} ms a pass  ` +
          `${String(rows).padStart(6)} rows, the longest of ${largestRow} bytes`,
      ),
  });
  const tookMs = performance.now() - beganAt;
  for (const [name, count] of Object.entries(counts).sort()) console.log(`${name.padEnd(24)}${count}`);
  const ratio = Math.round((days * DAY_MS) / tookMs);
  console.log(
    `\n${days} days in ${(tookMs / 1000).toFixed(1)} s, ${ratio} : 1; ${runs} passes, every guarantee met`,
  );
}
