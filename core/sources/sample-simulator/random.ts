/** Seeded random streams and the distributions of the simulation. */

/** The next number of a stream, uniform in [0, 1). */
export type RandomStream = () => number;

const { imul } = Math;

/** Murmur3's 32-bit finalizer: every input bit changes about half of the output bits. */
function mix(word: number): number {
  let mixed = word;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Two 32-bit FNV-1a hashes of the text with different offsets, finished by `mix` because FNV alone spreads short texts badly. */
function hashPair(text: string): [number, number] {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = imul(low ^ unit, 0x01000193);
    high = imul(high ^ unit, 0x01000193);
  }
  return [mix(low), mix(high)];
}

/** An independent stream for each key; equal keys give equal streams (sfc32, PractRand). */
export function randomStream(...key: readonly (string | number)[]): RandomStream {
  let [a, b] = hashPair(key.join('|'));
  let c = mix(a ^ b);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i += 1) next();
  return next;
}

/** Uniform in [`low`, `high`). */
export const uniform = (random: RandomStream, low: number, high: number): number =>
  low + (high - low) * random();

/** Exponential with the given mean; a Poisson process's time between arrivals. */
export const exponential = (random: RandomStream, mean: number): number => -mean * Math.log(1 - random());

/** Standard normal by Box and Muller. */
export const standardNormal = (random: RandomStream): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Log-normal with the given median; `spread` is the standard deviation of its logarithm. */
export const logNormal = (random: RandomStream, median: number, spread: number): number =>
  median * Math.exp(spread * standardNormal(random));
