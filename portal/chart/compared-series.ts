/** The waits of several ports on the same days. */
import { daysBetween } from '../../core/reference/time.ts';
import type { Table } from '../api/response-table.ts';
import type { WaitSpread } from './wait-spread.ts';

export interface ComparedPort {
  readonly name: string;
  /** By UTC day. */
  readonly spreads: ReadonlyMap<string, WaitSpread>;
}

export type ComparedMeasure = 'average' | 'median' | 'p90';

const FIELDS = { average: 'averageHours', median: 'medianHours', p90: 'p90Hours' } as const;

/** Every UTC day from the first to the last that a port has, and for each port its hours on them; null without a figure. */
export function comparedSeries(
  ports: readonly ComparedPort[],
  measure: ComparedMeasure,
): { days: readonly string[]; values: readonly (readonly (number | null)[])[] } {
  const known = ports.flatMap(({ spreads }) => [...spreads.keys()]).toSorted();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return { days: [], values: ports.map(() => []) };
  const days = daysBetween(first, last);
  return {
    days,
    values: ports.map(({ spreads }) => days.map((day) => spreads.get(day)?.[FIELDS[measure]] ?? null)),
  };
}

/** The same as a table, a column for each port. */
export function comparedTable(ports: readonly ComparedPort[], measure: ComparedMeasure): Table {
  const { days, values } = comparedSeries(ports, measure);
  return {
    columns: ['UTC day', ...ports.map(({ name }) => `${name}, h`)],
    rows: days.map((day, i) => [day, ...values.map((hours) => hours[i]?.toFixed(1) ?? '')]),
  };
}
