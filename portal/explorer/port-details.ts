/** Below the map: the chosen port with its panels, or that it is not covered. */
import type { Alert } from '../../core/contracts/alerts.ts';
import type { PortChange } from '../../core/contracts/changes.ts';
import { WINDOWS, type Window } from '../../core/contracts/parameters.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { dayOf } from '../../core/reference/time.ts';
import { toTable } from '../api/response-table.ts';
import { requestPath, type Session } from '../api/session.ts';
import type { Mark } from '../chart/alert-marks.ts';
import { periods, trendSeries } from '../chart/response-series.ts';
import { type Overlay, trendChart } from '../chart/trend-chart.ts';
import type { WaitHistory } from '../chart/wait-spread.ts';
import { type Choice, createChoice } from '../view/choice.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element, REDRAW } from '../view/element.ts';
import { createPanel, type Panel } from '../view/panel.ts';
import type { ExplorerData } from './explorer-data.ts';
import { createPortHead } from './port-head.ts';
import {
  alertMarks,
  createForecastNote,
  drawAlerts,
  drawDwell,
  drawSnapshot,
  spreadNote,
} from './port-panels.ts';
import { createYearPanel } from './year-panel.ts';

// One port: its state in a sentence, snapshot, twelve months, trend with its alerts marked and its forecast, and dwell.

export interface PortView {
  readonly node: HTMLElement;
  /** Another window of the same port loads what depends on it alone. */
  show(port: PortRecord, window: Window): Promise<void>;
  /** Says again what it says in words, from what is known of the port now. */
  tell(): void;
  /** The next port is loaded whole, whichever it is. */
  forget(): void;
}

type ShownPort = () => PortRecord | undefined;

const createSnapshotPanel = (
  session: Session,
  explorerData: ExplorerData,
  shown: ShownPort,
  told: (snapshot: Snapshot) => void,
): Panel =>
  createPanel(session, {
    title: 'Now',
    what: 'snapshot',
    absence: ({ status, error }) =>
      status === 404 ? [error.message, error.hint].join(' ').trimEnd() : undefined,
    draw(body, { text }) {
      const { sources, lines, now, settings } = explorerData;
      const snapshot = JSON.parse(text) as Snapshot;
      told(snapshot);
      drawSnapshot(body, snapshot, {
        sources,
        lines,
        port: shown(),
        now: now(),
        isRecorded: settings.recordedUntil !== undefined,
      });
      return undefined;
    },
  });

const createTrendPanel = (
  session: Session,
  shown: ShownPort,
  overlay: () => Overlay,
  notes: readonly HTMLElement[],
  drawn: (lastDay: string) => void,
): Panel =>
  createPanel(session, {
    title: 'Trend',
    what: 'trend',
    draw(body, { text }) {
      const table = toTable(text);
      if (table.rows.length === 0)
        return 'No day of this window has enough observations for a reliable value.';
      const host = element('div', { class: 'chart' });
      body.append(host, ...notes, valuesBehind(table, `Trend of ${shown()?.name ?? ''}`));
      const series = trendSeries(table);
      trendChart(host, series, overlay);
      drawn(series.days.at(-1) ?? '');
      return undefined;
    },
  });

/** `mark` gets the alerts to mark on the charts. */
const createAlertsPanel = (
  session: Session,
  shown: ShownPort,
  windowAt: () => number,
  mark: (marks: readonly Mark[]) => void,
): Panel =>
  createPanel(session, {
    title: 'Alerts',
    what: 'alerts',
    draw(body, { text }) {
      const records = JSON.parse(text) as Alert[];
      mark(alertMarks(records));
      return drawAlerts(body, records, shown(), windowAt());
    },
  });

const createDwellPanel = (session: Session): Panel =>
  createPanel(session, {
    title: 'Waits and berth stays',
    what: 'dwell',
    draw: (body, { text }) => drawDwell(body, periods(toTable(text))),
  });

const daysText = (window: Window): string => `${WINDOWS[window]} days`;

/** The window of the panels below it. */
function createWindowChoice(choose: (window: Window) => void): Choice {
  const windows = Object.keys(WINDOWS) as Window[];
  return createChoice('Window', windows.map(daysText), (text) => {
    const chosen = windows.find((window) => daysText(window) === text);
    if (chosen !== undefined) choose(chosen);
  });
}

/** What is known of the port that is shown; it grows with each response. */
interface Known {
  port: PortRecord | undefined;
  snapshot: Snapshot | undefined;
  waits: WaitHistory | undefined;
  marks: readonly Mark[];
  /** Newest UTC day of the trend; empty before it is drawn. */
  newestDay: string;
  /** Days of the window. */
  days: number;
}

const NOTHING: Known = {
  port: undefined,
  snapshot: undefined,
  waits: undefined,
  marks: [],
  newestDay: '',
  days: 0,
};

/** A chart may have been drawn before what lies over it was known. */
const redraw = (): void => void document.dispatchEvent(new Event(REDRAW));

