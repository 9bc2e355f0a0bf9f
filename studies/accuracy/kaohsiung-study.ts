/** Kaohsiung's real lists of half a year: the figures of methodology 1.1 beside those that are served, by month. */
import { closedStays, type PortCall } from '../../core/calls/port-call.ts';
import { evaluateAlerts } from '../../core/metrics/alerts.ts';
import { CallIndex } from '../../core/metrics/call-index.ts';
import { dailyMetricsOf, dailySeries, USUAL_DAYS } from '../../core/metrics/daily.ts';
import type { DailyMetrics } from '../../core/metrics/figures.ts';
import { congestionScore, waitTerm } from '../../core/metrics/score.ts';
import { quantile } from '../../core/reference/statistics.ts';
import { addDays, type Day, dayOf, daysBetween, HOUR_MS, startOfDay } from '../../core/reference/time.ts';
import { replay } from './ground-truth/study.ts';
import { batchesKnownOn, FETCHED_AT, readLists } from './kaohsiung-lists.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';
import { mean } from './scoring.ts';

const FIRST_DAY: Day = '2025-01-01';
const LAST_DAY: Day = '2025-06-30';
/** Days before the window of seven lies completely within the lists. */
const LEAD_DAYS = 9;
const MONTH_LENGTH = 'YYYY-MM'.length;
/** Methodology 1.1: from this many berthings on, a longer wait than this quantile counts as the quantile. */
const FORMER = { leastBerthings: 20, quantile: 0.95 };

interface ComparedDay {
  readonly day: Day;
  /** `avg_wait_hours` by methodology 1.1, and as served. */
  readonly formerHours: number;
  readonly servedHours: number;
  /** The largest wait of the seven days. */
  readonly longestHours: number;
  /** `congestion_score` by methodology 1.1, and as served. */
  readonly formerScore: number;
  readonly servedScore: number;
  /** Berthings are not short: the flow term is 0. */
  readonly quiet: boolean;
}

/** The closed `wait` stays that ended in a month, and their median hours. */
interface MonthFigures {
  readonly stays: number;
  readonly medianHours: number;
}

interface ComparedMonth {
  readonly month: string;
  readonly former: MonthFigures;
  readonly served: MonthFigures;
}

function formerMean(waits: readonly number[]): number {
  if (waits.length < FORMER.leastBerthings) return mean(waits);
  const cap = quantile(Float64Array.from(waits).sort(), FORMER.quantile);
  return mean(waits.map((wait) => Math.min(wait, cap)));
}

function figures(month: string, calls: readonly PortCall[]): MonthFigures {
  const stays = calls
    .flatMap(closedStays)
    .filter(({ kind, endAt }) => kind === 'wait' && dayOf(endAt).startsWith(month));
  const hours = Float64Array.from(stays, ({ startAt, endAt }) => (endAt - startAt) / HOUR_MS).sort();
  return { stays: hours.length, medianHours: quantile(hours, 0.5) };
}

/** Compares both methods over the lists of `folder`, day by day and month by month. */
export function studyKaohsiung(folder: string): { days: ComparedDay[]; months: ComparedMonth[] } {
  const { reports } = readLists(folder);
  const { ledger, calls: made } = replay(reports.filter((report) => report.kind === 'call-batch'));
  const calls = [...made.values()];
  const asOfAt = ledger.lastObservedAt ?? FETCHED_AT;
  const index = new CallIndex(calls, asOfAt, ledger.coverage[0]?.fromAt);
  const days = daysBetween(addDays(FIRST_DAY, LEAD_DAYS), LAST_DAY);
  const series = dailySeries({ days, calls, coverage: ledger.coverage, asOfAt });
  // Methodology 1.1 had the stays of craft in dwell.
  const formerCalls = calls.map((call): PortCall => ({ ...call, traffic: 'visitor' }));
  const months = [...new Set(daysBetween(FIRST_DAY, LAST_DAY).map((day) => day.slice(0, MONTH_LENGTH)))];
  return {
    days: series.flatMap(
      ({ day, avgWaitHours, congestionScore: servedScore = 0, flowTerm = 0, ...terms }) => {
        const week = index.berthingsIn(startOfDay(addDays(day, -6)), startOfDay(addDays(day, 1)));
        const waits = week.map(({ waitHours }) => waitHours);
        if (avgWaitHours === undefined || waits.length === 0) return [];
        const formerHours = formerMean(waits);
        return [
          {
            day,
            formerHours,
            formerScore: congestionScore({ ...terms, waitTerm: waitTerm(formerHours) }) ?? 0,
            servedScore,
            quiet: flowTerm === 0,
            servedHours: avgWaitHours,
            longestHours: Math.max(...waits),
          },
        ];
      },
    ),
    months: months.map((month) => ({
      month,
      former: figures(month, formerCalls),
      served: figures(month, calls),
    })),
  };
}

interface KnownDays {
  readonly days: number;
  /** Largest and mean difference of the score of a day, as it was first served, from the one that the whole lists give. */
  readonly largest: number;
  readonly mean: number;
  /** The days of `unusual` alerts, as they were first served, and by the whole lists. */
  readonly alerts: readonly string[];
  readonly finalAlerts: readonly string[];
}

