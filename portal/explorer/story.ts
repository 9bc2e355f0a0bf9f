/** The story of one port: vessels berthed a day over a year, with its stops, and the slider over the days. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { KnownDays, Stop } from '../../core/contracts/published-files.ts';
import { addDays } from '../../core/reference/time.ts';
import { dataOf, isOutsidePlan, requestPath } from '../api/responses.ts';
import { csvOf, type Flow, flowChart, flowOf, flowTable } from '../chart/flow.ts';
import { type SpreadDay, waitHistory } from '../chart/wait-spread.ts';
import { savePicture, saveText } from '../view/controls.ts';
import { memoized } from '../view/memo.ts';
import { emptyNotice, failureNotice, loadingNotice } from '../view/notice.ts';
import { valuesBehind } from '../view/table.ts';
import { dateText, longDayText, planText, vesselsText } from '../view/text.ts';
import { type Days, daySlider, knownDay } from './day-slider.ts';
import type { Explorer } from './explorer.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { ranked, readPorts } from './shown-ports.ts';

// Twelve months of waits of a port: what its charts of a year are drawn from. One request.

export const SPAN_DAYS = 365;

/** The day on which the panels of a port end, `today` at most: those of a port that is no longer observed end with its last one. */
export const endOf = ({ last_day: last }: Pick<PortRecord, 'last_day'>, today: string): string =>
  last !== null && last < today ? last : today;

/** The request of the twelve months up to `to`. `asOf`: the UTC day at whose end the waits were known; undefined for now. */
export const yearPath = (port: string, to: string, asOf?: string): string =>
  requestPath('waits', { UNLOCODE: port, from: addDays(to, -SPAN_DAYS), to, as_of: asOf });

/** The waits of the last year of a port that has figures: its story, and its worst week. */
const lastYearPath = ({ port, as_of, last_day }: PortRecord): string =>
  yearPath(port, endOf({ last_day }, as_of?.slice(0, 10) ?? ''));

const flow = memoized((waits: readonly SpreadDay[], lastDay: string, stops: readonly Stop[]) =>
  flowOf(waitHistory(waits), lastDay, stops),
);
const stopsAt = memoized((stops: readonly Stop[] | undefined, port: string | undefined): readonly Stop[] =>
  (stops ?? []).filter((stop) => stop.port === port),
);
/** Those known now. */
export const stopsOf = ({ days }: Explorer, port: string | undefined): readonly Stop[] =>
  stopsAt(days.index()?.stops, port);

/** `2 Jan 2025 to 3 Oct 2025`. */
const spanText = ({ days }: Flow): string =>
  [days[0], days.at(-1)].map((day) => dateText(day ?? '')).join(' to ');

