/** The series of the charts, from the table of a response. */
import { numbersOf, type Table, textsOf } from '../api/response-table.ts';
import type { Span } from './lanes.ts';

export interface TrendSeries {
  /** UTC days, `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  readonly scores: readonly (number | null)[];
  readonly waitHours: readonly (number | null)[];
}

export interface Line {
  readonly label: string;
  /** UTC days or months, `YYYY-MM-DD` or `YYYY-MM`, ascending. */
  readonly times: readonly string[];
  readonly values: readonly (number | null)[];
  /** A level to compare with, drawn as a dashed line. */
  readonly baseline?: number;
}

export interface Period extends Span {
  readonly kind: 'wait' | 'berth';
  readonly hours: number;
}

/** The import index is 100 where the last three months equal the same three a year before. */
const BASELINE = 100;

export const trendOf = (table: Table): TrendSeries => ({
  days: textsOf(table, 'date'),
  scores: numbersOf(table, 'congestion_score'),
  waitHours: numbersOf(table, 'avg_wait_hours'),
});

export const importIndexOf = (table: Table, label: string): Line => ({
  label,
  times: textsOf(table, 'month'),
  values: numbersOf(table, 'index'),
  baseline: BASELINE,
});

export function periodsOf(table: Table): Period[] {
  const [starts = [], ends = [], kinds = [], hours = []] = ['start', 'end', 'kind', 'hours'].map((name) =>
    textsOf(table, name),
  );
  return starts.map((start, i) => ({
    startAt: Date.parse(start),
    endAt: Date.parse(ends[i] ?? ''),
    kind: kinds[i] === 'wait' ? 'wait' : 'berth',
    hours: Number(hours[i]),
  }));
}
