/** Forecasts from rolling origins beside those of both base lines: error, coverage and pinball loss by horizon. */
import type { DayFigures } from '../../core/metrics/figures.ts';
import {
  type ForecastDay,
  forecastValues,
  HORIZON_DAYS,
  HORIZONS,
  type IssuedForecast,
  rollForecasts,
} from '../../core/metrics/forecast.ts';
import { FORECAST_METRICS, type ForecastMetric } from '../../core/reference/figure-names.ts';
import { addDays, type Day } from '../../core/reference/time.ts';
import { mean } from '../../test/detector/scoring.ts';
import { STUDIED_PORTS } from './disruption-study.ts';
import { recordedDays, simulatedDays } from './forecast-series.ts';
import { type FullTable, type Plot, type Section, svgPlot, tableLink } from './report.ts';

/** A forecast day with its outcome. */
interface Outcome {
  readonly forecast: ForecastDay;
  readonly value: number;
}

/** Scores of one horizon. Errors are mean absolute errors, in the unit of the metric. */
interface HorizonScore {
  readonly error: number;
  readonly persistence: number;
  readonly median: number;
  readonly coverage: number;
  /** Mean pinball loss of the three quantiles over that of the better base line. */
  readonly pinballRatio: number;
  /** Shares of the outcomes below p10, p50 and p90; a tie counts half. */
  readonly below: readonly [number, number, number];
}

interface MetricScore {
  readonly metric: ForecastMetric;
  readonly origins: readonly IssuedForecast[];
  readonly values: ReadonlyMap<Day, number>;
  /** Index 0 is horizon 1. */
  readonly horizons: readonly HorizonScore[];
}

const QUANTILES = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p90', 0.9],
] as const;

/** Mean loss of the three quantiles (Koenker and Bassett 1978). */
export const pinballLoss = (outcomes: readonly Outcome[]): number =>
  mean(
    outcomes.flatMap(({ forecast, value }) =>
      QUANTILES.map(([name, share]) => {
        const miss = value - forecast[name];
        return miss >= 0 ? share * miss : (share - 1) * miss;
      }),
    ),
  );

function horizonScore([issued, persistence, median]: readonly (readonly Outcome[])[]): HorizonScore {
  const [outcomes, ...bases] = [issued ?? [], persistence ?? [], median ?? []];
  const error = (of: readonly Outcome[]): number =>
    mean(of.map(({ forecast, value }) => Math.abs(value - forecast.p50)));
  const below = (name: (typeof QUANTILES)[number][0]): number =>
    mean(outcomes.map(({ forecast, value }) => (1 + Math.sign(forecast[name] - value)) / 2));
  return {
    error: error(outcomes),
    persistence: error(bases[0] ?? []),
    median: error(bases[1] ?? []),
    coverage: mean(
      outcomes.map(({ forecast, value }) => (forecast.p10 <= value && value <= forecast.p90 ? 1 : 0)),
    ),
    pinballRatio: pinballLoss(outcomes) / Math.min(...bases.map(pinballLoss)),
    below: [below('p10'), below('p50'), below('p90')],
  };
}

/** Which forecasts are scored: those from origins of `fromDay` and later, before `toDay`, on days that count. */
interface Studied {
  readonly fromDay: Day;
  readonly toDay?: Day;
  readonly isCounted?: (originDay: Day, day: Day) => boolean;
}

