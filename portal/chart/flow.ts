/** Vessels berthed a day beside what is usual, vessels that wait when a day ends, and the average wait with its spread. */

import { html, nothing, render, svg, type TemplateResult } from 'lit-html';
import type { Stop } from '../../core/contracts/published-files.ts';
import { daysBetween } from '../../core/reference/time.ts';
import type { Table } from '../api/responses.ts';
import { dayText } from '../view/text.ts';
import { drawnBy } from './drawing.ts';
import type { Values } from './line-chart.ts';
import { drawnAverage, quantileOf, type WaitHistory } from './wait-spread.ts';

/** Least observed share of a day that gets a figure. */
const MIN_COVERAGE = 0.8;
/** The usual range is taken from this many days before without closures; at least `MIN_USUAL_DAYS` of them must be known. */
const USUAL_DAYS = 28;
const MIN_USUAL_DAYS = 14;
const [LOW_SHARE, HIGH_SHARE] = [0.1, 0.9];

/** The series, as the columns of the table name them. */
const COLUMNS = {
  berthed: 'berthed',
  usualLow: 'usual_low',
  usualHigh: 'usual_high',
  waiting: 'waiting',
  averageHours: 'avg_wait_hours',
  p10Hours: 'wait_p10_hours',
  p90Hours: 'wait_p90_hours',
} as const;

/** Each series has null on a day that is not covered. */
export interface Flow extends Readonly<Record<keyof typeof COLUMNS, Values>> {
  /** Every UTC day from the first with a row to the last, `YYYY-MM-DD`. */
  readonly days: readonly string[];
}

const isIn = (day: string, { first_day, last_day }: Pick<Stop, 'first_day' | 'last_day'>): boolean =>
  first_day <= day && day <= last_day;

/** The days from the first that is covered up to `lastDay`, which is over. */
export function flowOf(
  { days: rows, spreads }: WaitHistory,
  lastDay: string,
  stops: readonly Pick<Stop, 'first_day' | 'last_day'>[],
): Flow {
  const byDay = new Map(
    rows.filter(({ coverage }) => coverage >= MIN_COVERAGE).map((row) => [row.date, row]),
  );
  const [first] = [...byDay.keys()].sort();
  const days = first === undefined ? [] : daysBetween(first, lastDay);
  const covered = days.map((day) => byDay.get(day));
  const berthed = covered.map((row) => row?.berthed ?? null);
  const unstopped = days.map((day, i) => (stops.some((stop) => isIn(day, stop)) ? null : berthed[i]));
  const usual = days.map((_, i) => {
    const before = unstopped.slice(Math.max(0, i - USUAL_DAYS), i).flatMap((count) => count ?? []);
    return before.length < MIN_USUAL_DAYS ? [] : before.sort((a, b) => a - b);
  });
  const drawn = covered.map((row) => {
    const spread = row && spreads.get(row.date);
    return drawnAverage(spread) === null ? undefined : spread;
  });
  return {
    days,
    berthed,
    usualLow: usual.map((counts) => quantileOf(counts, LOW_SHARE)),
    usualHigh: usual.map((counts) => quantileOf(counts, HIGH_SHARE)),
    waiting: covered.map((row) => row?.waiting ?? null),
    averageHours: drawn.map((spread) => spread?.averageHours ?? null),
    p10Hours: drawn.map((spread) => spread?.p10Hours ?? null),
    p90Hours: drawn.map((spread) => spread?.p90Hours ?? null),
  };
}

export function flowTable(flow: Flow, stops: readonly Stop[]): Table {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const stopOn = (day: string): string => {
    const at = stops.findIndex((stop) => isIn(day, stop));
    return at < 0 ? '' : String(at + 1);
  };
  return {
    columns: ['date', ...names.map((name) => COLUMNS[name]), 'stop'],
    rows: flow.days.map((day, i) => [
      day,
      ...names.map((name) => flow[name][i]?.toFixed(2).replace(/\.?0+$/, '') ?? ''),
      stopOn(day),
    ]),
  };
}

/** As a file: numbers as they are drawn, nothing where a day is not covered. */
export const csvOf = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((cells) => `${cells.join(',')}\n`).join('');

// The flow of a port drawn: three charts over the same days, with the days that are not covered hatched and the stops
// numbered.

