/** The counts of published monthly values that the judgement needs. Pure. */
import type { TradeReport, TradeValue } from '../calls/observation.ts';
import { groupBy } from '../reference/grouping.ts';
import { type HsCode, hsLevel } from '../reference/hs-code.ts';
import { median, sum } from '../reference/statistics.ts';
import { addMonths, type Month } from '../reference/time.ts';
import type { MonthCounts, ValueCounts } from '../upstream/judgement.ts';

/** One series of a publication, and what is known of it. */
export interface PublishedSeries {
  readonly code: HsCode;
  readonly measure: string;
  readonly values: readonly TradeValue[];
  readonly known: ReadonlyMap<Month, number>;
}

/** The series of a publication. */
export function seriesOf({ measure, values }: TradeReport): Omit<PublishedSeries, 'known'>[] {
  return [...groupBy(values, ({ code }) => code)].map(([code, of]) => ({ code, measure, values: of }));
}

/** Name of the list of one measure at one level. */
export const valueList = (code: HsCode, measure: string): string => `${hsLevel(code)} ${measure}`;

/** Smaller amounts are equal by chance. */
const DISTINCT_USD = 1_000_000;

/** A code and its only part have equal values. */
const isRelated = (a: HsCode, b: HsCode): boolean => a.startsWith(b) || b.startsWith(a);

/** New values that equal, digit by digit, a known one of another month or code of the measure. */
function displacedAmong(
  changed: readonly TradeValue[],
  series: readonly PublishedSeries[],
): ReadonlySet<TradeValue> {
  const byValue = groupBy(
    changed.filter(({ value }) => value >= DISTINCT_USD),
    ({ value }) => value,
  );
  const displaced = new Set<TradeValue>();
  for (const { code, known } of series)
    for (const [month, value] of known)
      for (const twin of byValue.get(value) ?? [])
        if (twin.code === code ? twin.month !== month : !isRelated(twin.code, code)) displaced.add(twin);
  return displaced;
}

/** Months of a level that the publication adds, each against the month before it and the same month of the year before. */
function newMonths(series: readonly PublishedSeries[]): MonthCounts[] {
  const added = series.flatMap(({ values, known }) => values.filter(({ month }) => !known.has(month)));
  const months = [...new Set(added.map(({ month }) => month))].sort();
  const valuesOf = series.map(
    ({ values, known }) => new Map([...known, ...values.map(({ month, value }) => [month, value] as const)]),
  );
  return months.flatMap((month) =>
    [1, 12].map((back): MonthCounts => {
      const ratios = valuesOf.flatMap((values) => {
        const [is, was] = [values.get(month) ?? 0, values.get(addMonths(month, -back)) ?? 0];
        return Math.min(is, was) < DISTINCT_USD ? [] : [is / was];
      });
      const apart = ratios.filter((ratio) => ratio > 2 || ratio < 0.5).length;
      return { month, back, chapters: ratios.length, apart, medianRatio: median(ratios) ?? 1 };
    }),
  );
}

/** Counts of each level of one measure. */
function countsOf(series: readonly PublishedSeries[]): ValueCounts[] {
  const listOf = ({ code, measure }: PublishedSeries): string => valueList(code, measure);
  const changedIn = ({ values, known }: PublishedSeries): TradeValue[] =>
    values.filter(({ month, value }) => known.get(month) !== value);
  const displaced = displacedAmong(series.flatMap(changedIn), series);
  const byList = [...groupBy(series, listOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byList.map(([list, listed]) => {
    const restated = listed.flatMap(({ values, known }) =>
      values.flatMap(({ month, value }) => {
        const last = known.get(month);
        return last === undefined ? [] : [[value, last] as const];
      }),
    );
    const changed = listed.flatMap(changedIn);
    return {
      list,
      months: list.startsWith('HS2 ') ? newMonths(listed) : [],
      known: restated.length,
      revised: restated.filter(([value, last]) => Math.max(value, last) > 1.1 * Math.min(value, last)).length,
      stated: sum(listed.map(({ values }) => values.length)),
      strangers: sum(listed.map(({ values, known }) => (known.size === 0 ? values.length : 0))),
      changed: changed.length,
      displaced: changed.filter((value) => displaced.has(value)).length,
    };
  });
}

export const valueCounts = (series: readonly PublishedSeries[]): ValueCounts[] =>
  [...groupBy(series, ({ measure }) => measure).values()].flatMap(countsOf);
