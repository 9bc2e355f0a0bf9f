/** The first view: the first screen, the port chosen, and the list of all ports. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Session } from '../api/session.ts';
import type { PortalSettings } from '../settings-block.ts';
import { element } from '../view/element.ts';
import { emptyNotice, failureNotice, incompleteNotice, loadingNotice, noKeyNotice } from '../view/notice.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { loadExplorerData } from './explorer-data.ts';
import { createFirstScreen } from './first-screen.ts';
import { type MapRoute, mapSearch, pageTitle } from './page-route.ts';
import type { PortDetails } from './port-details.ts';
import type { PortIndex, PortIndexLoader } from './port-index.ts';

/** The build defines it. */
declare const PORT_SCRIPT: string;

export interface MapView {
  readonly node: HTMLElement;
  /** Requests what has not been requested with the session's key. */
  show(route: MapRoute): void;
  /** Draws what is known of the ports now. */
  draw(): void;
  /** Forgets what was seen with another key. */
  clear(): void;
}

interface MapViewOptions {
  readonly session: Session;
  readonly lines: ScoreLines;
  readonly settings: PortalSettings;
  readonly index: PortIndexLoader;
  readonly go: (address: string) => void;
  /** Requests everything again. */
  readonly retry: () => void;
}

/** A notice while the ports load, or when there are none; undefined otherwise. */
function progress({ ports: { records, failure, complete } }: PortIndex): HTMLElement | undefined {
  if (failure) return undefined;
  if (!complete) return loadingNotice('ports');
  return records.length === 0 ? emptyNotice('No port is covered yet.') : undefined;
}

const put = (place: HTMLElement, notice: HTMLElement | undefined): void =>
  place.replaceChildren(...(notice ? [notice] : []));

const notCovered = (code: string): HTMLElement =>
  element(
    'p',
    { class: 'notice notice-error', role: 'alert' },
    `${code} is not among the covered ports. Choose one of the list.`,
  );

export function createMapView({ session, lines, settings, index, go, retry }: MapViewOptions): MapView {
  let route: MapRoute = { view: 'map', port: undefined, window: '30d', listing: 'table' };
  let shownOnce = false;
  /** Whether the reader has just chosen a port, so that its details should come into view. */
  let reveal = false;
  let details: Promise<PortDetails> | undefined;
  // Errors come first; a notice of loading comes below, so that the map does not move.
  const fault = element('div', { class: 'map-fault' });
  const status = element('div', { class: 'map-status' });
  const place = element('div', { class: 'chosen-port' });
  const first = createFirstScreen({ lines, settings, go, retry, route: () => route });

  const loadDetails = async (): Promise<PortDetails> => {
    const [{ createPortDetails }, data] = await Promise.all([
      import(PORT_SCRIPT) as Promise<typeof import('./port-details.ts')>,
      loadExplorerData(lines, settings),
    ]);
    const findChange = (code: string) => index.current().changes.records.find(({ port }) => port === code);
    return createPortDetails(session, data, findChange, (window) => go(mapSearch({ ...route, window })));
  };
  const showPort = async (port: PortRecord): Promise<void> => {
    if (place.childElementCount === 0) put(place, loadingNotice(port.name));
    details ??= loadDetails();
    const view = await details.catch(() => undefined);
    // Another port, or none, may have been chosen meanwhile.
    if (route.port !== port.port || session.key === '') return;
    if (view === undefined) {
      details = undefined;
      put(place, incompleteNotice());
      return;
    }
    put(place, view.node);
    view.show(port, route.window);
    if (reveal) view.reveal();
    reveal = false;
  };
  const drawPort = (): void => {
    const { records, complete, failure } = index.current().ports;
    place.hidden = route.port === undefined;
    const port = records.find(({ port: code }) => code === route.port);
    document.title = pageTitle(port ? `${port.name} (${port.port})` : 'Explorer');
    if (port) void showPort(port);
    else if (complete && !failure && route.port !== undefined) put(place, notCovered(route.port));
    else place.replaceChildren();
  };
  const draw = (): void => {
    const withoutKey = session.key === '';
    const { failure } = index.current().ports;
    put(fault, withoutKey ? noKeyNotice() : failure && failureNotice(failure, retry));
    put(status, withoutKey ? undefined : progress(index.current()));
    first.show(index.current(), route, !withoutKey);
    drawPort();
  };
  return {
    node: element('div', { class: 'map-view' }, fault, first.top, status, place, first.all),
    draw,
    show(wanted) {
      reveal = wanted.port !== undefined && route.port !== wanted.port && shownOnce;
      shownOnce = true;
      route = wanted;
      index.load('all');
      draw();
    },
    clear() {
      void details?.then((view) => view.clear());
      place.replaceChildren();
    },
  };
}
