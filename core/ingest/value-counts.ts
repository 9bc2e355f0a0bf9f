/** The counts of published monthly values that the judgement needs. Pure. */
import type { TradeReport, TradeValue } from '../calls/observation.ts';
import { type HsCode, hsLevel } from '../reference/hs-code.ts';
import type { Month } from '../reference/time.ts';
import type { ValueCounts } from '../upstream/change-doubts.ts';

/** One series of a publication, and what is known of it. */
export interface PublishedSeries {
  readonly code: HsCode;
  readonly measure: string;
  readonly values: readonly TradeValue[];
  readonly known: ReadonlyMap<Month, number>;
}

/** The series of a publication. */
export function seriesOf({ measure, values }: TradeReport): Omit<PublishedSeries, 'known'>[] {
  const codes = [...new Set(values.map(({ code }) => code))];
  const grouped = new Map(codes.map((code) => [code, [] as TradeValue[]]));
  for (const value of values) grouped.get(value.code)?.push(value);
  return [...grouped].map(([code, of]) => ({ code, measure, values: of }));
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
  const byValue = new Map<number, TradeValue[]>();
  for (const candidate of changed)
    if (candidate.value >= DISTINCT_USD)
      byValue.set(candidate.value, [...(byValue.get(candidate.value) ?? []), candidate]);
  const displaced = new Set<TradeValue>();
  for (const { code, known } of series)
    for (const [month, value] of known)
      for (const twin of byValue.get(value) ?? [])
        if (twin.code === code ? twin.month !== month : !isRelated(twin.code, code)) displaced.add(twin);
  return displaced;
}

/** Counts of each level of one measure. */
function countsOf(measure: string, series: readonly PublishedSeries[]): ValueCounts[] {
  const changed = series.flatMap(({ values, known }) =>
    values.filter(({ month, value }) => known.get(month) !== value),
  );
  const displaced = displacedAmong(changed, series);
  const lists = [...new Set(series.map(({ code }) => valueList(code, measure)))].sort();
  return lists.map((list) => {
    const listed = series.filter(({ code }) => valueList(code, measure) === list);
    const restated = listed.flatMap(({ values, known }) =>
      values.flatMap(({ month, value }) => {
        const last = known.get(month);
        return last === undefined ? [] : [[value, last] as const];
      }),
    );
    const inList = (values: Iterable<TradeValue>): number =>
      [...values].filter(({ code }) => valueList(code, measure) === list).length;
    return {
      list,
      known: restated.length,
      revised: restated.filter(([value, last]) => Math.max(value, last) > 1.1 * Math.min(value, last)).length,
      stated: listed.reduce((sum, { values }) => sum + values.length, 0),
      strangers: listed.reduce((sum, { values, known }) => sum + (known.size === 0 ? values.length : 0), 0),
      changed: inList(changed),
      displaced: inList(displaced),
    };
  });
}

export function valueCounts(series: readonly PublishedSeries[]): ValueCounts[] {
  const measures = [...new Set(series.map(({ measure }) => measure))];
  return measures.flatMap((measure) =>
    countsOf(
      measure,
      series.filter((published) => published.measure === measure),
    ),
  );
}
