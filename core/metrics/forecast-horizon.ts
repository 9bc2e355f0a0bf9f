/** One horizon of a rolling forecast: its regression, residuals and band. */

import { FORECAST_METHODS, type ForecastMethod, type ForecastMetric } from '../reference/figure-names.ts';
import { Ascending, quantile } from '../reference/statistics.ts';
import { closedShare } from './forecast-closure.ts';
import type { Origin } from './forecast-origin.ts';
import { type Prior, Regression } from './forecast-regression.ts';

// The band around a forecast, from residuals whose outcomes are known.

/** Least number of residuals for a band. */
const MIN_RESIDUALS = 20;
/** Target share of the outcomes below the band, and above it. */
const TAIL = 0.1;
/** Step by which an outcome moves the level of a tail, and the limits of that level. */
const STEP = 0.02;
const [MIN_LEVEL, MAX_LEVEL] = [0.02, 0.25];

/**
 * Weight of the newest outcome in the recent size of the residuals, and the floor of that size relative to all of them.
 */
const LATEST_SHARE = 1 / 12;
const LEAST_RECENT = 0.5;

/** Distances of the two ends of a band from the forecast, in the unit of the metric. */
interface Band {
  readonly low: number;
  readonly high: number;
}

/** The recent size of the residuals, and the band of that size; none with fewer than 20 residuals. */
interface Spread {
  readonly size: number;
  readonly band?: Band;
}

const NO_SPREAD: Spread = { size: 0 };

/** A tail that was missed too often gets a lower level, and so a wider band (Gibbs and Candès 2021). */
const moved = (level: number, isMissed: boolean): number =>
  Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, level + STEP * (TAIL - (isMissed ? 1 : 0))));

/**
 * Residuals of one method at one horizon, each divided by the size that was usual when it was forecast: a calm season
 * shows how residuals spread, not how large they are in a stormy one.
 */
class Residuals {
  readonly #relative = new Ascending();
  /** Sum of the absolute residuals, and the exponential mean of them. */
  #total = 0;
  #recent = 0;
  #low = TAIL;
  #high = TAIL;

  get count(): number {
    return this.#relative.values.length;
  }

  /** `size` and `band` are those of the forecast. */
  add(residual: number, { size, band }: Spread): void {
    const magnitude = Math.abs(residual);
    this.#total += magnitude;
    this.#recent = this.count === 0 ? magnitude : this.#recent + LATEST_SHARE * (magnitude - this.#recent);
    // The first residuals have no size to be compared with.
    this.#relative.add(size > 0 ? residual / size : Math.sign(residual));
    if (band === undefined) return;
    this.#low = moved(this.#low, residual < band.low);
    this.#high = moved(this.#high, residual > band.high);
  }

  spread(): Spread {
    if (this.count === 0) return { size: 0 };
    // After months without a queue the recent size is near zero, and any residual would be thousands of it.
    const size = Math.max(this.#recent, (LEAST_RECENT * this.#total) / this.count);
    if (this.count < MIN_RESIDUALS) return { size };
    return {
      size,
      band: { low: size * this.#quantile(this.#low), high: size * this.#quantile(1 - this.#high) },
    };
  }

  /** By rank k of n + 1: the next residual is as likely to fall into each of the n + 1 gaps (Weibull 1939). */
  #quantile(share: number): number {
    const n = this.count;
    const position = (share * (n + 1) - 1) / (n - 1);
    return quantile(this.#relative.values, Math.min(1, Math.max(0, position)));
  }
}

/** With fewer outcomes a better base line may be chance. */
export const MIN_OUTCOMES = 60;
const BASE_LINE_LEAD = 0.9;
/** Weight of the prior of a wait or a score, in outcomes. */
const PRIOR_OUTCOMES = 30;
/**
 * The share of a queue that remains after a day, and how it splits between the mean of the day and the queue at its
 * end. The port's own history says less about later days, so there the prior weighs more.
 */
const QUEUE_LEFT = 0.6;
const DAY_SHARE = 0.3;
const QUEUE_PRIOR_OUTCOMES = 100;

/** The share of its own distance that remains in a score after a day: most berthings of its week stay in it. */
const SCORE_LEFT = 0.9;

/** Prior coefficients of the distances, and their weight in outcomes. */
function priorOf(metric: ForecastMetric, days: number): Prior {
  // The expected wait and score already contain the waits that are known.
  if (metric === 'avg_wait_hours') return { coefficients: [0, 0], outcomes: PRIOR_OUTCOMES };
  if (metric === 'congestion_score')
    return { coefficients: [SCORE_LEFT ** days, 0, 0], outcomes: PRIOR_OUTCOMES };
  const left = QUEUE_LEFT ** days;
  return {
    coefficients: [DAY_SHARE * left, (1 - DAY_SHARE) * left],
    outcomes: QUEUE_PRIOR_OUTCOMES * days,
  };
}

type ByMethod<Value> = Readonly<Record<ForecastMethod, Value>>;
export const byMethod = <Value>(make: (method: ForecastMethod) => Value): Record<ForecastMethod, Value> => ({
  regression: make('regression'),
  median: make('median'),
  persistence: make('persistence'),
});

/**
 * The regression, unless a base line has less than nine tenths of its error: over sixty outcomes a smaller lead is
 * chance.
 */
export function bestMethod(errors: ByMethod<number>): ForecastMethod {
  const base = errors.persistence < errors.median ? 'persistence' : 'median';
  return errors[base] < BASE_LINE_LEAD * errors.regression ? base : 'regression';
}

/**
 * The forecasts of one horizon from every origin, by each method; none knows a day after its origin. Columns have a
 * place for every day.
 */
export class Horizon {
  /** By day, in the unit of the metric; NaN on a day from which no forecast is made. */
  readonly p50: ByMethod<readonly number[]>;
  readonly #bands = new Map<ForecastMethod, readonly (Band | undefined)[]>();

  /** What the regression expects where the port is open, and its forecast. */
  readonly #calm: readonly number[];

  /** `values` and `calm`, the outcomes of the regression, are NaN on a day without one. */
  constructor(
    metric: ForecastMetric,
    private readonly days: number,
    private readonly origins: readonly (Origin | undefined)[],
    private readonly values: Float64Array,
    calm: Float64Array,
  ) {
    this.#calm = this.#regressed(metric, calm);
    this.p50 = {
      regression: this.#calm.map((open, at) => {
        const origin = origins[at];
        const share = closedShare(origin?.open?.[days - 1] ?? 0);
        return open + share * Math.max(0, (origin?.value ?? 0) - open);
      }),
      median: origins.map((origin) => origin?.median ?? Number.NaN),
      persistence: origins.map((origin) => origin?.value ?? Number.NaN),
    };
  }

