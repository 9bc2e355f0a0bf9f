/** One horizon of a rolling forecast: its regression, residuals and band. */
import { FORECAST_METHODS, type ForecastMethod, type ForecastMetric } from '../reference/figure-names.ts';
import { Ascending, middle, quantile } from '../reference/statistics.ts';
import type { Day } from '../reference/time.ts';
import { DAY_HOURS, type KnownClosures, stoppedDays } from './closures.ts';
import type { DayFigures } from './figures.ts';
import { calmScore, TERMS, waitTerm } from './score.ts';
import { MIN_BERTHINGS, WINDOWS_DAYS } from './waits.ts';

// A forecast from a day on which the port is stopped: whether it still will be, by how long closures have lasted.

/** Before any is known, half of the closures last longer than two days, and few much longer (log-logistic). */
const USUAL_HOURS = 48;
const STEEPNESS = 4;
/** Weight of that, in closures. */
const PRIOR_CLOSURES = 4;
/** Below the first chance the closure counts as over, above the second as lasting, and as a part of both in between. */
const OVER = 0.3;
const LASTING = 0.7;

const lastsLonger = (hours: number): number => 1 / (1 + (hours / USUAL_HOURS) ** STEEPNESS);

/** The chance that a closure of `age` hours is still open `days` later, by the closures that had ended before. */
export function chanceOpen({ age, lengths }: KnownClosures, days: number): number {
  const then = age + days * DAY_HOURS;
  const longer = (hours: number): number =>
    PRIOR_CLOSURES * lastsLonger(hours) + lengths.filter((length) => length > hours).length;
  return longer(then) / longer(age);
}

/** The share of the closed value in a forecast, from 0 to 1. The median of two outcomes would jump from one to the other. */
const closedShare = (chance: number): number => Math.min(1, Math.max(0, (chance - OVER) / (LASTING - OVER)));

// What a forecast consists of: rows, and the skill of those before it.

export { FORECAST_METRICS, type ForecastMetric } from '../reference/figure-names.ts';

/** Horizon 1 is the day after the origin. */
export const HORIZON_DAYS = 7;
export const HORIZONS = Array.from({ length: HORIZON_DAYS }, (_, i) => i + 1);

/** One forecast day. Unit of the metric; 0 <= p10 <= p50 <= p90. */
export interface ForecastDay {
  readonly day: Day;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  readonly method: ForecastMethod;
  /** `p50` of every method, so that each can be scored when the day has ended. */
  readonly candidates: Readonly<Record<ForecastMethod, number>>;
}

/** A forecast from the values up to and including `originDay`, for the seven days that follow. */
export interface IssuedForecast {
  readonly originDay: Day;
  readonly days: readonly ForecastDay[];
}

export interface HorizonSkill {
  readonly horizon: number;
  /** Mean absolute error of `p50`, in the unit of the metric. */
  readonly error: number;
  /** `error` over that of the base line on the same days; undefined where the base line has no error. */
  readonly ratioToPersistence: number | undefined;
  readonly ratioToMedian: number | undefined;
  /** Share of the days on which the value lay from `p10` to `p90`. */
  readonly coverage: number;
}

export interface Skill {
  /** Measured on forecasts that were issued and stored, or on rolling origins of the history. */
  readonly basis: 'issued' | 'rolling';
  readonly origins: number;
  /** First and last origin. */
  readonly fromDay: Day;
  readonly toDay: Day;
  readonly horizons: readonly HorizonSkill[];
}

export interface Forecast extends IssuedForecast {
  /** Days of the history that have a value. */
  readonly historyDays: number;
  readonly skill: Skill;
}

// The origin of a forecast: its value, what is usual, and what is already known about the next days.

/**
 * The figures whose deviation from the usual predicts the following days. The queue at the end of a day predicts a wait
 * better than its own value does. A score has its own distance beside them.
 */
