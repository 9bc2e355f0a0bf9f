/** One horizon of a rolling forecast: what the outcomes so far say, and what they let expect. */
import { type Band, Residuals } from './forecast-band.ts';
import { FORECAST_METHODS, type ForecastMethod, type ForecastMetric } from './forecast-figures.ts';
import { type Origin, type Scale, scaleOf } from './forecast-origin.ts';
import { type Distances, Regression } from './forecast-regression.ts';

/** With fewer outcomes, a base line that is better is so by chance. */
export const MIN_OUTCOMES = 60;
/** Share of a distance from the median that is left after a day, before a port's own history says so. */
const PRIOR_LEFT = 0.85;
/** How much of it the queue at the end of the day stands for, where the queue itself is forecast. */
const PRIOR_QUEUE_SHARE = 0.7;

export type ByMethod<Value> = Readonly<Record<ForecastMethod, Value>>;
export const byMethod = <Value>(make: (method: ForecastMethod) => Value): Record<ForecastMethod, Value> => ({
  regression: make('regression'),
  median: make('median'),
  persistence: make('persistence'),
});

/** The method of least error; of equals the first of `FORECAST_METHODS`. */
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
    this.#scale = scaleOf(metric);
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
