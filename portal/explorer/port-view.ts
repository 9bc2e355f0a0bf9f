/** One port: its head with its state in a sentence, and its panels: newest figures, twelve months, trend with alerts and forecast, and dwell. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Alert } from '../../core/contracts/alerts.ts';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import type { Forecast } from '../../core/contracts/forecast.ts';
import { WINDOWS, type Window } from '../../core/contracts/parameters.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import { addDays, dayOf } from '../../core/reference/time.ts';
import { dataOf, isOutsidePlan, type Outcome, requestPath, toTable } from '../api/responses.ts';
import { forecastText } from '../chart/forecast-text.ts';
import { DRAWN_DAYS, lineChart, TOO_SHORT } from '../chart/line-chart.ts';
import { trendChart } from '../chart/trend.ts';
import {
  type SpreadDay,
  spreadText,
  usualWait,
  type WaitHistory,
  waitHistory,
} from '../chart/wait-spread.ts';
import { yearChart, yearSeries, yearTable } from '../chart/year.ts';
import { choiceRow } from '../view/controls.ts';
import { memoized } from '../view/memo.ts';
import { emptyNotice, loadingNotice } from '../view/notice.ts';
import { type Panel, panel } from '../view/panel.ts';
import { valuesBehind } from '../view/table.ts';
import { dateText, longDayText, planText } from '../view/text.ts';
import { alertList, alertMarks } from './alert-list.ts';
import { dwellTimeline, withoutCalls } from './dwell.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { type About, portHead, portSources } from './port-head.ts';
import { daySentence, portSentence } from './port-sentence.ts';
import { readChanges } from './shown-ports.ts';
import { snapshotFigures } from './snapshot.ts';
import { endOf, SPAN_DAYS, yearPath } from './story.ts';

const joined = memoized((year: readonly SpreadDay[], before: readonly SpreadDay[] | undefined) =>
  waitHistory([...(before ?? []), ...year]),
);
const series = memoized(yearSeries);

type YearWaits = ReturnType<typeof readYear>;

/** `asOf`: the UTC day at whose end they were known. Without a history while they load, and for a key whose plan does not have them. */
function readYear({ responses }: Explorer, port: PortRecord, today: string, asOf?: string) {
  const lastDay = endOf(port, today);
  const path = yearPath(port.port, lastDay, asOf);
  const year = dataOf<SpreadDay[]>(responses.read(path));
  const first = addDays(lastDay, -SPAN_DAYS);
  const hasBefore =
    year !== undefined && year.length > 0 && port.first_day !== null && port.first_day < first;
  // A failure leaves the year without the one before it.
  const before = hasBefore
    ? dataOf<SpreadDay[]>(responses.read(yearPath(port.port, addDays(first, -1), asOf)))
    : undefined;
  return { path, lastDay, history: year && joined(year, before) };
}

/** Number of days that twelve months may lack at their beginning. */
const MOSTLY = 15;

function spanNote([first, ...rest]: readonly string[]): string {
  if (first === undefined || rest.length + 1 >= SPAN_DAYS) return '';
  const from = dateText(first);
  return rest.length === 0
    ? `Only one day has waits: ${from}. `
    : `Only the last ${rest.length + 1} days have waits, from ${from} on. `;
}

function yearTitle({ history, lastDay }: YearWaits): string {
  const [first] = history === undefined ? [] : series(history.spreads, lastDay).days;
  return first === undefined || first <= addDays(lastDay, MOSTLY - SPAN_DAYS)
    ? 'Waits of twelve months'
    : `Waits since ${dateText(first)}`;
}

function yearNote({ spreads }: WaitHistory, lastDay: string): string {
  const usual = usualWait(spreads, lastDay);
  const days = usual?.month === undefined ? 'of the 90 days before this week' : `of ${usual.month}`;
  const compared = usual === undefined ? '' : ` What is usual is the median of the daily averages ${days}.`;
  return `Each day is that of the vessels that berthed in the week up to it, or in 14 or 28 days where fewer than three did; those that still wait are not in it.${compared}`;
}

function year(
  { lastDay, history }: YearWaits,
  marks: ReturnType<typeof alertMarks>,
): TemplateResult | string {
  if (history === undefined || history.days.length === 0)
    return 'Nothing has been observed of this port in these twelve months.';
  const shown = series(history.spreads, lastDay);
  const chart =
    shown.days.length < DRAWN_DAYS
      ? emptyNotice(TOO_SHORT)
      : lineChart('chart chart-year', () => yearChart(shown, marks), shown, marks);
  return html`${chart}<p class="chart-note">${spanNote(shown.days)}${yearNote(history, lastDay)}</p>
    <div>${valuesBehind(yearTable(shown), 'Waits of twelve months')}</div>`;
}

function spreadNote(waits: WaitHistory | undefined, day: string, isDrawn: boolean): unknown {
  const spread = waits?.spreads.get(day);
  if (spread === undefined) return nothing;
  const band = spread.openWaits > 0 || !isDrawn ? '' : ' The band runs from one to the other, day by day.';
  return html`${spreadText(spread, day)}${band} <a href="/docs/accuracy.html">How sure are the figures?</a>`;
}

function forecastNote(outcome: Outcome | undefined): unknown {
  if (isOutsidePlan(outcome)) return planText('Forecasts', 'forecast');
  const forecast = dataOf<Forecast>(outcome);
  return forecast ? forecastText(forecast) : nothing;
}