/** Where days lie in the drawing; the slider below has the same edges. */
const EDGES = { left: 34, right: 12 } as const;
const TITLE = 18;
const AXIS = 18;
const FLAG = 8;
const NARROW = 480;

/** Where the day with an index lies. */
type ToX = (i: number) => number;

interface Pane {
  readonly title: string;
  readonly top: number;
  readonly height: number;
  /** The value at its top. */
  readonly most: number;
}

const toY = (value: number, { top, height, most }: Pane): number => top + height - (value / most) * height;

/** Path data of a line with gaps where nothing is known. */
function linePath(values: Values, pane: Pane, toX: ToX): string {
  return values
    .map((value, i) => {
      if (value === null) return '';
      const point = `${toX(i).toFixed(1)} ${toY(value, pane).toFixed(1)}`;
      // A lone day is a dot.
      return (values[i - 1] ?? null) === null ? `M${point}h.01` : `L${point}`;
    })
    .join('');
}

/** Returns the runs of indices for which `isPart` holds, as first and last index. */
function runs(count: number, isPart: (i: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0; i < count; i += 1) {
    const last = found.at(-1);
    if (isPart(i) && last?.[1] === i - 1) last[1] = i;
    else if (isPart(i)) found.push([i, i]);
  }
  return found;
}

function bandPath(low: Values, high: Values, pane: Pane, toX: ToX): string {
  const isKnown = (i: number): boolean => (low[i] ?? null) !== null && (high[i] ?? null) !== null;
  return runs(low.length, isKnown)
    .map(([from, to]) => {
      const points = (values: Values): string[] =>
        values
          .slice(from, to + 1)
          .map((value, i) => `${toX(from + i).toFixed(1)} ${toY(value ?? 0, pane).toFixed(1)}`);
      return `M${[...points(high), ...points(low).reverse()].join('L')}Z`;
    })
    .join('');
}

const largest = (...series: readonly Values[]): number =>
  Math.max(1, ...series.flat().filter((value) => value !== null));