/** The panels of a port. Each response goes to `learn`, and what a panel draws it takes from `known`. */
function createPanels(
  session: Session,
  explorerData: ExplorerData,
  known: () => Known,
  learn: (news: Partial<Known>) => void,
) {
  const port: ShownPort = () => known().port;
  const windowAt = (): number => new Date(explorerData.now()).setUTCHours(-24 * (known().days - 1), 0, 0, 0);
  const spread = element('p', { class: 'chart-note spread-note' });
  const forecast = createForecastNote(session, redraw);
  const overlay = (): Overlay => {
    const { marks, waits } = known();
    return { marks, findSpread: waits && ((day) => waits.spreads.get(day)), forecast: forecast.days() };
  };
  return {
    spread,
    forecast,
    now: createSnapshotPanel(session, explorerData, port, (snapshot) => learn({ snapshot })),
    year: createYearPanel(
      session,
      () => known().marks,
      (waits) => {
        learn({ waits });
        redraw();
      },
    ),
    alerts: createAlertsPanel(session, port, windowAt, (marks) => {
      learn({ marks });
      redraw();
    }),
    trend: createTrendPanel(session, port, overlay, [spread, forecast.node], (newestDay) =>
      learn({ newestDay }),
    ),
    dwell: createDwellPanel(session),
  };
}

/** `findChange` is the change of a port within a week, once it is known. */
export function createPortView(
  session: Session,
  explorerData: ExplorerData,
  findChange: (port: string) => PortChange | undefined,
  chooseWindow: (window: Window) => void,
): PortView {
  let known = NOTHING;
  const head = createPortHead(explorerData);
  const windows = createWindowChoice(chooseWindow);
  const tell = (): void => {
    const { port, snapshot, waits, newestDay } = known;
    if (snapshot !== undefined) head.tell(snapshot, waits, findChange(port?.port ?? ''));
    spread.replaceChildren(...spreadNote(waits, newestDay));
  };
  const { spread, forecast, now, year, alerts, trend, dwell } = createPanels(
    session,
    explorerData,
    () => known,
    (news) => {
      known = { ...known, ...news };
      tell();
    },
  );
  /** Only what depends on the window. */
  const loadWindow = (UNLOCODE: string, window: Window): Promise<void>[] => [
    trend.load(requestPath('trend', { UNLOCODE, window })),
    alerts.load(requestPath('alerts', { UNLOCODE, window })),
    dwell.load(requestPath('dwell', { UNLOCODE, window })),
  ];
  const loadPort = (port: PortRecord): Promise<void>[] => [
    now.load(requestPath('snapshot', { UNLOCODE: port.port })),
    year.load(port, dayOf(explorerData.now())),
    forecast.load(port.port),
  ];
  return {
    node: element(
      'section',
      { class: 'port-view', 'aria-labelledby': 'port-title' },
      head.node,
      now.section,
      year.section,
      element('p', { class: 'window-row' }, 'Trend, alerts and stays of the last', windows.group),
      element('div', { class: 'pair' }, trend.section, alerts.section),
      dwell.section,
    ),
    tell,
    forget() {
      known = { ...known, port: undefined };
    },
    async show(port, window) {
      const isSame = known.port?.port === port.port;
      const { snapshot, waits } = isSame ? known : NOTHING;
      known = { ...NOTHING, port, snapshot, waits, days: WINDOWS[window] };
      head.show(port);
      windows.show(daysText(window));
      if (!isSame) forecast.clear();
      tell();
      await Promise.all([...loadWindow(port.port, window), ...(isSame ? [] : loadPort(port))]);
    },
  };
}

export interface PortDetails {
  readonly node: HTMLElement;
  /** Requests each port and window once. */
  show(port: PortRecord, window: Window): void;
  /** Scrolls to the port and moves the focus to its heading, unless it is in view. */
  reveal(): void;
  clear(): void;
}

export function createPortDetails(
  session: Session,
  explorerData: ExplorerData,
  findChange: (port: string) => PortChange | undefined,
  chooseWindow: (window: Window) => void,
): PortDetails {
  let shown = '';
  const portView = createPortView(session, explorerData, findChange, chooseWindow);
  const node = element('div', { class: 'details' });
  return {
    node,
    show(port, window) {
      const wanted = `${port.port} ${window}`;
      if (shown === wanted) {
        portView.tell();
        return;
      }
      if (!node.contains(portView.node)) node.replaceChildren(portView.node);
      shown = wanted;
      void portView.show(port, window);
    },
    reveal() {
      const title = portView.node.querySelector<HTMLElement>('#port-title');
      const { top = 0, bottom = 0 } = title?.getBoundingClientRect() ?? {};
      if (title === null || (top >= 0 && bottom < innerHeight)) return;
      title.scrollIntoView({ block: 'start' });
      title.focus({ preventScroll: true });
    },
    clear() {
      shown = '';
      portView.forget();
      node.replaceChildren();
    },
  };
}