/** The service over the lists of each day, in which nothing is later than the day. Days without a score are left out. */
function studyKnownDays(folder: string): KnownDays {
  const served: DailyMetrics[] = [];
  const batches = batchesKnownOn(folder, daysBetween(FIRST_DAY, LAST_DAY));
  const { ledger, calls } = replay(batches, ({ observedAt }, known, { coverage }) => {
    const index = new CallIndex(known.values(), observedAt, coverage[0]?.fromAt);
    const earlier = served.slice(-USUAL_DAYS);
    served.push(...dailyMetricsOf([dayOf(observedAt - 1)], index, coverage, earlier));
  });
  const asOfAt = startOfDay(addDays(LAST_DAY, 1));
  const days = served.map(({ day }) => day);
  const final = dailySeries({ days, calls: calls.values(), coverage: ledger.coverage, asOfAt });
  const differences = served.slice(LEAD_DAYS).flatMap(({ day, congestionScore }) => {
    const { congestionScore: whole } = final.find((row) => row.day === day) ?? {};
    return congestionScore === undefined || whole === undefined ? [] : [Math.abs(congestionScore - whole)];
  });
  const alertsOf = (rows: readonly DailyMetrics[]): string[] =>
    evaluateAlerts(rows, { asOfAt })
      .filter(({ type }) => type === 'unusual')
      .map((alert) => `${dayOf(alert.asOfAt - 1)} ${alert.metric}`);
  return {
    days: differences.length,
    largest: Math.max(...differences),
    mean: mean(differences),
    alerts: alertsOf(served),
    finalAlerts: alertsOf(final),
  };
}

/**
 * Mean change of a score from a day to the next, where berthings are short on neither: its noise. `scoreOn` gives the score of a
 * day; `days` follow one another.
 */
export function quietNoise(days: readonly ComparedDay[], scoreOn: (day: ComparedDay) => number): number {
  const changes = days.slice(1).flatMap((day, i) => {
    const before = days[i];
    return before?.quiet && day.quiet ? [Math.abs(scoreOn(day) - scoreOn(before))] : [];
  });
  return mean(changes);
}

// The part of the accuracy page that lists the figures of a real half-year by methodology 1.1 and 2.0.

export const KAOHSIUNG = {
  id: 'kaohsiung-2025',
  title: 'Kaohsiung, January to June 2025: what methodology 2.0 changes',
} as const;

/** `folder` has the port's lists by month. */
export function kaohsiungSection(folder: string): Section {
  const { days, months } = studyKaohsiung(folder);
  const known = studyKnownDays(folder);
  const same = known.finalAlerts.filter((alert) => known.alerts.includes(alert)).length;
  const change = (former: number, served: number, decimals: number): string =>
    `${former.toFixed(decimals)} / ${served.toFixed(decimals)}`;
  const cells = (selected: typeof days): string[] => [
    change(mean(selected.map((day) => day.formerHours)), mean(selected.map((day) => day.servedHours)), 2),
    Math.max(...selected.map(({ longestHours }) => longestHours)).toFixed(0),
  ];
  const noise = change(
    quietNoise(days, ({ formerScore }) => formerScore),
    quietNoise(days, ({ servedScore }) => servedScore),
    5,
  );
  const halved = days.filter(({ formerHours, servedHours }) => formerHours < servedHours / 2).length;
  const byMonth: FullTable = {
    name: 'kaohsiung-months',
    title: 'Waits by month',
    columns: ['Month', '`avg_wait_hours`', 'Longest wait for a berth, h', '`wait` stays', 'Median stay, h'],
    rows: months.map(({ month, former, served }) => [
      month,
      ...cells(days.filter(({ day }) => day.startsWith(month))),
      change(former.stays, served.stays, 0),
      change(former.medianHours, served.medianHours, 1),
    ]),
  };
  return {
    ...KAOHSIUNG,
    tables: [byMonth],
    body: [
      'From the real lists of the port, from 10 January on, by 1.1 / by 2.0.',
      `Over ${days.length} days the mean of \`avg_wait_hours\` is ${cells(days)[0]} h; on ${halved} of them 1.1 was less than half.`,
      `On days without a lack of berthings the score changes by ${noise} from one to the next on average. Bar: not more than by 1.1.`,
      `**As known on the day**: with lists in which nothing is later than the day, the score of ${known.days} days differs by ${known.mean.toFixed(3)} from the one`,
      `of the whole lists, at most by ${known.largest.toFixed(3)}, and ${same} of the ${known.finalAlerts.length} alerts against the port's own normal are the same.`,
      '',
      tableLink(byMonth),
    ].join('\n'),
    plot: svgPlot({
      title: 'Kaohsiung 2025: average wait by methodology 1.1 and 2.0',
      xLabel: 'day from 10 January',
      yLabel: 'hours',
      curves: [
        {
          name: 'by 1.1',
          style: 'line',
          points: days.map(({ formerHours }, i) => [i, formerHours] as const),
        },
        {
          name: 'by 2.0',
          style: 'line',
          points: days.map(({ servedHours }, i) => [i, servedHours] as const),
        },
      ],
    }),
    plotText: 'The average wait of each day by both methods: 2.0 lies a third above 1.1',
  };
}
