/** Mutants chosen by a seed, and how many of them have to be detected. */
import { createHash } from 'node:crypto';

/**
 * `size` of the keys, the same ones for the same seed. Keys are ordered by a hash and not by a stream of random numbers,
 * so that a new mutant moves none of the others into the sample or out of it, save the one whose place it takes.
 */
export function chooseSample(keys: readonly string[], size: number, seed: number): string[] {
  const ranked = keys.map((key) => ({
    key,
    rank: createHash('sha256').update(`${seed} ${key}`).digest('hex'),
  }));
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ key }) => key);
}

/**
 * The fewest of `size` sampled mutants that have to be detected: where `share` of all are detected, a sample has fewer
 * with a probability of at most `chance` (binomial distribution).
 */
export function leastDetected(size: number, share: number, chance: number): number {
  let probability = (1 - share) ** size;
  let below = 0;
  for (let detected = 0; detected < size; detected += 1) {
    below += probability;
    if (below > chance) return detected;
    probability *= ((size - detected) / (detected + 1)) * (share / (1 - share));
  }
  return size;
}
