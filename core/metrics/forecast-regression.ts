/**
 * The regression of one horizon: how much of today's distance from the usual is left after so many days. Direct forecasts,
 * one regression for each horizon (Marcellino, Stock and Watson 2006), with coefficients that shrink towards a prior.
 */

/** Distances from the usual: of the value, and of the queue at the end of the day. */
export type Distances = readonly [value: number, queue: number];

/** The prior weighs as much as so many outcomes. */
const PRIOR_OUTCOMES = 60;

/**
 * Least squares without an intercept, shrunk towards prior coefficients (Theil and Goldberger 1961); none is below zero.
 * Sums only: an outcome takes constant time.
 */
export class Regression {
  #outcomes = 0;
  readonly #squares = [0, 0] as [number, number];
  #product = 0;
  readonly #moments = [0, 0] as [number, number];

  constructor(readonly prior: Distances) {}

  /** `rest` is the outcome less what is expected where both distances are zero. */
  add([value, queue]: Distances, rest: number): void {
    this.#outcomes += 1;
    this.#squares[0] += value * value;
    this.#squares[1] += queue * queue;
    this.#product += value * queue;
    this.#moments[0] += value * rest;
    this.#moments[1] += queue * rest;
  }

  /** The expected rest. */
  expect([value, queue]: Distances): number {
    const [ofValue, ofQueue] = this.#coefficients();
    return Math.max(0, ofValue) * value + Math.max(0, ofQueue) * queue;
  }

  #coefficients(): Distances {
    const weight = this.#outcomes > 0 ? PRIOR_OUTCOMES / this.#outcomes : 0;
    const [a, d] = this.#squares.map((square) => square * (1 + weight)) as [number, number];
    const [e, f] = this.#moments.map(
      (moment, i) => moment + weight * (this.#squares[i] ?? 0) * (this.prior[i] ?? 0),
    ) as [number, number];
    const b = this.#product;
    if (a === 0 && d === 0) return this.prior;
    if (a === 0) return [this.prior[0], f / d];
    if (d === 0) return [e / a, this.prior[1]];
    // Above zero by Cauchy and Schwarz, because the prior has enlarged both squares.
    const determinant = a * d - b * b;
    return [(e * d - b * f) / determinant, (a * f - b * e) / determinant];
  }
}
