/** The series of the charts, from the table of a response. */
import { numbers, type Table, texts } from '../api/response-table.ts';
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

export const trendSeries = (table: Table): TrendSeries => ({
  days: texts(table, 'date'),
  scores: numbers(table, 'congestion_score'),
  waitHours: numbers(table, 'avg_wait_hours'),
});

export function periods(table: Table): Period[] {
  const [starts = [], ends = [], kinds = [], hours = []] = ['start', 'end', 'kind', 'hours'].map((name) =>
    texts(table, name),
  );
  return starts.map((start, i) => ({
    startAt: Date.parse(start),
    endAt: Date.parse(ends[i] ?? ''),
    kind: kinds[i] === 'wait' ? 'wait' : 'berth',
    hours: Number(hours[i]),
  }));
}
