/** Seeded random numbers. Every vessel and every fault draws from a stream of its own, named by labels. */

function mixed(hash: number, word: number): number {
  let mix = Math.imul(hash ^ word, 0x9e3779b1);
  mix = Math.imul(mix ^ (mix >>> 15), 0x85ebca77);
  return (mix ^ (mix >>> 13)) >>> 0;
}

export class Dice {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, ...labels: readonly (string | number)[]) {
    let hash = mixed(0x2545f491, seed);
    for (const label of labels.map(String)) {
      for (let i = 0; i < label.length; i++) hash = mixed(hash, label.charCodeAt(i) + 1);
      hash = mixed(hash, 0xffff);
    }
    this.#a = hash;
    this.#b = mixed(hash, 1);
    this.#c = mixed(hash, 2);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** Uniform in [0, 1): the small fast counting generator (sfc32) of PractRand. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** Standard normal deviate (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }
}
