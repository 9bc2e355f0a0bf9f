/** What stands in the panels of a port: newest figures, stays, alerts, and the notes under the trend. */
import type { Alert } from '../../core/contracts/alerts.ts';
import type { Forecast } from '../../core/contracts/forecast.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { requestPath, type Session } from '../api/session.ts';
import { durationText, freshnessBudget, type ListedSource, minutesSince } from '../api/source-list.ts';
import type { Mark } from '../chart/alert-marks.ts';
import { forecastText, type ServedForecast } from '../chart/forecast-text.ts';
import type { Period } from '../chart/response-series.ts';
import { cutNote, timeline } from '../chart/timeline.ts';
import { quantile, spreadText, type WaitHistory } from '../chart/wait-spread.ts';
import { element } from '../view/element.ts';
import { fieldFirst, fieldName } from '../view/field-name.ts';
import { type ScoreLines, scoreClass } from '../view/score-class.ts';
import { momentText, planText } from '../view/text.ts';

export interface SnapshotContext {
  readonly port: PortRecord | undefined;
  readonly sources: readonly ListedSource[];
  readonly lines: ScoreLines;
  /** The service's clock, epoch milliseconds. */
  readonly now: number;
  /** The figures are recorded, so that they have no age. */
  readonly isRecorded: boolean;
}

/** What the average wait rests on, for a reader who takes it for a wait to come. */
const WAIT_NOTES = {
  berthed: 'at anchor before the berth',
  mixed: 'at anchor, open waits included',
  open: 'so far: none has berthed',
} as const;

const figure = (
  value: string,
  field: Parameters<typeof fieldName>[0],
  note: string,
  rank?: number,
): HTMLElement =>
  element(
    'div',
    { class: 'figure' },
    element('dt', {}, fieldName(field)),
    element(
      'dd',
      {},
      rank === undefined ? undefined : element('span', { class: `swatch score-${rank}` }),
      element('b', {}, value),
      element('span', {}, note),
    ),
  );

const vesselsText = (count: number): string => (count === 1 ? 'vessel' : 'vessels');

function ageNotice(ageMinutes: number, budget: number | undefined, asOf: string): HTMLElement {
  const stale = budget !== undefined && ageMinutes > budget;
  const age = durationText(ageMinutes);
  return element(
    'p',
    { class: stale ? 'age age-stale' : 'age', ...(stale ? { role: 'status' } : {}) },
    element('span', { class: `tag tag-${stale ? 'stale' : 'fresh'}` }, stale ? 'stale' : 'current'),
    ' as of ',
    element('time', { datetime: asOf }, momentText(asOf)),
    stale
      ? `, ${age} ago: older than the ${durationText(budget)} that its source is allowed. The figures are the last good ones. `
      : `, ${age} ago `,
    stale ? element('a', { href: '/docs/status.html' }, 'Status of the sources') : undefined,
  );
}

const recordedNote = (asOf: string): HTMLElement =>
  element(
    'p',
    { class: 'age' },
    element('span', { class: 'tag tag-late' }, 'recorded'),
    ' as of ',
    element('time', { datetime: asOf }, momentText(asOf)),
    ', from recorded replies ',
  );

/** Draws `snapshot` into `body`. */
export function drawSnapshot(body: HTMLElement, snapshot: Snapshot, context: SnapshotContext): void {
  const { vessels } = snapshot;
  const { rank, label } = scoreClass(snapshot.congestion_score, context.lines);
  const ageMinutes = minutesSince(snapshot.as_of, context.now);
  const budget = freshnessBudget(context.sources, context.port?.sources ?? []);
  body.append(
    context.isRecorded ? recordedNote(snapshot.as_of) : ageNotice(ageMinutes, budget, snapshot.as_of),
    element(
      'dl',
      { class: 'figures' },
      figure(snapshot.congestion_score.toFixed(3), 'congestion_score', `${label} (from 0 to 1)`, rank),
      figure(
        `${snapshot.avg_wait_hours.toFixed(1)} h`,
        'avg_wait_hours',
        WAIT_NOTES[context.port?.wait_basis ?? 'berthed'],
      ),
      figure(String(vessels.at_anchor), 'at_anchor', vesselsText(vessels.at_anchor)),
      figure(String(vessels.in_port), 'in_port', `${vesselsText(vessels.in_port)}, those at anchor too`),
      figure(String(vessels.arrivals_24h), 'arrivals_24h', `${vesselsText(vessels.arrivals_24h)} in 24 h`),
      figure(
        String(vessels.departures_24h),
        'departures_24h',
        `${vesselsText(vessels.departures_24h)} in 24 h`,
      ),
    ),
  );
}

// Waits and berth stays as a timeline, with a summary for screen readers.

const summarize = (periods: readonly Period[], kind: Period['kind'], name: string): string => {
  const hours = periods.filter((period) => period.kind === kind).map((period) => period.hours);
  const median = quantile(
    hours.toSorted((a, b) => a - b),
    0.5,
  );
  return median === null ? `no ${name}s` : `${hours.length} ${name}s, median ${median.toFixed(1)} h`;
};

