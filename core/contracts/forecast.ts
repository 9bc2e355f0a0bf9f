/** Forecast: the next seven days of one figure of a port, and how good such forecasts of it were (beta). */
import * as z from 'zod/mini';
import { FORECAST_METHODS, FORECAST_METRICS, type ForecastMetric } from '../reference/figure-names.ts';
import {
  asOfParameter,
  choiceParameter,
  type Defaulted,
  formatParameter,
  portParameter,
} from './parameters.ts';
import type { Route } from './route.ts';
import { count, day, decimal, described, listOf, locode, orNull, record, share, timestamp } from './wire.ts';

/** Days that a forecast looks ahead. */
const HORIZONS = 7;
const SHORT = 'null with the reason `short_history`.';
const UNIT = 'in the unit of the figure: hours, vessels or score';

const metric = described(z.enum(FORECAST_METRICS), {
  description:
    'The figure: `avg_wait_hours` and `congestion_score` as in the trend, or `at_anchor`, the mean number of vessels at anchor over the day.',
  example: 'avg_wait_hours',
});

const figure = decimal(3, 0, 100_000);

const forecastDay = record('ForecastDay', 'One day of a forecast.', {
  date: day('UTC calendar day.', '2026-11-21'),
  p10: figure('Below this in one case of ten.', 7.4),
  p50: figure('The forecast: as likely above as below.', 11.8),
  p90: figure('Above this in one case of ten. From p10 to p90 is the band of 80 %.', 18.9),
  method: described(z.enum(FORECAST_METHODS), {
    description:
      'How p50 is made: `regression`, from the waits that the average keeps and the queue, as the methodology states; `median`, the median of 28 days, or `persistence`, the newest value, where that was better.',
  }),
});

const ratio = (base: string, example: number) =>
  z.nullable(
    decimal(4, 0)(
      `Error divided by that of ${base}: below 1 is better than it; null where that error is 0.`,
      example,
    ),
  );

const horizonSkill = record('HorizonSkill', 'How good the forecasts for one horizon were.', {
  horizon: described(z.int().check(z.minimum(1), z.maximum(HORIZONS)), {
    description: 'Days ahead; 1 is the day that was running when the forecast was issued.',
    example: 1,
  }),
  error: decimal(4, 0)(`Mean absolute error of p50, ${UNIT}.`, 1.52),
  ratio_to_persistence: ratio('the newest value', 0.98),
  ratio_to_median: ratio('the median of 28 days', 0.6),
  coverage: share('Share of the outcomes that lay from p10 to p90; 0.8 is right.', 0.79),
});

const forecastSkill = record('ForecastSkill', 'How good forecasts of this figure of this port were.', {
  basis: described(z.enum(['issued', 'rolling']), {
    description:
      '`issued`: measured on the forecasts that were issued and stored. `rolling`, until 60 of these are known: on forecasts made afterwards from each past day, with nothing that came later.',
  }),
  origins: count('Forecasts that were measured.', 120),
  from: day('First day from which one of them looks ahead.', '2026-07-15'),
  to: day('Last such day.', '2026-11-12'),
  horizons: listOf(horizonSkill, HORIZONS, 'One element a horizon, the nearest first.'),
});

const forecast = record('PortForecast', 'Forecast of one figure of a port.', {
  port: locode,
  metric,
  as_of: orNull(
    timestamp('Newest observation behind the response.'),
    'Newest observation behind the response; null when nothing has been observed yet.',
  ),
  history_days: count('Days with a value of the figure that the forecast rests on, at most 400.', 214),
  skill: orNull(forecastSkill, `How good such forecasts were, for this port and this figure; ${SHORT}`),
  reason: orNull(
    z.enum(['short_history', 'stale']),
    'Why there are no rows: `short_history`, fewer than 90 days of history; `stale`, the newest observation of the port is older than a day. null with rows.',
  ),
  replayed: described(z.boolean(), {
    description:
      'The forecast was made afterwards, from an archive, by what was known on its day: it was never served then, and no `issued` skill counts it.',
  }),
  rows: listOf(
    forecastDay,
    HORIZONS,
    'Seven days, oldest first, from the day of `as_of` on; none with a reason.',
  ),
});
export type Forecast = z.infer<typeof forecast>;

const metricParameter: Defaulted<ForecastMetric> = {
  ...choiceParameter(FORECAST_METRICS, 'The figure to forecast.', 'vessels', 'at_anchor'),
  default: 'avg_wait_hours',
  inFileName: { place: 'subject', text: (metric) => metric.replaceAll('_', '-') },
};

const CSV_COLUMNS = [
  ...['port', 'metric', 'as_of', 'history_days', 'replayed'],
  ...['skill_basis', 'skill_origins', 'skill_from', 'skill_to'],
  ...Object.keys(horizonSkill.shape).filter((name) => name !== 'horizon'),
  ...Object.keys(forecastDay.shape),
];

/** One line a day: the head repeated, and the skill of that day's horizon. */
function csvRows({ skill, rows, ...head }: Forecast): Readonly<Record<string, unknown>>[] {
  const { horizons = [], basis, origins, from, to } = skill ?? {};
  const shared = { skill_basis: basis, skill_origins: origins, skill_from: from, skill_to: to };
  return rows.map((row, at) => ({ ...head, ...shared, ...horizons[at], ...row }));
}

export const forecastRoute = {
  summary: 'The next seven days, with the error of such forecasts (beta)',
  description:
    'Seven days of one figure as a band of 80 % and its middle, and in `skill` how far such forecasts of this port were off, beside two simple rules: the newest value, and the median of 28 days. A forecast is issued once a UTC day, when the first observation of that day is read, from the complete days before it; an issued forecast is stored and never changed, and `as_of` gives it as it was served. It is of the port as a whole, not of one vessel or berth. Without enough history or fresh observations there are no rows but a `reason`. Beta: its form can change; the changelog announces it. The Lite plan does not include it.',
  tag: 'Ports',
  paths: ['/v1/ports/{UNLOCODE}/forecast'],
  authenticated: true,
  beta: true,
  excludedPlans: ['lite'],
  path: { UNLOCODE: portParameter },
  query: { metric: metricParameter, as_of: asOfParameter, format: formatParameter },
  response: forecast,
  csv: { columns: CSV_COLUMNS, rowsOf: csvRows },
  example: {
    port: 'TWKHH',
    metric: 'avg_wait_hours',
    as_of: '2025-10-04T00:05:00Z',
    history_days: 257,
    skill: {
      basis: 'rolling',
      origins: 211,
      from: '2025-02-14',
      to: '2025-09-26',
      horizons: [
        {
          horizon: 1,
          error: 0.3412,
          ratio_to_persistence: 0.6259,
          ratio_to_median: 0.2476,
          coverage: 0.8431,
        },
        { horizon: 2, error: 0.3954, ratio_to_persistence: 0.455, ratio_to_median: 0.2778, coverage: 0.8477 },
      ],
    },
    reason: null,
    replayed: true,
    rows: [
      { date: '2025-10-04', p10: 5.3, p50: 5.7, p90: 6.3, method: 'regression' },
      { date: '2025-10-05', p10: 4.6, p50: 5.4, p90: 5.9, method: 'regression' },
    ],
  },
} as const satisfies Route<typeof forecast>;
