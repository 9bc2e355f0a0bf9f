/** One port: snapshot, trend with its alerts marked, and dwell, over one window. */
import type { Alert } from '../../core/contracts/alerts.ts';
import type { Window } from '../../core/contracts/parameters.ts';
import { WINDOWS } from '../../core/contracts/parameters.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { requestPath } from '../api/request-path.ts';
import { tableOf } from '../api/response-table.ts';
import type { Session } from '../api/session.ts';
import { attributionsOf, type ListedSource } from '../api/source-list.ts';
import { periodsOf, trendOf } from '../chart/response-series.ts';
import { type Mark, type Overlay, trendChart } from '../chart/trend-chart.ts';
import { createChoice } from '../view/choice.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element, REDRAW } from '../view/element.ts';
import { EVIDENCE_TEXT, evidenceBadge, offlineText } from '../view/evidence.ts';
import { createPanel, type Panel } from '../view/panel.ts';
import { drawAlerts, marksOf } from './alert-list.ts';
import { drawDwell } from './dwell-panel.ts';
import type { ExplorerData } from './explorer-data.ts';
import { drawSnapshot } from './snapshot-panel.ts';
import { createSpreadNote } from './spread-note.ts';

export interface PortView {
  readonly node: HTMLElement;
  show(port: PortRecord, window: Window): Promise<void>;
}

type ShownPort = () => PortRecord | undefined;

const createSnapshotPanel = (session: Session, explorerData: ExplorerData, shown: ShownPort): Panel =>
  createPanel(session, {
    title: 'Now',
    what: 'snapshot',
    mayBeAbsent: true,
    draw(body, { text }) {
      const { sources, lines, now, settings } = explorerData;
      drawSnapshot(body, JSON.parse(text) as Snapshot, {
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
  note: HTMLElement,
  drawn: (lastDay: string) => void,
): Panel =>
  createPanel(session, {
    title: 'Trend',
    what: 'trend',
    draw(body, { text }) {
      const table = tableOf(text);
      if (table.rows.length === 0)
        return 'No day of this window has enough observations for a reliable value.';
      const host = element('div', { class: 'chart' });
      body.append(host, note, valuesBehind(table, `Trend of ${shown()?.name ?? ''}`));
      const series = trendOf(table);
      trendChart(host, series, overlay);
      drawn(series.days.at(-1) ?? '');
      return undefined;
    },
  });

/** `mark` gets the alerts to mark on the trend. */
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
      mark(marksOf(records));
      return drawAlerts(body, records, shown(), windowAt());
    },
  });

const createDwellPanel = (session: Session): Panel =>
  createPanel(session, {
    title: 'Waits and berth stays',
    what: 'dwell',
    draw: (body, { text }) => drawDwell(body, periodsOf(tableOf(text))),
  });

interface PortHead {
  readonly node: HTMLElement;
  show(port: PortRecord, window: Window): void;
}

/** Name and place of the port, attribution, and the window of all panels. */
function createPortHead(sources: readonly ListedSource[], chooseWindow: (window: Window) => void): PortHead {
  const windows = createChoice('Window', Object.keys(WINDOWS), (window) => chooseWindow(window as Window));
  const title = element('h2', { id: 'port-title', tabindex: -1 });
  const place = element('p', { class: 'place' });
  const basis = element('p', { class: 'place' });
  const attribution = element('p', { class: 'place' });
  const names = element('div', {}, title, place, basis, attribution);
  return {
    node: element('header', { class: 'view-head' }, names, windows.group),
    show({ name, port, country, latitude, longitude, sources: behind, evidence }, window) {
      windows.show(window);
      title.replaceChildren(name, ' ', element('code', {}, port));
      place.textContent = `${country} · ${latitude.toFixed(2)}°, ${longitude.toFixed(2)}° · ${behind.join(', ')}`;
      basis.replaceChildren(
        evidenceBadge(evidence),
        ` ${EVIDENCE_TEXT[evidence]}${offlineText(sources, behind)}`,
      );
      attribution.textContent = attributionsOf(sources, behind).join(' · ');
    },
  };
}

export function createPortView(
  session: Session,
  explorerData: ExplorerData,
  chooseWindow: (window: Window) => void,
): PortView {
  let shown: PortRecord | undefined;
  let days = 0;
  let marks: readonly Mark[] = [];
  const spread = createSpreadNote(session, () => document.dispatchEvent(new Event(REDRAW)));
  const head = createPortHead(explorerData.sources, chooseWindow);
  const snapshot = createSnapshotPanel(session, explorerData, () => shown);
  const alerts = createAlertsPanel(
    session,
    () => shown,
    () => new Date(explorerData.now()).setUTCHours(-24 * (days - 1), 0, 0, 0),
    (found) => {
      marks = found;
      // The trend may have been drawn before its marks were known.
      document.dispatchEvent(new Event(REDRAW));
    },
  );
  const trend = createTrendPanel(
    session,
    () => shown,
    () => ({ marks, ...spread.overlay() }),
    spread.node,
    spread.describe,
  );
  const dwell = createDwellPanel(session);
  return {
    node: element(
      'section',
      { class: 'port-view', 'aria-labelledby': 'port-title' },
      head.node,
      snapshot.section,
      element('div', { class: 'pair' }, trend.section, alerts.section),
      dwell.section,
    ),
    async show(port, window) {
      shown = port;
      days = WINDOWS[window];
      marks = [];
      spread.clear();
      head.show(port, window);
      const UNLOCODE = port.port;
      await Promise.all([
        snapshot.load(requestPath('snapshot', { UNLOCODE })),
        trend.load(requestPath('trend', { UNLOCODE, window })),
        alerts.load(requestPath('alerts', { UNLOCODE, window })),
        dwell.load(requestPath('dwell', { UNLOCODE, window })),
        spread.load(UNLOCODE, WINDOWS[window], explorerData.now()),
      ]);
    },
  };
}
