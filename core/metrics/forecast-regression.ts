/**
 * The regression of one horizon: how much of today's distances from the usual remains after that many days. Direct
 * forecasts, one regression for each horizon (Marcellino, Stock and Watson 2006), with coefficients that shrink towards
 * a prior.
 */

/** Prior coefficients, one for each distance, and their weight in outcomes. None is below zero. */
export interface Prior {
  readonly coefficients: readonly number[];
  readonly outcomes: number;
}

/**
 * Least squares without an intercept, shrunk towards prior coefficients (Theil and Goldberger 1961). A distance whose
 * coefficient would be below zero is left out, the one that matters most first. Sums only: an outcome takes constant time.
 */
export class Regression {
  readonly #prior: Prior;
  #outcomes = 0;
  /** Sums of the products of two distances, and of a distance and the rest. */
  readonly #products: number[][];
  readonly #moments: number[];

  constructor(prior: Prior) {
    this.#prior = prior;
    this.#products = prior.coefficients.map(() => prior.coefficients.map(() => 0));
    this.#moments = prior.coefficients.map(() => 0);
  }

  /** `rest` is the outcome less what is expected where all distances are zero. */
  add(distances: readonly number[], rest: number): void {
    this.#outcomes += 1;
    for (const [i, distance] of distances.entries()) {
      this.#moments[i] = (this.#moments[i] ?? 0) + distance * rest;
      const products = this.#products[i] ?? [];
      for (const [j, other] of distances.entries()) products[j] = (products[j] ?? 0) + distance * other;
    }
  }

  /** The expected rest. */
  expect(distances: readonly number[]): number {
    const coefficients = this.#coefficients();
    return distances.reduce((rest, distance, i) => rest + (coefficients[i] ?? 0) * distance, 0);
  }

  #coefficients(): number[] {
    const coefficients = [...this.#prior.coefficients];
    const square = (i: number): number => this.#products[i]?.[i] ?? 0;
    // The prior of a distance that has always been zero stays.
    let kept = [...coefficients.keys()].filter((i) => square(i) > 0);
    for (;;) {
      const solution = this.#solution(kept);
      const effects = kept.map((i, at) => (solution[at] ?? 0) * Math.sqrt(square(i)));
      const least = effects.indexOf(Math.min(...effects));
      for (const [at, i] of kept.entries()) coefficients[i] = solution[at] ?? 0;
      const worst = kept[least];
      if (worst === undefined || (effects[least] ?? 0) >= 0) return coefficients;
      coefficients[worst] = 0;
      kept = kept.filter((i) => i !== worst);
    }
  }

  /** The coefficients of these distances when the others count for nothing. */
  #solution(kept: readonly number[]): number[] {
    const weight = this.#prior.outcomes / this.#outcomes;
    // The prior enlarges the squares alone, so that the system is positive definite.
    return solve(
      kept.map((i) => {
        const products = this.#products[i] ?? [];
        const shrunk = weight * (products[i] ?? 0);
        const row = kept.map((j) => (products[j] ?? 0) + (i === j ? shrunk : 0));
        return [...row, (this.#moments[i] ?? 0) + shrunk * (this.#prior.coefficients[i] ?? 0)];
      }),
    );
  }
}

/** Solves a positive definite system by elimination. A row has the coefficients of an equation, and then its right side. */
function solve([first, ...rest]: readonly (readonly number[])[]): number[] {
  if (first === undefined) return [];
  const [pivot = 1, ...others] = first;
  const reduced = rest.map(([head = 0, ...row]) =>
    row.map((value, i) => value - (head / pivot) * (others[i] ?? 0)),
  );
  const solution = solve(reduced);
  const right = others.at(-1) ?? 0;
  return [solution.reduce((left, value, i) => left - (others[i] ?? 0) * value, right) / pivot, ...solution];
}
