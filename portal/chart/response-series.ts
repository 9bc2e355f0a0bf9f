/** The series of the charts, from the table of a response. */
import { numbersOf, type Table, textsOf } from '../api/response-table.ts';
import type { Span } from './lanes.ts';

export interface TrendSeries {
  /** UTC days, `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  readonly scores: readonly (number | null)[];
  readonly waitHours: readonly (number | null)[];
}

export interface Period extends Span {
  readonly kind: 'wait' | 'berth';
  readonly hours: number;
}

export const trendOf = (table: Table): TrendSeries => ({
  days: textsOf(table, 'date'),
  scores: numbersOf(table, 'congestion_score'),
  waitHours: numbersOf(table, 'avg_wait_hours'),
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
