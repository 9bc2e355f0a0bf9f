/** Whether positions make waits longer or shorter: the mean wait and the vessels at anchor of ports, over many seeds. */
import { measure } from '../../test/worlds/traffic/measure.ts';
import type { GenerateWorld, WorldOptions } from '../../test/worlds/traffic/world-types.ts';

export const BIAS_SEEDS = 8;

/** Probability of at most this many of either sign, if both signs are equally likely (two-sided sign test). */
export function signTest(positive: number, negative: number): number {
  const count = positive + negative;
  let [ways, sum] = [1, 0];
  for (let fewer = 0; fewer <= Math.min(positive, negative); fewer += 1) {
    sum += ways;
    ways = (ways * (count - fewer)) / (fewer + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** count);
}

/** A list item: seeds 1 to `BIAS_SEEDS` of a generator. */
export function biasText(name: string, generate: GenerateWorld, options: WorldOptions): string {
  const runs = Array.from({ length: BIAS_SEEDS }, (_, i) => measure(generate, { ...options, seed: i + 1 }));
  const biases = runs.map(({ averageWait: { found, truth } }) => found / truth - 1);
  const longer = biases.filter((bias) => bias > 0).length;
  const total = (of: (run: (typeof runs)[number]) => number): number =>
    runs.reduce((sum, run) => sum + of(run), 0);
  const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
  const bias = percent(total(({ averageWait: { found, truth } }) => found / truth - 1) / runs.length);
  const uneven = signTest(longer, runs.length - longer).toFixed(2);
  const counts = (name: 'atAnchor' | 'atAnchorOfRoadsteads'): string =>
    `${total((run) => run[name].within)} of ${total((run) => run[name].counts)} (at worst by ${Math.max(...runs.map((run) => run[name].largest))})`;
  return [
    `- ${name}: the mean of all waits is off by ${bias} (${percent(Math.min(...biases))} to ${percent(Math.max(...biases))}; longer in ${longer} of ${runs.length} seeds, sign test ${uneven}), the mean wait for a berth`,
    `  of ${total(({ averageWait }) => averageWait.portsWithin)} of ${total(({ averageWait }) => averageWait.ports)} ports by 10% at most; at anchor, off by one at most: ${counts('atAnchor')}, by roadstead ${counts('atAnchorOfRoadsteads')}`,
  ].join('\n');
}
