/** One horizon of a rolling forecast: what the outcomes so far say, and what they let expect. */

import { FORECAST_METHODS, type ForecastMethod, type ForecastMetric } from '../reference/figure-names.ts';
import { quantile } from '../reference/statistics.ts';
import { type Origin, type Scale, scale } from './forecast-origin.ts';
import { type Distances, Regression } from './forecast-regression.ts';

// The band around a forecast, from residuals whose outcomes are known.

/** A band needs so many residuals. */
const MIN_RESIDUALS = 20;
/** Share of the outcomes that shall lie below the band, and above it. */
const TAIL = 0.1;
/** How far one outcome moves the level of a tail, and between which levels. */
const STEP = 0.02;
const [MIN_LEVEL, MAX_LEVEL] = [0.02, 0.25];

/** Distances of the two ends of a band from the forecast, on the scale of the residuals. */
interface Band {
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
  Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, level + STEP * (TAIL - (isMissed ? 1 : 0))));

/** The residuals of one method at one horizon. */
class Residuals {
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

/** With fewer outcomes, a base line that is better is so by chance. */
export const MIN_OUTCOMES = 60;
/** Share of a distance from the median that is left after a day, before a port's own history says so. */
const PRIOR_LEFT = 0.85;
/** How much of it the queue at the end of the day stands for, where the queue itself is forecast. */
const PRIOR_QUEUE_SHARE = 0.7;

type ByMethod<Value> = Readonly<Record<ForecastMethod, Value>>;
export const byMethod = <Value>(make: (method: ForecastMethod) => Value): Record<ForecastMethod, Value> => ({
  regression: make('regression'),
  median: make('median'),
  persistence: make('persistence'),
});

/** The method of least error, on ties the earliest in `FORECAST_METHODS`. */
export const leastError = (errors: ByMethod<number>): ForecastMethod =>
  FORECAST_METHODS.reduce((best, method) => (errors[method] < errors[best] ? method : best));

/** What is expected at the horizon, in the unit of the metric, and the bands; undefined before there are residuals. */
export interface Prospect {
  readonly candidates: ByMethod<number>;
  readonly bands: ByMethod<Band | undefined>;
}

function priorOf(metric: ForecastMetric, days: number): Distances {
  // What is expected of an average wait already contains what is known of it.
  if (metric === 'avg_wait_hours') return [0, 0];
  const left = PRIOR_LEFT ** days;
  const queueShare = metric === 'at_anchor' ? PRIOR_QUEUE_SHARE : 0;
  return [(1 - queueShare) * left, queueShare * left];
}

export class Horizon {
  readonly #scale: Scale;
  readonly #regression: Regression;
  readonly #errors = byMethod(() => 0);
  readonly #residuals = byMethod(() => new Residuals());

  constructor(
    metric: ForecastMetric,
    readonly days: number,
  ) {
    this.#scale = scale(metric);
    this.#regression = new Regression(priorOf(metric, days));
  }

  prospect(origin: Origin): Prospect {
    const rest = this.#regression.expect(origin.distances);
    const regression = Math.max(0, this.#scale.from(this.#expected(origin) + rest));
    return {
      candidates: { regression, median: origin.median, persistence: origin.value },
      bands: byMethod((method) => this.#residuals[method].band()),
    };
  }

  /** `prospect` as it was at the origin. */
  add(origin: Origin, { candidates, bands }: Prospect, outcome: number): void {
    const { to } = this.#scale;
    this.#regression.add(origin.distances, to(outcome) - this.#expected(origin));
    for (const method of FORECAST_METHODS) {
      this.#errors[method] += Math.abs(outcome - candidates[method]);
      this.#residuals[method].add(to(outcome) - to(candidates[method]), bands[method]);
    }
  }

  /** The regression, until a base line has been better over 60 outcomes. */
  best(): ForecastMethod {
    return this.#residuals.regression.count < MIN_OUTCOMES ? 'regression' : leastError(this.#errors);
  }

  #expected({ expected }: Origin): number {
    return expected[this.days - 1] ?? Number.NaN;
  }
}