const FORECAST_TERMS = {
  avg_wait_hours: ['endAtAnchor', 'endWaitingHours'],
  at_anchor: ['dayAtAnchor', 'endAtAnchor'],
  congestion_score: ['endAtAnchor', 'endWaitingHours'],
} as const satisfies Readonly<Record<ForecastMetric, readonly (keyof DayFigures)[]>>;

const VALUES = {
  avg_wait_hours: 'avgWaitHours',
  at_anchor: 'dayAtAnchor',
  congestion_score: 'congestionScore',
} as const satisfies Readonly<Record<ForecastMetric, keyof DayFigures>>;

/** What the regression expects of a day: its figure, and the score without what a closure or a lack of berthings adds. */
const expectedValue = (metric: ForecastMetric, row: DayFigures): number | undefined =>
  (metric === 'congestion_score' ? calmScore(row) : undefined) ?? forecastValue(metric, row);

/** What is forecast of a day: its served figure, of `at_anchor` the mean over its covered hours. */
const forecastValue = (metric: ForecastMetric, row: DayFigures): number | undefined => row[VALUES[metric]];

/** The value of each of the days that have one. */
export const forecastValues = (metric: ForecastMetric, rows: readonly DayFigures[]): Map<Day, number> =>
  new Map(
    rows.flatMap((row) => {
      const value = forecastValue(metric, row);
      return value === undefined ? [] : [[row.day, value] as const];
    }),
  );

// The history of a forecast by columns: one place for every day, NaN where a day has no value.

/** What is usual is the median of this many days; half of them must be known. */
const USUAL_DAYS = 28;
const MIN_USUAL_VALUES = 14;

/** The usual value of every day; NaN with fewer than 14 values in the 28 days that end with it. */
function usualValues(column: Float64Array): Float64Array {
  const known = new Ascending();
  return column.map((value, at) => {
    const left = column[at - USUAL_DAYS] ?? Number.NaN;
    if (!Number.isNaN(left)) known.remove(left);
    if (!Number.isNaN(value)) known.add(value);
    return known.values.length < MIN_USUAL_VALUES ? Number.NaN : (middle(known.values) ?? Number.NaN);
  });
}

/** A figure of the days, and what was usual of it; NaN where it is not known. */
interface Column {
  readonly values: Float64Array;
  readonly usual: Float64Array;
}

export class ForecastDays {
  readonly value: Column;
  /** What the regression expects. */
  readonly calm: Column;
  readonly wait: Column;
  /** The closures known on each day; undefined unless the port was closed at the end of that day. */
  readonly stopped: readonly (KnownClosures | undefined)[];
  /** One for each term of the metric. */
  readonly terms: readonly Column[];
  /** Sums over the days before the index: days with a value, their berthings, and the hours that these waited. */
  readonly #days: Float64Array;
  readonly #berthings: Float64Array;
  readonly #hours: Float64Array;

  /** `days` has a place for every day, empty for one without a value; `history` has also the rows of those. */
  constructor(
    metric: ForecastMetric,
    days: readonly (DayFigures | undefined)[],
    history: readonly DayFigures[],
  ) {
    const column = (of: (day: DayFigures) => number | undefined): Column => {
      const values = Float64Array.from(days, (day) => (day && of(day)) ?? Number.NaN);
      return { values, usual: usualValues(values) };
    };
    const sums = (of: (day: DayFigures) => number): Float64Array => {
      const before = new Float64Array(days.length + 1);
      for (const [at, day] of days.entries()) before[at + 1] = (before[at] ?? 0) + (day ? of(day) : 0);
      return before;
    };
    const berthings = ({ avgWaitHours, dayWaits = 0 }: DayFigures): number =>
      avgWaitHours === undefined ? 0 : dayWaits;
    this.value = column((day) => forecastValue(metric, day));
    this.calm = column((day) => expectedValue(metric, day));
    const stopped = metric === 'congestion_score' ? stoppedDays(history) : undefined;
    this.stopped = days.map((day) => day && stopped?.get(day.day));
    this.wait = column(({ avgWaitHours }) => avgWaitHours);
    this.terms = FORECAST_TERMS[metric].map((name) => column((day) => day[name]));
    this.#days = sums(() => 1);
    this.#berthings = sums(berthings);
    this.#hours = sums((day) => berthings(day) * (day.dayWaitHours ?? 0));
  }