/** Scores forecasts on the days that have a value. `rows` are oldest first. */
export function studyForecasts(
  metric: ForecastMetric,
  rows: readonly DayFigures[],
  { fromDay, toDay = '9999', isCounted = () => true }: Studied,
): MetricScore {
  const values = forecastValues(metric, rows);
  const always = (method: 'persistence' | 'median') => HORIZONS.map(() => method);
  const lastOrigin = addDays([...values.keys()].at(-1) ?? fromDay, -HORIZON_DAYS);
  const { forecasts } = rollForecasts(metric, rows);
  const rolled = [undefined, always('persistence'), always('median')].map((methods) =>
    forecasts(methods).filter(
      ({ originDay }) => originDay >= fromDay && originDay < toDay && originDay <= lastOrigin,
    ),
  );
  return {
    metric,
    origins: rolled[0] ?? [],
    values,
    horizons: HORIZONS.map((horizon) =>
      horizonScore(
        rolled.map((forecasts) =>
          forecasts.flatMap(({ originDay, days }) => {
            const forecast = days[horizon - 1];
            const value = forecast && values.get(forecast.day);
            if (forecast === undefined || value === undefined) return [];
            return isCounted(originDay, forecast.day) ? [{ forecast, value }] : [];
          }),
        ),
      ),
    ),
  };
}

/** The error over that of the better base line. */
export const errorRatio = ({ error, persistence, median }: HorizonScore): number =>
  error / Math.min(persistence, median);

// The part of the accuracy page on the forecast: errors beside both base lines, bands, and three episodes.

export const FORECAST = { id: 'forecast', title: 'Forecast' } as const;

/** The first origin with a history of 90 days, as the service needs it. */
const FIRST_ORIGIN: Day = '2025-04-15';
/** The method was chosen without these ports; the seed of development was 1. */
const SIMULATED = { seed: 2, days: 400, fromDay: '2024-04-01' } as const;

/** Greatest ratio to the better base line at Kaohsiung, by horizon and on average. */
const GOALS: Readonly<Record<ForecastMetric, { readonly days: readonly number[]; readonly mean: number }>> = {
  avg_wait_hours: { days: HORIZONS.map(() => 0.78), mean: 0.57 },
  at_anchor: { days: [0.87, 0.93, 1, 1, 1, 1, 1], mean: 1 },
  congestion_score: { days: HORIZONS.map(() => 1), mean: 0.88 },
};
/** At simulated ports. */
const SIMULATED_GOAL = 1;
/** On average, and on each day. */
const COVERAGE_GOAL = [0.75, 0.85] as const;
const DAY_COVERAGE_GOAL = [0.6, 0.95] as const;

const DECIMALS: Readonly<Record<ForecastMetric, number>> = {
  avg_wait_hours: 2,
  at_anchor: 2,
  congestion_score: 4,
};
/** More than rounding can hide between a figure on the page and a goal. */
const HALF_DIGIT = 0.005;

const marked = (text: string, isMet: boolean): string => (isMet ? text : `**${text}**`);
const ratioCell = (ratio: number, goal: number): string =>
  marked(ratio.toFixed(2), ratio < goal + HALF_DIGIT);
const coverageCell = (coverage: number, [low, high]: readonly [number, number]): string =>
  marked(`${(100 * coverage).toFixed(0)}%`, coverage > low - HALF_DIGIT && coverage < high + HALF_DIGIT);

function dayRow(metric: ForecastMetric, score: HorizonScore, i: number): string[] {
  const figure = (value: number): string => value.toFixed(DECIMALS[metric]);
  return [
    `\`${metric}\``,
    String(i + 1),
    figure(score.error),
    figure(score.persistence),
    figure(score.median),
    ratioCell(errorRatio(score), GOALS[metric].days[i] ?? 1),
    coverageCell(score.coverage, DAY_COVERAGE_GOAL),
    ratioCell(score.pinballRatio, 1),
  ];
}

const geometricMean = (values: readonly number[]): number => Math.exp(mean(values.map(Math.log)));

function simulatedRow(metric: ForecastMetric, ports: readonly MetricScore[]): string[] {
  const at = (i: number): HorizonScore[] => ports.flatMap(({ horizons }) => horizons[i] ?? []);
  const ratios = HORIZONS.map((_, i) => ratioCell(geometricMean(at(i).map(errorRatio)), SIMULATED_GOAL));
  const all = ports.flatMap(({ horizons }) => horizons);
  return [
    `\`${metric}\``,
    ...ratios,
    ratioCell(geometricMean(all.map(errorRatio)), SIMULATED_GOAL),
    coverageCell(mean(all.map(({ coverage }) => coverage)), COVERAGE_GOAL),
    ratioCell(geometricMean(all.map(({ pinballRatio }) => pinballRatio)), 1),
  ];
}