function paneAxis({ title, top, height, most }: Pane, width: number): TemplateResult {
  const text = most >= 10 ? Math.round(most) : Math.round(most * 10) / 10;
  return svg`<text class="axis-text flow-title" x=${EDGES.left} y=${top - 6}>${title}</text>
    <line class="flow-line" x1=${EDGES.left} x2=${width - EDGES.right} y1=${top + height} y2=${top + height}></line>
    <line class="flow-line" x1=${EDGES.left} x2=${width - EDGES.right} y1=${top} y2=${top}></line>
    <text class="axis-text flow-value" x=${EDGES.left - 4} y=${top + 5}>${text}</text>
    <text class="axis-text flow-value" x=${EDGES.left - 4} y=${top + height + 1}>0</text>`;
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const monthText = (day: string): string =>
  day.slice(5, 7) === '01' ? `Jan ${day.slice(0, 4)}` : monthName.format(Date.parse(day));

/** The first days of months, or every few days of a short span. */
function dayAxis(days: readonly string[], y: number, width: number, toX: ToX): TemplateResult[] {
  const isLong = days.length > 70;
  const step = Math.ceil((days.length * 52) / (width - EDGES.left));
  const named = days.flatMap((day, i) =>
    (isLong ? day.endsWith('-01') : i % step === 0) ? [{ day, i }] : [],
  );
  const every = Math.ceil((named.length * 48) / (width - EDGES.left));
  return named
    .filter(({ i }, place) => place % (isLong ? every : 1) === 0 && toX(i) < width - 30)
    .map(
      ({ day, i }) =>
        svg`<text class="axis-text flow-day" x=${toX(i).toFixed(1)} y=${y}>${isLong ? monthText(day) : dayText.format(Date.parse(day))}</text>`,
    );
}

export interface FlowDrawing {
  readonly flow: Flow;
  readonly stops: readonly Stop[];
  readonly day: string | undefined;
  /** Called with a day that is clicked; undefined where days cannot be chosen. */
  readonly choose: ((day: string) => void) | undefined;
  readonly summary: string;
}

function stopMark(stop: Stop, number: number, { flow, choose }: FlowDrawing, toX: ToX, height: number) {
  const day = stop.lowest?.date ?? stop.first_day;
  const at = flow.days.indexOf(day);
  if (at < 0) return nothing;
  const x = toX(at);
  return svg`<g class="flow-stop" @click=${() => choose?.(day)}>
    <line x1=${x} x2=${x} y1=${2 * FLAG} y2=${height - AXIS}></line>
    <circle cx=${x} cy=${FLAG} r=${FLAG}></circle><text x=${x} y=${FLAG + 3.5}>${number}</text>
    <title>Stop ${number}: ${dayText.format(Date.parse(day))}</title>
  </g>`;
}

function drawn(drawing: FlowDrawing, width: number): TemplateResult {
  const { flow, stops, day, choose, summary } = drawing;
  const { length: count } = flow.days;
  const plotWidth = width - EDGES.left - EDGES.right;
  // The last day of the axis is the one that runs.
  const toX = (i: number): number => EDGES.left + (i / Math.max(1, count)) * plotWidth;
  const small = width < NARROW;
  let top = 2 * FLAG + 4;
  const pane = (title: string, height: number, most: number): Pane => {
    const placed = { title, top: top + TITLE, height, most };
    top += TITLE + height + 4;
    return placed;
  };
  const berthed = pane('Vessels berthed a day', small ? 96 : 118, largest(flow.berthed, flow.usualHigh));
  const waiting = pane('Vessels waiting when the day ends', 44, largest(flow.waiting));
  const wait = pane(
    small
      ? 'Average wait, h; 10th to 90th percentile'
      : 'Average wait of the week, hours; 10th to 90th percentile of the waits',
    56,
    largest(flow.averageHours, flow.p90Hours),
  );
  const height = top + AXIS;
  const half = toX(0.5) - EDGES.left;
  const hatched = runs(count, (i) => (flow.berthed[i] ?? null) === null);
  const clicked = (event: MouseEvent): void => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    const i = Math.round(((event.clientX - left - EDGES.left) / plotWidth) * count);
    const chosen = flow.days[Math.max(0, i)];
    if (chosen !== undefined) choose?.(chosen);
  };
  const shownAt = day === undefined ? -1 : flow.days.indexOf(day);
  const x = toX(shownAt).toFixed(1);
  return html`<svg class="flow ${choose ? 'flow-chosen' : ''}" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
    aria-label=${summary} @click=${clicked}>
    <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6"></line></pattern></defs>
    ${hatched.map(([from, to]) => {
      const left = toX(from) - half;
      return svg`<rect class="uncovered" fill="url(#hatch)" x=${left.toFixed(1)} y=${berthed.top} width=${(toX(to) + half - left).toFixed(1)} height=${height - AXIS - berthed.top}></rect>`;
    })}
    ${[berthed, waiting, wait].map((placed) => paneAxis(placed, width))}
    <path class="usual" d=${bandPath(flow.usualLow, flow.usualHigh, berthed, toX)}></path>
    <path class="berthed" d=${linePath(flow.berthed, berthed, toX)}></path>
    <path class="waiting" d=${linePath(flow.waiting, waiting, toX)}></path>
    <path class="spread" d=${bandPath(flow.p10Hours, flow.p90Hours, wait, toX)}></path>
    <path class="wait" d=${linePath(flow.averageHours, wait, toX)}></path>
    ${dayAxis(flow.days, height - 5, width, toX)}
    ${stops.map((stop, i) => stopMark(stop, i + 1, drawing, toX, height))}
    ${
      shownAt < 0
        ? nothing
        : svg`<rect class="flow-later" x=${x} y=${berthed.top} width=${(toX(count - 1) + half - toX(shownAt)).toFixed(1)} height=${height - AXIS - berthed.top}><title>Not known on the day that is shown</title></rect>
          <line class="flow-shown" x1=${x} x2=${x} y1=${2 * FLAG} y2=${height - AXIS}></line>`
    }
  </svg>`;
}

export const flowChart = (drawing: FlowDrawing): TemplateResult => {
  const draw = (host: HTMLElement, width: number): void => {
    render(drawn(drawing, width), host);
  };
  return html`<div class="flow-host" ${drawnBy(draw, drawing.flow, drawing.stops, drawing.day)}></div>`;
};
