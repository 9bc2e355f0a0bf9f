/** One port: snapshot, trend with its alerts marked, dwell; all panels of one window. */
import type { AlertRecord } from '../../core/contracts/alerts.ts';
import type { DwellRecord } from '../../core/contracts/dwell.ts';
import type { Window } from '../../core/contracts/parameters.ts';
import { WINDOWS } from '../../core/contracts/parameters.ts';
import type { SnapshotRecord } from '../../core/contracts/snapshot.ts';
import { numbersOf, tableOf, textsOf } from '../api/answer-table.ts';
import type { Session } from '../api/session.ts';
import { attributionsOf } from '../api/source-list.ts';
import { REDRAW } from '../chart/canvas-colours.ts';
import { type Mark, trendChart } from '../chart/trend-chart.ts';
import { buildRequest } from '../request/built-request.ts';
import { createChoice } from '../view/choice.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element } from '../view/element.ts';
import { createPanel } from '../view/panel.ts';
import { drawAlerts, marksOf } from './alert-list.ts';
import { drawDwell } from './dwell-panel.ts';
import type { IndexedPort } from './port-index.ts';
import { drawSnapshot, type SnapshotContext } from './snapshot-panel.ts';

export interface PortView {
  readonly node: HTMLElement;
  show(port: IndexedPort, window: Window): Promise<void>;
}

type Surroundings = Pick<SnapshotContext, 'sources' | 'lines'> & { readonly now: () => number };

export function createPortView(
  session: Session,
  surroundings: Surroundings,
  chooseWindow: (window: Window) => void,
): PortView {
  let port: IndexedPort | undefined;
  let marks: readonly Mark[] = [];
  const windows = createChoice('Window', Object.keys(WINDOWS), (window) => chooseWindow(window as Window));
  const title = element('h2', { id: 'port-title', tabindex: -1 });
  const place = element('p', { class: 'place' });
  const attribution = element('p', { class: 'place' });

  const snapshot = createPanel(session, {
    title: 'Now',
    what: 'snapshot',
    mayBeAbsent: true,
    draw(body, { text }) {
      const { sources, lines, now } = surroundings;
      drawSnapshot(body, JSON.parse(text) as SnapshotRecord, { sources, lines, port, now: now() });
      return undefined;
    },
  });
  const alerts = createPanel(session, {
    title: 'Alerts',
    what: 'alerts',
    draw(body, { text }) {
      const records = JSON.parse(text) as AlertRecord[];
      marks = marksOf(records);
      // The trend may have been drawn before its marks were known.
      document.dispatchEvent(new Event(REDRAW));
      return drawAlerts(body, records);
    },
  });
  const trend = createPanel(session, {
    title: 'Trend',
    what: 'trend',
    draw(body, answer) {
      const table = tableOf(answer);
      if (table.rows.length === 0)
        return 'No day of this window has enough observations for an honest value.';
      const host = element('div', { class: 'chart' });
      body.append(host, valuesBehind(table, `Trend of ${port?.name ?? ''}`));
      trendChart(
        host,
        {
          days: textsOf(table, 'date'),
          scores: numbersOf(table, 'congestion_score'),
          waitHours: numbersOf(table, 'avg_wait_hours'),
        },
        () => marks,
      );
      return undefined;
    },
  });
  const dwell = createPanel(session, {
    title: 'Waits and berth stays',
    what: 'dwell',
    draw: (body, { text }) => drawDwell(body, JSON.parse(text) as DwellRecord[]),
  });

  const node = element(
    'section',
    { class: 'port-view', 'aria-labelledby': 'port-title' },
    element('header', { class: 'view-head' }, element('div', {}, title, place, attribution), windows.group),
    snapshot.section,
    element('div', { class: 'pair' }, trend.section, alerts.section),
    dwell.section,
  );
  return {
    node,
    async show(shown, window) {
      port = shown;
      marks = [];
      windows.show(window);
      title.replaceChildren(shown.name, ' ', element('code', {}, shown.port));
      place.textContent = `${shown.country} · ${shown.latitude.toFixed(2)}°, ${shown.longitude.toFixed(2)}° · ${shown.sources.join(', ')}`;
      attribution.textContent = attributionsOf(surroundings.sources, shown.sources).join(' · ');
      const UNLOCODE = shown.port;
      await Promise.all([
        snapshot.load(buildRequest('snapshot', { UNLOCODE })),
        trend.load(buildRequest('trend', { UNLOCODE, window })),
        alerts.load(buildRequest('alerts', { UNLOCODE, window })),
        dwell.load(buildRequest('dwell', { UNLOCODE, window })),
      ]);
    },
  };
}