function trend(
  days: readonly TrendPoint[],
  name: string,
  waits: WaitHistory | undefined,
  marks: ReturnType<typeof alertMarks>,
  forecast: Outcome | undefined,
): TemplateResult | string {
  const newest = days.at(-1)?.date;
  if (newest === undefined) return 'No day of this window has enough observations for a reliable value.';
  const overlay = { marks, spreads: waits?.spreads, forecast: dataOf<Forecast>(forecast)?.rows };
  const chart = (): TemplateResult =>
    lineChart('chart', () => trendChart(days, overlay), days, ...Object.values(overlay));
  const isDrawn = days.length >= DRAWN_DAYS;
  return html`${isDrawn ? chart() : emptyNotice(TOO_SHORT)}
    <p class="chart-note spread-note">${spreadNote(waits, newest, isDrawn)}</p>
    <p class="chart-note forecast-note">${forecastNote(forecast)}</p>
    ${valuesBehind(toTable(days), `Trend of ${name}`)}`;
}

const WINDOW_TEXTS = Object.fromEntries(
  Object.entries(WINDOWS).map(([window, days]) => [window, `${days} days`]),
) as Record<Window, string>;

export { portHead };

export function portTop(
  explorer: Explorer,
  about: About,
  port: PortRecord,
  { day }: MapRoute,
): TemplateResult {
  if (day !== undefined) {
    const ports = explorer.days.portsOn(day);
    const then = ports && findNamed(ports, port.port);
    const sentence = ports && daySentence(then, day);
    return portHead(explorer, about, { ...port, stopped_since: then?.stopped_since ?? null }, sentence);
  }
  const path = requestPath('snapshot', { UNLOCODE: port.port });
  const snapshot = dataOf<Snapshot>(explorer.responses.read(path));
  const today = dayOf(about.now());
  const sentence =
    snapshot &&
    portSentence(
      { ...port, ...snapshot, at_anchor: snapshot.vessels.at_anchor },
      {
        today,
        waits: readYear(explorer, port, today).history,
        change: findNamed(readChanges(explorer).records, port.port),
      },
    );
  return portHead(explorer, about, port, sentence);
}

/** Paths of the panels' requests: for the newest figures, or for those known at the end of a UTC day. */
function panelPaths(code: string, { window, day }: MapRoute, until: string | undefined) {
  const windowed = { UNLOCODE: code, window, until };
  return {
    snapshot: requestPath('snapshot', { UNLOCODE: code, as_of: day }),
    trend: requestPath('trend', { ...windowed, as_of: day }),
    alerts: requestPath('alerts', { ...windowed, as_of: day }),
    forecast: requestPath('forecast', { UNLOCODE: code, as_of: day }),
    // A stay is not changed afterwards.
    dwell: requestPath('dwell', windowed),
  };
}

/** Newest figures, twelve months, trend with alerts and forecast, and dwell; on a past day as they were known at its end. */
export function portView(
  explorer: Explorer,
  about: About,
  served: PortRecord,
  route: MapRoute,
): TemplateResult {
  const { responses, go } = explorer;
  const { window, day } = route;
  const code = served.port;
  const today = day ?? dayOf(about.now());
  const records = day === undefined ? [served] : explorer.days.portsOn(day);
  if (records === undefined) return loadingNotice('the day');
  const then = findNamed(records, code);
  if (then === undefined)
    return emptyNotice(
      html`Nothing was known of ${served.name} at the end of this day. <a href=${mapSearch({ ...route, day: undefined })}>Newest figures</a>`,
    );
  // The days lack how the port is known now.
  const port: PortRecord = { ...served, ...then, evidence: served.evidence };
  const lastDay = endOf(served, today);
  const until = lastDay < today || day !== undefined ? lastDay : undefined;
  const paths = panelPaths(code, route, until);
  const of = (given: Omit<Panel, 'about'>): TemplateResult => panel(responses, { ...given, about: code });
  const waits = readYear(explorer, served, today, day);
  const marks = alertMarks(dataOf<Alert[]>(responses.read(paths.alerts)));
  const forecast = responses.read(paths.forecast);
  const windowAt = Date.parse(addDays(lastDay, 1 - WINDOWS[window]));
  return html`<section class="port-view" aria-labelledby="port-title">
    ${of({
      title: day === undefined ? 'Newest figures' : `At the end of ${longDayText(day)}`,
      what: 'snapshot',
      path: paths.snapshot,
      absence: ({ status, error }) =>
        status === 404 ? [error.message, error.hint].join(' ').trimEnd() : undefined,
      draw: (body) => snapshotFigures(explorer, about, port, body as Snapshot),
    })}
    ${of({
      title: yearTitle(waits),
      what: 'waits of twelve months',
      path: waits.path,
      absence: ({ status }) => (status === 403 ? planText('Waits day by day', 'waits') : undefined),
      draw: () => year(waits, marks),
    })}
    <p class="window-row">
      Trend, alerts and stays of the last
      ${choiceRow('Window', WINDOW_TEXTS, window, (chosen) => go(mapSearch({ ...route, window: chosen })))}
      ${until === undefined ? nothing : `up to ${dateText(until)}`}${day === undefined ? nothing : ', as known at its end'}
    </p>
    <div class="pair">
      ${of({
        title: 'Trend',
        what: 'trend',
        path: paths.trend,
        draw: (body) => trend(body as TrendPoint[], port.name, waits.history, marks, forecast),
      })}
      ${of({
        title: 'Alerts',
        what: 'alerts',
        path: paths.alerts,
        draw: (body) => alertList(body as Alert[], port, windowAt),
      })}
    </div>
    ${of({
      title: 'Waits and berth stays',
      what: 'dwell',
      path: paths.dwell,
      draw: (body) =>
        dwellTimeline(body as DwellPeriod[], withoutCalls(portSources(explorer, about.sources, served))),
    })}
  </section>`;
}
