/** The band around a forecast, from residuals whose outcomes are known. */
import { quantile } from './waits.ts';

/** A band needs so many residuals. */
const MIN_RESIDUALS = 20;
/** Share of the outcomes that shall lie below the band, and above it. */
const TAIL = 0.1;
/** How far one outcome moves the level of a tail, and between which levels. */
const STEP = 0.02;
const [LOWEST_LEVEL, HIGHEST_LEVEL] = [0.02, 0.25];

/** Distances of the two ends of a band from the forecast, on the scale of the residuals. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

function insert(ascending: number[], value: number): void {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  ascending.splice(low, 0, value);
}

/** A tail that was missed too often gets a lower level, and so a wider band (Gibbs and Candès 2021). */
const moved = (level: number, isMissed: boolean): number =>
  Math.min(HIGHEST_LEVEL, Math.max(LOWEST_LEVEL, level + STEP * (TAIL - (isMissed ? 1 : 0))));

/** The residuals of one method at one horizon. */
export class Residuals {
  readonly #ascending: number[] = [];
  #low = TAIL;
  #high = TAIL;

  get count(): number {
    return this.#ascending.length;
  }

  /** `band` is the one that was forecast, if there was one. */
  add(residual: number, band: Band | undefined): void {
    insert(this.#ascending, residual);
    if (band === undefined) return;
    this.#low = moved(this.#low, residual < band.low);
    this.#high = moved(this.#high, residual > band.high);
  }

  /** Undefined with fewer than 20 residuals. */
  band(): Band | undefined {
    if (this.count < MIN_RESIDUALS) return undefined;
    return { low: this.#quantile(this.#low), high: this.#quantile(1 - this.#high) };
  }

  /** By rank k of n + 1: the next residual is as likely to fall into each of the n + 1 gaps (Weibull 1939). */
  #quantile(share: number): number {
    const n = this.count;
    const position = (share * (n + 1) - 1) / (n - 1);
    return quantile(this.#ascending, Math.min(1, Math.max(0, position)));
  }
}
