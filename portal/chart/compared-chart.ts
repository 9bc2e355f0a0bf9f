/** The chart of ports compared: the wait of each over twelve months by one measure, with the values behind it. */
import { valuesBehind } from '../view/data-table.ts';
import { element, REDRAW } from '../view/element.ts';
import { emptyNotice } from '../view/notice.ts';
import { dayYearText } from '../view/text.ts';
import { type ComparedMeasure, type ComparedPort, comparedSeries, comparedTable } from './compared-series.ts';
import { DRAWN_DAYS, type LineChart, lineChart, TOO_SHORT } from './line-chart.ts';

export const MEASURES: Readonly<Record<ComparedMeasure, string>> = {
  average: 'Average wait',
  median: 'Half waited at most',
  p90: 'Nine in ten at most',
};
/** The names of the measures in the API and its methodology. */
const FIELDS: Readonly<Record<ComparedMeasure, string>> = {
  average: 'avg_wait_hours',
  median: 'median of waits',
  p90: '90th percentile of waits',
};
const LINES = [
  { colour: '--line-score' },
  { colour: '--line-wait', dash: [8, 4] },
  { colour: '--line-third', dash: [2, 3] },
] as const;

/** A port with its place in the address, by which its line is drawn. */
export type PlacedPort = ComparedPort & { readonly place: number };

const chart = (ports: readonly PlacedPort[], measure: ComparedMeasure): LineChart => {
  const { days, values } = comparedSeries(ports, measure);
  return {
    times: days,
    axisLabel: `${MEASURES[measure]}, hours`,
    fromZero: true,
    lines: ports.map(({ name, place }, i) => ({
      label: `${name}, h`,
      field: FIELDS[measure],
      values: values[i] ?? [],
      ...(LINES[place] ?? LINES[0]),
    })),
  };
};

export interface ComparedChart {
  readonly nodes: readonly HTMLElement[];
  /** Called first when the nodes are in the page. */
  show(measure: ComparedMeasure): void;
}

/** `ports` have days; they are the same for each measure. */
export function comparedChart(ports: readonly PlacedPort[]): ComparedChart {
  let shown: ComparedMeasure = 'average';
  const { days } = comparedSeries(ports, shown);
  const host = element('div', { class: 'chart chart-year' });
  const values = element('div', {});
  const note = element(
    'p',
    { class: 'chart-note' },
    `Hours at anchor before the berth, twelve months up to ${dayYearText.format(Date.parse(days.at(-1) ?? ''))}. Each day is that of the vessels that berthed in the week up to it, or in 14 or 28 days where fewer than three did.`,
  );
  lineChart(host, () => chart(ports, shown));
  return {
    nodes: [days.length < DRAWN_DAYS ? emptyNotice(TOO_SHORT) : host, note, values],
    show(measure) {
      shown = measure;
      const caption = `${MEASURES[measure]}, twelve months, hours`;
      values.replaceChildren(valuesBehind(comparedTable(ports, measure), caption));
      document.dispatchEvent(new Event(REDRAW));
    },
  };
}
