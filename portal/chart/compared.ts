/** The waits of several ports on the same days, by one measure. */
import { daysBetween } from '../../core/reference/time.ts';
import type { Table } from '../api/response-table.ts';
import { fromZero, hoursTable, type LineChart } from './line-chart.ts';
import { drawnAverage, type WaitSpread } from './wait-spread.ts';

export interface ComparedPort {
  readonly name: string;
  readonly spreads: ReadonlyMap<string, WaitSpread>;
  /** Its place in the address, by which its line is drawn. */
  readonly place: number;
}

/** A measure has a name on the page, and one in the API and its methodology. */
export const MEASURES = {
  averageHours: { label: 'Average wait', field: 'avg_wait_hours' },
  medianHours: { label: 'Half waited at most', field: 'median of waits' },
  p90Hours: { label: 'Nine in ten at most', field: '90th percentile of waits' },
} as const;
export type ComparedMeasure = keyof typeof MEASURES;

const LINES = [
  { colour: '--line-score' },
  { colour: '--line-wait', dash: [8, 4] },
  { colour: '--line-third', dash: [2, 3] },
] as const;

/** Every UTC day from the first to the last that a port has, and for each port its hours on them; null without a figure. */
export function comparedChart(ports: readonly ComparedPort[], measure: ComparedMeasure): LineChart {
  const known = ports.flatMap(({ spreads }) => [...spreads.keys()]).toSorted();
  const [first, last] = [known[0], known.at(-1)];
  const times = first === undefined || last === undefined ? [] : daysBetween(first, last);
  const { label, field } = MEASURES[measure];
  const hoursOf = (spread: WaitSpread | undefined): number | null =>
    measure === 'averageHours' ? drawnAverage(spread) : (spread?.[measure] ?? null);
  return {
    times,
    left: { label: `${label}, hours`, range: fromZero() },
    lines: ports.map(({ name, place, spreads }) => ({
      label: `${name}, h`,
      field,
      values: times.map((day) => hoursOf(spreads.get(day))),
      ...(LINES[place] ?? LINES[0]),
    })),
  };
}

export function comparedTable(ports: readonly ComparedPort[], measure: ComparedMeasure): Table {
  const { times, lines } = comparedChart(ports, measure);
  return hoursTable(times, lines);
}