function summary(port: PortRecord, shown: Flow, stops: readonly Stop[]): string {
  const known = shown.berthed.filter((count) => count !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const stopped = stops.map(({ lowest, first_day }) => dateText(lowest?.date ?? first_day));
  return `${port.name}, ${spanText(shown)}: from ${vesselsText(least)} to ${vesselsText(most)} berthed a day. ${stopped.length === 0 ? 'No stop.' : `Stops: ${stopped.join(', ')}.`}`;
}

const legend = (hasStops: boolean): TemplateResult => html`<ul class="legend flow-legend" aria-label="Signs">
  <li><span class="swatch swatch-usual"></span>usual: 10th to 90th percentile of 28 days without stops</li>
  <li><span class="swatch swatch-hatch"></span>not covered</li>
  ${hasStops ? html`<li><span class="stop-number">1</span>berthings stopped</li>` : nothing}
</ul>`;

function exports(port: PortRecord, shown: Flow, stops: readonly Stop[], route: MapRoute): TemplateResult {
  const name = `${port.port}-berthings`;
  const csv = (): void => saveText(csvOf(flowTable(shown, stops)), 'text/csv', `${name}.csv`);
  const picture = ({ currentTarget }: Event): void => {
    const drawing = (currentTarget as Element).closest('.story')?.querySelector<SVGSVGElement>('svg.flow');
    const title = `${port.name} (${port.port}), ${spanText(shown)}. Sources: ${port.sources.join(', ')}`;
    if (drawing) void savePicture(drawing, title, `${name}.png`);
  };
  return html`<span class="exports">
    <button type="button" class="button" @click=${csv}>CSV</button>
    <button type="button" class="button" @click=${picture}>Picture</button>
    <a class="button" href=${mapSearch({ ...route, port: port.port })}>Link</a>
  </span>`;
}

/** The consecutive days that are known, the newest ones or those among which a port has its own. */
export function spanOf(
  { first_day, last_day, spans }: KnownDays,
  port?: Pick<PortRecord, 'first_day' | 'last_day'>,
): readonly [first: string, last: string] | undefined {
  const known = spans ?? (first_day === null || last_day === null ? [] : [[first_day, last_day] as const]);
  const [from, to] = [port?.first_day ?? '', port?.last_day ?? '9999'];
  return known.findLast(([first, last]) => first <= to && from <= last);
}

/** The days of the axis: those of the chart, or those that are known where there is no chart. */
function axisOf(
  shown: Flow | undefined,
  known: KnownDays,
  port: Pick<PortRecord, 'first_day' | 'last_day'> | undefined,
  isOver: boolean,
): Days | undefined {
  const span = spanOf(known, port);
  if (span === undefined) return undefined;
  const [first, last] = span;
  const [axisFirst = first, axisLast = last] = [shown?.days[0], shown?.days.at(-1)];
  return {
    axisFirst,
    axisLast,
    first: first > axisFirst ? first : axisFirst,
    last: last < axisLast ? last : axisLast,
    newest: isOver && port?.last_day ? `Last figures, of ${longDayText(port.last_day)}` : 'Newest figures',
  };
}

/** `port`: undefined while nothing is known of any, and where none has figures. */
export function story(explorer: Explorer, route: MapRoute, port: PortRecord | undefined): TemplateResult {
  const known = explorer.days.index();
  if (port === undefined || port.as_of === null) {
    const axis = known && axisOf(undefined, known, undefined, false);
    // Without a key the days can be shown, and the chart cannot.
    const slider =
      axis === undefined || explorer.responses.key !== '' ? nothing : daySlider(explorer, route, axis);
    // A chosen port without figures has no story. Without a chosen port, the space is kept for the story that loads.
    const isNone = route.port !== undefined && readPorts(explorer).complete;
    return html`<section class="story ${isNone ? 'story-short' : ''}" aria-label="Days">${isNone ? emptyNotice('No figures of this port to draw.') : nothing}${slider}</section>`;
  }
  const path = lastYearPath(port);
  const outcome = explorer.responses.read(path);
  const waits = dataOf<SpreadDay[]>(outcome);
  const stops = stopsOf(explorer, port.port);
  const shown = waits && flow(waits, addDays(port.as_of.slice(0, 10), -1), stops);
  const isOver = !ranked(readPorts(explorer).records).includes(port);
  const days = known && axisOf(shown?.days.length ? shown : undefined, known, port, isOver);
  const choose = days && ((day: string) => explorer.go(mapSearch({ ...route, day: knownDay(days, day) })));
  const chart = (): unknown => {
    if (isOutsidePlan(outcome)) return emptyNotice(planText('Waits day by day', 'waits'));
    if (outcome !== undefined && outcome.kind !== 'data')
      return failureNotice(outcome, () => explorer.responses.retry(path));
    if (shown === undefined) return loadingNotice('berthings');
    if (shown.days.length < 2) return emptyNotice('No two whole days have been observed of this port yet.');
    return flowChart({ flow: shown, stops, day: route.day, choose, summary: summary(port, shown, stops) });
  };
  const isDrawn = shown !== undefined && shown.days.length > 1;
  const isShort = shown !== undefined && !isDrawn;
  return html`<section class="story ${isShort ? 'story-short' : ''}" aria-labelledby="story-title">
    <header class="story-head"><h2 id="story-title">${port.name}: vessels berthed a day</h2>${
      isDrawn ? exports(port, shown, stops, route) : nothing
    }</header>
    <div class="story-chart">${chart()}</div>
    ${days === undefined ? nothing : daySlider(explorer, route, days)}
    ${isDrawn ? html`${legend(stops.length > 0)}<div>${valuesBehind(flowTable(shown, stops), `Berthings of ${port.name}`)}</div>` : nothing}
  </section>`;
}
