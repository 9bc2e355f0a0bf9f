/** The first view: map and list of the ports, and the port chosen. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Session } from '../api/session.ts';
import { scoreLegend } from '../map/legend.ts';
import { createWorldMap } from '../map/world-map.ts';
import { element } from '../view/element.ts';
import { emptyNotice, failureNotice, loadingNotice, noKeyNotice } from '../view/notice.ts';
import { createSampleNotice } from '../view/sample-notice.ts';
import type { ExplorerData } from './explorer-data.ts';
import { type MapRoute, mapSearch, pageTitle } from './page-route.ts';
import { createPortDetails } from './port-details.ts';
import { loadPorts, NOTHING_YET, type PortIndex } from './port-index.ts';
import { createPortList } from './port-list.ts';

export interface MapView {
  readonly node: HTMLElement;
  /** Requests the ports unless they have been requested with the session's key. */
  show(route: MapRoute): void;
  /** Requests everything again. */
  reload(): void;
}

/** The port that the address names, else the worst congested one. */
const chosenPort = ({ ports }: PortIndex, route: MapRoute): PortRecord | undefined =>
  route.port === undefined ? ports[0] : ports.find(({ port }) => port === route.port);

/** A notice while the ports load, when that failed, or when there are none; undefined otherwise. */
function progressOf({ ports, failure, complete }: PortIndex): HTMLElement | undefined {
  if (failure) return undefined;
  if (!complete) return loadingNotice('ports');
  return ports.length === 0 ? emptyNotice('No port is covered yet.') : undefined;
}

const put = (place: HTMLElement, notice: HTMLElement | undefined): void =>
  place.replaceChildren(...(notice ? [notice] : []));

interface Overview {
  readonly parts: readonly HTMLElement[];
  show(ports: readonly PortRecord[], selected: string | undefined): void;
}

/** Map and list next to each other, the legend, and whether the figures are made up. */
function createOverview(
  { world, sources, lines }: ExplorerData,
  hrefOf: (port: string) => string,
  go: (address: string) => void,
): Overview {
  const map = createWorldMap(world, lines, (port) => go(hrefOf(port)));
  const list = createPortList(lines, hrefOf);
  const sample = createSampleNotice(sources);
  return {
    parts: [element('div', { class: 'overview' }, map.figure, list.node), scoreLegend(lines), sample.node],
    show(ports, selected) {
      list.show(ports, selected);
      map.show(
        ports.map((port) => ({ ...port, score: port.congestion_score ?? undefined })),
        selected,
      );
      sample.show(ports);
    },
  };
}

export function createMapView(
  session: Session,
  explorerData: ExplorerData,
  go: (address: string) => void,
): MapView {
  let route: MapRoute = { view: 'map', port: undefined, window: '30d' };
  let index = NOTHING_YET;
  let askedWith: string | undefined;
  let run = new AbortController();
  /** Whether the reader has just chosen a port, so that its details should come into view. */
  let reveal = false;
  // Errors come first; a notice of loading comes below, so that the map does not move.
  const fault = element('div', { class: 'map-fault' });
  const status = element('div', { class: 'map-status' });
  const overview = createOverview(explorerData, (port) => mapSearch({ ...route, port }), go);
  const details = createPortDetails(session, explorerData, (window) => go(mapSearch({ ...route, window })));

  const draw = (): void => {
    const { ports, failure, complete } = index;
    const chosen = chosenPort(index, route);
    const withoutKey = session.key === '';
    put(fault, withoutKey ? noKeyNotice() : failure && failureNotice(failure, reload));
    put(status, withoutKey ? undefined : progressOf(index));
    overview.show(ports, chosen?.port);
    if (chosen) {
      document.title = pageTitle(`${chosen.name} (${chosen.port})`);
      details.show(chosen, route.window);
      if (reveal && route.port !== undefined) {
        reveal = false;
        details.reveal();
      }
    } else if (complete && !failure && route.port !== undefined) details.refuse(route.port);
  };
  const reload = (): void => {
    run.abort();
    run = new AbortController();
    const { signal } = run;
    askedWith = session.key;
    index = NOTHING_YET;
    details.clear();
    draw();
    if (session.key === '') return;
    loadPorts(session, signal).then(
      (found) => {
        if (signal.aborted) return;
        index = found;
        draw();
      },
      (thrown: unknown) => {
        if (!signal.aborted) throw thrown;
      },
    );
  };
  return {
    node: element('div', { class: 'map-view' }, fault, ...overview.parts, status, details.node),
    show(wanted) {
      reveal = route.port !== wanted.port && askedWith !== undefined;
      route = wanted;
      if (askedWith === session.key) draw();
      else reload();
    },
    reload,
  };
}