  /**
   * The average wait at each horizon if every vessel that berths after day `at` waits `usualHours`: some of its
   * berthings have already happened.
   */
  expectedWaits(at: number, usualHours: number): number[] {
    const newest = (sums: Float64Array, count: number): number =>
      (sums[at + 1] ?? 0) - (sums[Math.max(0, at + 1 - count)] ?? 0);
    const windowDays =
      WINDOWS_DAYS.find((count) => newest(this.#berthings, count) >= MIN_BERTHINGS) ?? USUAL_DAYS;
    const aDay = newest(this.#berthings, USUAL_DAYS) / newest(this.#days, USUAL_DAYS);
    return HORIZONS.map((horizon) => {
      const coming = aDay * horizon;
      const berthings = newest(this.#berthings, windowDays - horizon) + coming;
      const hours = newest(this.#hours, windowDays - horizon) + coming * usualHours;
      return berthings === 0 ? usualHours : hours / berthings;
    });
  }
}

export interface Origin {
  readonly value: number;
  readonly median: number;
  /** Distance of each term of the metric from what is usual; 0 where either is not known. */
  readonly distances: readonly number[];
  /** Expected value where all distances are zero, by horizon; index 0 is horizon 1. In the unit of the metric. */
  readonly expected: readonly number[];
  /** By horizon the chance that the closure is still open, where the port is stopped. */
  readonly open?: readonly number[];
}

/** Contribution of an average wait to the metric, less that of the usual wait. */
const contributions: Readonly<Record<ForecastMetric, ((wait: number, usual: number) => number) | undefined>> =
  {
    avg_wait_hours: (wait, usual) => wait - usual,
    at_anchor: undefined,
    congestion_score: (wait, usual) => (waitTerm(wait) - waitTerm(usual)) / TERMS,
  };

/** The origin at index `at`. Undefined where the day has no value, or fewer than 14 of the 28 days up to it have one. */
export function originAt(metric: ForecastMetric, days: ForecastDays, at: number): Origin | undefined {
  const value = days.value.values[at] ?? Number.NaN;
  const median = days.value.usual[at] ?? Number.NaN;
  if (Number.isNaN(value) || Number.isNaN(median)) return undefined;
  const usual = days.calm.usual[at] ?? Number.NaN;
  const contribution = contributions[metric];
  const usualWait = days.wait.usual[at] ?? Number.NaN;
  const waitNow = days.wait.values[at] ?? Number.NaN;
  const isWaitKnown = !Number.isNaN(usualWait) && !Number.isNaN(waitNow);
  const withWait = (wait: number): number =>
    contribution === undefined || !isWaitKnown ? usual : usual + contribution(wait, usualWait);
  const expected = days.expectedWaits(at, usualWait).map(withWait);
  const orNone = (distance: number): number => (Number.isNaN(distance) ? 0 : distance);
  const distances = days.terms.map(({ values, usual }) =>
    orNone((values[at] ?? Number.NaN) - (usual[at] ?? Number.NaN)),
  );
  const stopped = days.stopped[at];
  return {
    value,
    median,
    distances:
      metric === 'congestion_score'
        ? [orNone((days.calm.values[at] ?? Number.NaN) - withWait(waitNow)), ...distances]
        : distances,
    expected,
    ...(stopped && { open: HORIZONS.map((days) => chanceOpen(stopped, days)) }),
  };
}

// How much of today's distances from the usual remains at one horizon: a regression for each (Marcellino, Stock and
// Watson 2006), with coefficients that shrink towards a prior.

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
