/** Starts the explorer page: session, key, portal data, and the view that the address names. */
import 'uplot/dist/uPlot.min.css';
import '../styles/explorer.css';
import { createSession } from '../api/session.ts';
import { REDRAW, required } from '../view/element.ts';
import { createKeyField } from '../view/key-field.ts';
import { incompleteNotice, recordedNotice } from '../view/notice.ts';
import { createCompareView } from './compare-view.ts';
import { loadExplorerData } from './explorer-data.ts';
import { createImportsView } from './imports-view.ts';
import { createMapView } from './map-view.ts';
import { importsSearch, type PageRoute, pageTitle, readRoute } from './page-route.ts';

/** The build defines both: the address of the world map, and the score thresholds of alerts. */
declare const WORLD_FILE: string;
declare const SCORE_LINES: { low: number; medium: number; high: number };

/** The address within this page that a plain click on `event`'s target leads to; undefined for everything else. */
function addressWithin(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || link.origin !== location.origin || link.pathname !== '/') return undefined;
  // The browser handles downloads and links to a part of this page.
  if (link.download || link.hash !== '') return undefined;
  return link.search === '' ? '/' : link.search;
}

/** The map names its port once the ports are known. */
const titleOf = (route: PageRoute): string => {
  if (route.view === 'imports') return `US imports, HS ${route.code}`;
  return route.view === 'compare' ? `${route.ports.join(', ')} compared` : 'Explorer';
};

function markCurrent(view: PageRoute['view']): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav [data-view]')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** Replaces the view with `node`; charts on a canvas are redrawn at the width they now have. */
function bringForward(node: HTMLElement): void {
  const place = required('view');
  if (node.parentElement === place) return;
  place.replaceChildren(node);
  scrollTo(0, 0);
  document.dispatchEvent(new Event(REDRAW));
}

async function start(): Promise<void> {
  const session = createSession((path, init) => fetch(path, { ...init, credentials: 'omit' }));
  const explorerData = await loadExplorerData(WORLD_FILE, SCORE_LINES);
  const { demoKey: key = '', recordedUntil } = explorerData.settings;
  session.setKey(key);
  if (recordedUntil !== undefined) required('view').before(recordedNotice(recordedUntil));

  const go = (address: string): void => {
    history.pushState(null, '', address);
    show();
  };
  const mapView = createMapView(session, explorerData, go);
  const imports = createImportsView(session, explorerData.sources, (code) => go(importsSearch(code)));
  const compare = createCompareView(session, explorerData, go);
  const keyField = createKeyField(session, () => {
    [mapView, imports, compare].find(({ node }) => node.isConnected)?.reload();
  });
  required('key-slot').replaceChildren(keyField.form);

  const show = (): void => {
    const route = readRoute(location.search);
    markCurrent(route.view);
    document.title = pageTitle(titleOf(route));
    if (route.view === 'map') {
      bringForward(mapView.node);
      mapView.show(route);
    } else if (route.view === 'compare') {
      bringForward(compare.node);
      compare.show(route);
    } else {
      bringForward(imports.node);
      imports.show(route);
    }
  };

  // Links between the views do not reload the page, which would lose the key.
  document.addEventListener('click', (event) => {
    const address = addressWithin(event);
    if (address === undefined) return;
    event.preventDefault();
    go(address);
  });
  addEventListener('popstate', show);
  show();
  if (key === '') keyField.focus();
}

start().catch((thrown: unknown) => {
  required('view').replaceChildren(incompleteNotice());
  throw thrown;
});
