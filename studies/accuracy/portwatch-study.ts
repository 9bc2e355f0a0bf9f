/** Kaohsiung's berthings of a day beside the port calls that PortWatch counts from satellites. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { mean, median, sum } from '../../core/reference/statistics.ts';
import { addDays, type Day, isDay } from '../../core/reference/time.ts';
import { recordedDays } from './forecast-series.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

export const PORTWATCH = {
  id: 'portwatch',
  title: 'Kaohsiung beside satellites: port calls of PortWatch',
} as const;

/** A low day has less than this share of the median of the days before it. */
const LOW = 0.4;
const USUAL_DAYS = 28;
const WEEK_DAYS = 7;

/** The port calls of a day as PortWatch counts them, and the vessels that berthed by the port's lists. */
export interface DayPair {
  readonly day: Day;
  readonly seen: number;
  /** Undefined where the lists do not cover the day. */
  readonly berthed: number | undefined;
}

/** Pearson's correlation; not a number without a spread. */
export function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [x, y] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))];
  const product = (of: (pair: readonly [number, number]) => number): number => sum(pairs.map(of));
  return (
    product(([a, b]) => (a - x) * (b - y)) /
    Math.sqrt(product(([a]) => (a - x) ** 2) * product(([, b]) => (b - y) ** 2))
  );
}

/** The rank of each value, equal values sharing the mean of their ranks, so that their correlation is Spearman's. */
export function ranks(values: readonly number[]): number[] {
  const ordered = [...values].sort((a, b) => a - b);
  return values.map((value) => (ordered.indexOf(value) + ordered.lastIndexOf(value)) / 2);
}

interface LowDay {
  readonly day: Day;
  /** Share of the usual count of each; undefined where it is not known. */
  readonly seen: number | undefined;
  readonly berthed: number | undefined;
}

/** The days on which either count is low, with the share of the usual count that each has. */
export function lowDays(pairs: readonly DayPair[]): LowDay[] {
  const shareAt = (at: number, of: (pair: DayPair) => number | undefined): number | undefined => {
    const [pair] = pairs.slice(at, at + 1);
    const before = pairs.slice(at - USUAL_DAYS, at).flatMap((each) => of(each) ?? []);
    const usual = median(before);
    const count = pair && of(pair);
    return count === undefined || !usual ? undefined : count / usual;
  };
  const isLow = (share: number | undefined): boolean => share !== undefined && share < LOW;
  return pairs
    .map(({ day }, at) => ({
      day,
      seen: at < USUAL_DAYS ? undefined : shareAt(at, ({ seen }) => seen),
      berthed: at < USUAL_DAYS ? undefined : shareAt(at, ({ berthed }) => berthed),
    }))
    .filter(({ seen, berthed }) => isLow(seen) || isLow(berthed));
}

/** Sums of both counts by week, Monday to Sunday, without weeks that have an unknown day. */
export function weeklySums(pairs: readonly DayPair[]): (readonly [number, number])[] {
  const byDay = new Map(pairs.map((pair) => [pair.day, pair]));
  return pairs.flatMap(({ day }) => {
    if (new Date(day).getUTCDay() !== 1) return [];
    const week = Array.from({ length: WEEK_DAYS }, (_, i) => byDay.get(addDays(day, i)));
    const known = week.flatMap((pair) => (pair?.berthed === undefined ? [] : [[pair.seen, pair.berthed]]));
    return known.length < WEEK_DAYS
      ? []
      : [[sum(known.map(([a = 0]) => a)), sum(known.map(([, b = 0]) => b))] as const];
  });
}

/** Throws `RangeError` for a file without the columns `date` and `portcalls`. */
function readPortwatch(file: string): Map<Day, number> {
  const rows: Record<string, string>[] = parse(readFileSync(file), { columns: true });
  return new Map(
    rows.map(({ date = '', portcalls = '' }) => {
      if (!isDay(date) || portcalls === '') throw new RangeError(`${file}: no date or no portcalls in a row`);
      return [date, Number(portcalls)];
    }),
  );
}

const percent = (share: number | undefined): string =>
  share === undefined ? 'not known' : `${Math.round(100 * share)}%`;

/** @param file PortWatch's daily port calls of Kaohsiung as CSV: `date,portcalls` */
export async function portwatchSection(release: string, file: string): Promise<Section> {
  const berthed = new Map((await recordedDays(release)).map(({ day, dayBerthings }) => [day, dayBerthings]));
  const pairs = [...readPortwatch(file)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, seen]): DayPair => ({ day, seen, berthed: berthed.get(day) }));
  const both = pairs.flatMap(({ seen, berthed }) =>
    berthed === undefined ? [] : [[seen, berthed] as const],
  );
  const [seen, ours] = [both.map(([a]) => a), both.map(([, b]) => b)];
  const rankOf = ranks(ours);
  const spearman = correlation(ranks(seen).map((rank, i) => [rank, rankOf[i] ?? Number.NaN]));
  const weeks = weeklySums(pairs);
  const low = lowDays(pairs);
  const isLow = (share: number | undefined): boolean => share !== undefined && share < LOW;
  const [lowSeen, lowOurs] = [
    low.filter((each) => isLow(each.seen)),
    low.filter((each) => isLow(each.berthed)),
  ];
  const agreed = lowSeen.filter((each) => isLow(each.berthed)).length;
  const lows: FullTable = {
    name: 'portwatch-low-days',
    title: 'Days that are low by either count',
    columns: ['Low day', 'PortWatch, share of its usual', 'Berthings, share of theirs'],
    rows: low.map((each) => [each.day, percent(each.seen), percent(each.berthed)]),
  };
  return {
    ...PORTWATCH,
    tables: [lows],
    body: [
      "Two independent counts of the same days: port calls that IMF PortWatch estimates from satellites, and berthings by the port's own lists. Sources: Kpler; UN Global Platform; IMF PortWatch.",
      '',
      `Over ${both.length} days: Pearson ${correlation(both).toFixed(2)}, Spearman ${spearman.toFixed(2)}, ${weeks.length} whole weeks ${correlation(weeks).toFixed(2)}; means ${mean(seen).toFixed(1)} and ${mean(ours).toFixed(1)}.`,
      `PortWatch has ${lowSeen.length} days below ${percent(LOW)} of its median of ${USUAL_DAYS} days, the lists ${lowOurs.length}, both ${agreed}. On 10 and 12 July only PortWatch is low; the lists lack 30 July.`,
      '',
      tableLink(lows),
    ].join('\n'),
    plot: svgPlot({
      title: 'Weekly sums: port calls of PortWatch, and berthings by the lists of Kaohsiung',
      xLabel: 'PortWatch, port calls a week',
      yLabel: 'berthings a week',
      curves: [{ name: 'a week of 2025', style: 'dots', points: weeks }],
    }),
    plotText: 'Weekly berthings over weekly port calls of PortWatch',
  };
}