/** The same columns of Kaohsiung, with the range of the coverage; its pinball ratio is that of its worst day. */
function realRow({ metric, horizons }: MetricScore): string[] {
  const goals = GOALS[metric];
  const coverages = horizons.map(({ coverage }) => coverage);
  const range = [Math.min(...coverages), Math.max(...coverages)].map((coverage) =>
    coverageCell(coverage, DAY_COVERAGE_GOAL),
  );
  return [
    `\`${metric}\``,
    ...horizons.map((score, i) => ratioCell(errorRatio(score), goals.days[i] ?? 1)),
    ratioCell(mean(horizons.map(errorRatio)), goals.mean),
    `${coverageCell(mean(coverages), COVERAGE_GOAL)}, ${range.join(' to ')}`,
    ratioCell(Math.max(...horizons.map(({ pinballRatio }) => pinballRatio)), 1),
  ];
}

/** Spans of two months, by their first day and the day after them. */
const SPANS: readonly (readonly [Day, Day])[] = [
  [FIRST_ORIGIN, '2025-06-01'],
  ['2025-05-01', '2025-07-01'],
  ['2025-06-01', '2025-08-01'],
  ['2025-07-01', '2025-09-01'],
  ['2025-08-01', '2025-10-01'],
];

/** The score by spans of two months, all of it, and without forecasts from, over or of a day in a closure. */
function spanTable(rows: readonly DayFigures[]): FullTable {
  const closed = rows.filter(({ stoppedShare }) => stoppedShare !== undefined).map(({ day }) => day);
  const isOutside = (originDay: Day, day: Day): boolean =>
    !closed.some((stopped) => stopped >= originDay && stopped <= day);
  const spanRow = (name: string, studied: Studied): string[] => {
    const ratios = studyForecasts('congestion_score', rows, studied).horizons.map(errorRatio);
    return [
      name,
      ...[...ratios, mean(ratios)].map((ratio, i) => (i === 0 ? ratioCell(ratio, 1) : ratio.toFixed(2))),
    ];
  };
  return {
    name: 'forecast-spans',
    title: 'Ratios of the score at Kaohsiung by two months',
    columns: ['Origins', ...HORIZONS.map(String), 'Mean'],
    rows: [
      ...SPANS.map(([fromDay, toDay]) => spanRow(`${fromDay} to ${addDays(toDay, -1)}`, { fromDay, toDay })),
      spanRow('all', { fromDay: FIRST_ORIGIN }),
      spanRow('all, without closures', { fromDay: FIRST_ORIGIN, isCounted: isOutside }),
    ],
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;

/** Shares of the outcomes of all days below p10, p50 and p90. */
function reliabilityText({ metric, horizons }: MetricScore): string {
  const shares = [0, 1, 2].map((i) => percent(mean(horizons.map(({ below }) => below[i] ?? Number.NaN))));
  return `${shares.slice(0, 2).join(', ')} and ${shares[2]} for \`${metric}\``;
}

/** The origins with the least, the median and the greatest loss. */
function episodes({ origins, values }: MetricScore): IssuedForecast[] {
  const loss = ({ days }: IssuedForecast): number =>
    pinballLoss(days.map((forecast) => ({ forecast, value: values.get(forecast.day) ?? Number.NaN })));
  const ranked = [...origins].sort((a, b) => loss(a) - loss(b));
  return [0, ranked.length >> 1, ranked.length - 1].flatMap((at) => ranked[at] ?? []);
}

function fanChart(score: MetricScore): Plot {
  const days = [...score.values.keys()].filter((day) => day >= FIRST_ORIGIN);
  const at = (day: Day): number => days.indexOf(day);
  const fans = episodes(score);
  const names = ['least loss', 'middle', 'wrong'];
  return {
    title: 'Kaohsiung 2025: average wait, and three forecasts of it',
    xLabel: `day from ${FIRST_ORIGIN}`,
    yLabel: 'hours',
    curves: [
      {
        name: 'average wait',
        style: 'line',
        points: days.map((day) => [at(day), score.values.get(day) ?? 0] as const),
      },
      ...fans.map(({ originDay, days: rows }, i) => ({
        name: `${names[i] ?? ''}, ${originDay.slice('YYYY-'.length)}`,
        style: 'area' as const,
        points: [
          ...rows.map(({ day, p90 }) => [at(day), p90] as const),
          ...rows.toReversed().map(({ day, p10 }) => [at(day), p10] as const),
        ],
      })),
      {
        name: 'p50',
        style: 'dots',
        points: fans.flatMap(({ days: rows }) => rows.map(({ day, p50 }) => [at(day), p50] as const)),
      },
    ],
  };
}

/** @param release folder of the recorded release */
export async function forecastSection(release: string): Promise<Section> {
  const real = (await recordedDays(release)).filter(({ partial = false }) => !partial);
  const studied = FORECAST_METRICS.map((metric) => studyForecasts(metric, real, { fromDay: FIRST_ORIGIN }));
  const simulated = STUDIED_PORTS.map((port) => simulatedDays(port, SIMULATED.seed, SIMULATED.days));
  const [wait] = studied;
  if (wait === undefined) throw new RangeError('no forecast');
  const byDay: FullTable = {
    name: 'forecast-kaohsiung',
    title: 'Errors at Kaohsiung by metric and day',
    columns: [
      'Metric',
      'Day',
      'Error',
      'Persistence',
      'Median of 28 days',
      'Ratio',
      'Coverage',
      'Pinball ratio',
    ],
    rows: studied.flatMap(({ metric, horizons }) => horizons.map((score, i) => dayRow(metric, score, i))),
  };
  const columns = ['Metric', ...HORIZONS.map(String), 'Mean', 'Coverage', 'Pinball ratio'];
  const atKaohsiung: FullTable = {
    name: 'forecast-ratios',
    title: 'Ratios at Kaohsiung',
    columns,
    rows: studied.map(realRow),
  };
  const onSimulated: FullTable = {
    name: 'forecast-simulated',
    title: 'Errors at simulated ports',
    columns,
    rows: FORECAST_METRICS.map((metric) =>
      simulatedRow(
        metric,
        simulated.map((rows) => studyForecasts(metric, rows, { fromDay: SIMULATED.fromDay })),
      ),
    ),
  };
  const bySpan = spanTable(real);
  return {
    ...FORECAST,
    tables: [atKaohsiung, byDay, bySpan, onSimulated],
    body: [
      'Mean absolute error over that of the better base line (persistence, or the median of 28 days), by day ahead; in bold where the goal is missed. Coverage: mean over the days, and range. Pinball ratio: the worst.',
      '',
      `**Kaohsiung**: ${wait.origins.length} origins from 15 April to September 2025, each with the days up to it. The [method](decisions/0024-forecast.md) was chosen on these days.`,
      '',
      tableLink(atKaohsiung),
      '',
      tableLink(byDay),
      '',
      tableLink(bySpan),
      '',
      `Shares of outcomes below p10, p50 and p90: ${studied.map(reliabilityText).join('; ')}.`,
      '',
      `**Simulated ports** (${STUDIED_PORTS.length}, ${SIMULATED.days} days each) whose queue builds up and clears, geometric means:`,
      '',
      tableLink(onSimulated),
    ].join('\n'),
    plot: svgPlot(fanChart(wait)),
    plotText: 'Three forecasts over the average wait that came: of least, of middle and of most loss',
  };
}
