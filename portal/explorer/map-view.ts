/** The first view: map and list of the ports, the port chosen, and the import index. */
import { ROUTES } from '../../core/contracts/routes.ts';
import type { Session } from '../api/session.ts';
import { scoreLegend } from '../map/legend.ts';
import { createWorldMap } from '../map/world-map.ts';
import { element } from '../view/element.ts';
import { failureNotice, loadingNotice, simulatedNotice } from '../view/notice.ts';
import { createImportsView } from './imports-view.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { type IndexedPort, loadPorts, type PortIndex } from './port-index.ts';
import { createPortList } from './port-list.ts';
import { createPortView } from './port-view.ts';
import type { Surroundings } from './surroundings.ts';

export interface MapView {
  readonly node: HTMLElement;
  show(route: MapRoute): void;
  /** Asks for everything anew, for another key. */
  reload(): void;
}

export function createMapView(
  session: Session,
  { world, sources, lines, now }: Surroundings,
  go: (address: string) => void,
): MapView {
  let route: MapRoute = { view: 'map', port: undefined, window: '30d' };
  let index: PortIndex | undefined;
  let shown = '';
  let run = new AbortController();
  // What is wrong stands first; what is under way stands below, so that the map does not move.
  const fault = element('div', { class: 'map-fault' });
  const status = element('div', { class: 'map-status' });
  const origin = element('div', { class: 'map-origin' });
  const map = createWorldMap(world, lines, (port) => go(mapSearch({ ...route, port })));
  const list = createPortList(lines, (port) => mapSearch({ ...route, port }));
  const portView = createPortView(session, { sources, lines, now }, (window) =>
    go(mapSearch({ ...route, window })),
  );
  const imports = createImportsView(session);
  const details = element('div', { class: 'details' });
  const node = element(
    'div',
    { class: 'map-view' },
    fault,
    element('div', { class: 'overview' }, map.figure, list.node),
    scoreLegend(lines),
    origin,
    status,
    details,
  );

  const chosen = (): IndexedPort | undefined => {
    const ports = index?.ports ?? [];
    if (route.port !== undefined) return ports.find(({ port }) => port === route.port);
    return index?.complete ? ports[0] : undefined;
  };

  /** Shows the port of the route once it is known; each port and window once. */
  const showPort = (): void => {
    const port = chosen();
    if (port === undefined) {
      if (index?.complete && route.port !== undefined && index.failure === undefined) {
        details.replaceChildren(
          element(
            'p',
            { class: 'notice notice-error', role: 'alert' },
            `${route.port} is not among the covered ports. Choose one of the list.`,
          ),
        );
        shown = '';
      }
      return;
    }
    const wanted = `${port.port} ${route.window}`;
    if (shown === wanted) return;
    if (!portView.node.isConnected) details.replaceChildren(portView.node, imports.node);
    if (shown === '') void imports.load();
    shown = wanted;
    void portView.show(port, route.window);
  };

  const draw = (): void => {
    const { ports, failure, complete } = index ?? { ports: [], failure: undefined, complete: false };
    const selected = chosen()?.port;
    list.show(ports, selected);
    map.show(
      ports.map((port) => ({ ...port, score: port.snapshot?.congestion_score })),
      selected,
    );
    const isSimulated = ports.some((port) =>
      sources.some(({ id, simulated }) => simulated && port.sources.includes(id)),
    );
    origin.replaceChildren(...(isSimulated ? [simulatedNotice()] : []));
    fault.replaceChildren(...(failure ? [failureNotice(failure, reload)] : []));
    if (failure) status.replaceChildren();
    else if (complete && ports.length === 0)
      status.replaceChildren(element('p', { class: 'notice notice-empty' }, 'No port is covered yet.'));
    else if (complete) status.replaceChildren();
    else if (ports.length === 0) status.replaceChildren(loadingNotice('ports'));
    else {
      const known = ports.filter(({ snapshot }) => snapshot).length;
      status.replaceChildren(loadingNotice(`scores: ${known} of ${ports.length} ports, one request each`));
    }
    showPort();
  };

  const reload = (): void => {
    run.abort();
    run = new AbortController();
    const mine = run;
    index = undefined;
    shown = '';
    details.replaceChildren();
    if (session.key === '') {
      fault.replaceChildren(
        element(
          'p',
          { class: 'notice notice-empty' },
          'Enter your API key above to see the ports. ',
          element('code', {}, `GET ${ROUTES.ports.paths[0]}`),
          ' and all other data need one.',
        ),
      );
      return;
    }
    fault.replaceChildren();
    draw();
    loadPorts(session, mine.signal, (found) => {
      if (mine.signal.aborted) return;
      index = found;
      draw();
    }).catch((thrown: unknown) => {
      if (!mine.signal.aborted) throw thrown;
    });
  };

  return {
    node,
    show(wanted) {
      route = wanted;
      if (index) draw();
    },
    reload,
  };
}