/** The sentence above the timeline. */
const dwellSummary = (periods: readonly Period[]): string =>
  `${summarize(periods, 'wait', 'wait')}; ${summarize(periods, 'berth', 'berth stay')}.`;

/** Draws `periods` into `body`; a sentence instead when there are none. */
export function drawDwell(body: HTMLElement, periods: readonly Period[]): string | undefined {
  if (periods.length === 0) return 'No wait or berth stay ended in this window.';
  const summary = dwellSummary(periods);
  const host = element('div', { class: 'timeline-host' });
  body.append(element('p', { class: 'chart-note' }, `${summary} ${cutNote(periods)}`), host);
  timeline(host, periods, `Timeline of ${summary}`);
  return undefined;
}

// The alerts of a port, numbered as they are marked on the trend.

/** An alert of a day that has ended is dated to that day's last instant, which is the next day's first. */
const lastInstant = (asOf: string): number => Date.parse(asOf) - 1;

/** A level that fell is good news: it has a colour of its own at every severity. */
const tone = ({ type, severity, change_pct }: Alert): Mark['tone'] =>
  type === 'change_point' && change_pct < 0 ? 'fall' : severity;

export const alertMarks = (alerts: readonly Alert[]): Mark[] =>
  alerts.map((alert, i) => ({ number: i + 1, at: lastInstant(alert.as_of), tone: tone(alert) }));

const changeText = (fraction: number): string =>
  `${fraction < 0 ? '▼ −' : '▲ +'}${Math.round(Math.abs(fraction) * 100)} %`;

/** Without data there is no alert either, which does not mean that nothing happened. */
function absenceText(asOf: string | null | undefined, windowAt: number): string {
  if (asOf == null)
    return 'No data: nothing has been observed of this port, so nothing can be said about alerts.';
  return Date.parse(asOf) < windowAt
    ? `No data in this window: the newest of this port are of ${momentText(asOf)}, so nothing can be said about alerts.`
    : `No alert in this window, on the days that the trend shows, of data up to ${momentText(asOf)}.`;
}

/** Draws `alerts` into `body`; a sentence instead when there are none. `windowAt` is where their window begins. */
export function drawAlerts(
  body: HTMLElement,
  alerts: readonly Alert[],
  port: PortRecord | undefined,
  windowAt: number,
): string | undefined {
  if (alerts.length === 0) return absenceText(port?.as_of, windowAt);
  const items = alerts.map((alert, i) =>
    element(
      'li',
      {},
      element(
        'span',
        { class: `flag tone-${tone(alert)}`, 'aria-label': `Mark ${i + 1}`, role: 'img' },
        String(i + 1),
      ),
      element(
        'div',
        {},
        element(
          'p',
          { class: 'alert-head' },
          element('b', {}, alert.severity),
          alert.type.replace('_', ' '),
          fieldName(alert.metric),
          element('span', { class: `change change-${tone(alert)}` }, changeText(alert.change_pct)),
          element('time', { datetime: alert.as_of }, alert.as_of.slice(0, 10)),
        ),
        element('p', {}, ...fieldFirst(alert.explain)),
      ),
    ),
  );
  const region = { class: 'alerts-scroll', tabindex: 0, role: 'region', 'aria-label': 'List of alerts' };
  body.append(element('div', region, element('ol', { class: 'alerts' }, ...items)));
  return undefined;
}

// The note under the trend: what its newest average is based on.

/** Nothing while the waits are not known; `day` is the newest of the trend. */
export function spreadNote(waits: WaitHistory | undefined, day: string): (Node | string)[] {
  const spread = waits?.spreads.get(day);
  if (spread === undefined) return [];
  return [
    `${spreadText(spread, day)} The band runs from one to the other, day by day. `,
    element('a', { href: '/docs/accuracy.html' }, 'How sure are the figures?'),
  ];
}

// The forecast of a port: loads it, and says in a sentence under the trend what is likely.

export interface ForecastNote {
  /** Shown under the chart. */
  readonly node: HTMLElement;
  /** The days to draw after the trend; undefined while there is none. */
  readonly days: () => ServedForecast['rows'] | undefined;
  clear(): void;
  load(port: string): Promise<void>;
}

/** `changed` is called when there are days to draw. */
export function createForecastNote(session: Session, changed: () => void): ForecastNote {
  const node = element('p', { class: 'chart-note forecast-note' });
  let forecast: ServedForecast | undefined;
  let running: AbortController | undefined;
  return {
    node,
    days: () => (forecast === undefined || forecast.rows.length === 0 ? undefined : forecast.rows),
    clear() {
      running?.abort();
      forecast = undefined;
      node.replaceChildren();
    },
    async load(port) {
      const mine = new AbortController();
      running = mine;
      const path = requestPath('forecast', { UNLOCODE: port });
      const outcome = await session.ask(path, mine.signal);
      if (outcome?.kind === 'error' && outcome.status === 403)
        node.replaceChildren(planText('Forecasts', 'forecast'));
      // Any other failure leaves the trend as it is: without a fan.
      if (outcome?.kind !== 'data') return;
      forecast = JSON.parse(outcome.text) as Forecast;
      node.replaceChildren(forecastText(forecast));
      changed();
    },
  };
}