  /** The band of a method from every origin; undefined before twenty outcomes. */
  bands(method: ForecastMethod): readonly (Band | undefined)[] {
    const known = this.#bands.get(method);
    if (known) return known;
    const residuals = new Residuals();
    const spreads: (Spread | undefined)[] = [];
    for (const [at, origin] of this.origins.entries()) {
      const spread = spreads[at - this.days];
      const residual = this.#residual(method, at);
      // The spread of a forecast in a closure says nothing of the others.
      const isOpen = method === 'regression' && this.origins[at - this.days]?.open !== undefined;
      if (spread && !Number.isNaN(residual) && !isOpen) residuals.add(residual, spread);
      spreads.push(origin && residuals.spread());
    }
    const bands = spreads.map(({ band } = NO_SPREAD, at) =>
      method === 'regression' && band !== undefined ? this.#closureBand(band, at) : band,
    );
    this.#bands.set(method, bands);
    return bands;
  }

  /** From the open value to the closed one, as far as either has a chance of a tenth. */
  #closureBand(band: Band, at: number): Band {
    const { open, value } = this.origins[at] ?? {};
    const chance = open?.[this.days - 1];
    if (chance === undefined || value === undefined) return band;
    const [p50, calm] = [this.p50.regression[at] ?? 0, this.#calm[at] ?? 0];
    return {
      low: (chance < 1 - TAIL ? Math.min(p50, calm + band.low) : Math.min(p50, value)) - p50,
      high: Math.max(p50, calm + band.high, chance > TAIL ? value : 0) - p50,
    };
  }

  /** For every day the regression, until a base line has been much better over 60 outcomes. */
  bestMethods(): ForecastMethod[] {
    const errors = byMethod(() => 0);
    let outcomes = 0;
    return this.origins.map((_, at) => {
      if (!Number.isNaN(this.#residual('regression', at))) {
        outcomes += 1;
        for (const method of FORECAST_METHODS) errors[method] += Math.abs(this.#residual(method, at));
      }
      return outcomes < MIN_OUTCOMES ? 'regression' : bestMethod(errors);
    });
  }

  /** Returns outcome minus forecast, for the forecast of day `at`; NaN where there is none. */
  #residual(method: ForecastMethod, at: number): number {
    return (this.values[at] ?? Number.NaN) - (this.p50[method][at - this.days] ?? Number.NaN);
  }

  #regressed(metric: ForecastMetric, calm: Float64Array): number[] {
    const regression = new Regression(priorOf(metric, this.days));
    const expected = (origin: Origin): number => origin.expected[this.days - 1] ?? Number.NaN;
    return this.origins.map((origin, at) => {
      const before = this.origins[at - this.days];
      const outcome = calm[at] ?? Number.NaN;
      if (before && !Number.isNaN(outcome)) regression.add(before.distances, outcome - expected(before));
      if (origin === undefined) return Number.NaN;
      return Math.max(0, expected(origin) + regression.expect(origin.distances));
    });
  }
}
