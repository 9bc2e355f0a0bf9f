/**
 * How much of today's distances from the usual remains at one horizon: a regression for each (Marcellino, Stock and
 * Watson 2006), with coefficients that shrink towards a prior.
 */

/** Prior coefficients, one for each distance, and their weight in outcomes. None is below zero. */
export interface Prior {
  readonly coefficients: readonly number[];
  readonly outcomes: number;
}

/**
 * Least squares without an intercept, shrunk towards prior coefficients (Theil and Goldberger 1961). A distance whose
 * coefficient would be below zero is left out, the one that matters most first. Sums only: an outcome takes constant
 * time.
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

  expect(distances: readonly number[]): number {
    const coefficients = this.#coefficients();
    let rest = 0;
    for (const [i, distance] of distances.entries()) rest += (coefficients[i] ?? 0) * distance;
    return rest;
  }

  #square(i: number): number {
    return this.#products[i]?.[i] ?? 0;
  }

  #coefficients(): number[] {
    const coefficients = this.#prior.coefficients.slice();
    const kept: number[] = [];
    // The prior of a distance that has always been zero stays.
    for (const i of coefficients.keys()) if (this.#square(i) > 0) kept.push(i);
    for (;;) {
      const solution = solve(this.#equations(kept));
      let [worst, least] = [-1, 0];
      for (const [at, i] of kept.entries()) {
        const coefficient = solution[at] ?? 0;
        coefficients[i] = coefficient;
        if (coefficient >= 0) continue;
        const effect = coefficient * Math.sqrt(this.#square(i));
        if (effect < least) [worst, least] = [at, effect];
      }
      if (worst < 0) return coefficients;
      coefficients[kept[worst] ?? 0] = 0;
      kept.splice(worst, 1);
    }
  }

  /** The normal equations of these distances when the others count for nothing. */
  #equations(kept: readonly number[]): number[][] {
    const weight = this.#prior.outcomes / this.#outcomes;
    return kept.map((i) => {
      const products = this.#products[i] ?? [];
      // The prior enlarges the squares alone, so that the system is positive definite.
      const shrunk = weight * (products[i] ?? 0);
      const row = kept.map((j) => (products[j] ?? 0) + (i === j ? shrunk : 0));
      row.push((this.#moments[i] ?? 0) + shrunk * (this.#prior.coefficients[i] ?? 0));
      return row;
    });
  }
}

/** Solves a positive definite system by elimination, in its rows. Each has the coefficients of an equation, and then its right side. */
function solve(rows: readonly number[][]): number[] {
  const count = rows.length;
  for (const [at, pivot] of rows.entries()) {
    for (let below = at + 1; below < count; below += 1) {
      const row = rows[below] ?? [];
      const share = (row[at] ?? 0) / (pivot[at] ?? 1);
      for (let i = at + 1; i <= count; i += 1) row[i] = (row[i] ?? 0) - share * (pivot[i] ?? 0);
    }
  }
  const solution = rows.map(() => 0);
  for (let at = count - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? [];
    let left = row[count] ?? 0;
    for (let i = at + 1; i < count; i += 1) left -= (row[i] ?? 0) * (solution[i] ?? 0);
    solution[at] = left / (row[at] ?? 1);
  }
  return solution;
}
