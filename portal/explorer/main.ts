/** Starts the explorer page: session, key, surroundings, and the view that the address names. */
import 'uplot/dist/uPlot.min.css';
import '../styles/explorer.css';
import { createSession } from '../api/session.ts';
import { createBuilderView } from '../builder/builder-view.ts';
import { required } from '../view/element.ts';
import { createKeyField, publicKey } from '../view/key-field.ts';
import { incompleteNotice } from '../view/notice.ts';
import { REDRAW } from '../view/redraw.ts';
import { createMapView } from './map-view.ts';
import { type PageRoute, readRoute } from './page-route.ts';
import { loadSurroundings } from './surroundings.ts';

/** Written in by the build: where the world lies, and the lines that alerts on the score are drawn at. */
declare const WORLD_FILE: string;
declare const SCORE_LINES: { low: number; medium: number; high: number };

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The address within this page that a plain click on `event`'s target leads to; undefined for everything else. */
function addressWithin(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || link.origin !== location.origin || link.pathname !== '/') return undefined;
  // A download has no page, and what leads to a part of this page is the browser's business.
  if (link.download || link.hash !== '') return undefined;
  return link.search === '' ? '/' : link.search;
}

function markCurrent(view: PageRoute['view']): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav [data-view]')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${view === 'map' ? 'Explorer' : 'Request builder'} · Port Congestion Data Service`;
}

/** Puts `node` in the place of the other view; what is drawn on a canvas needs the width it then has. */
function bringForward(node: HTMLElement): void {
  const place = required('view');
  if (node.parentElement === place) return;
  place.replaceChildren(node);
  scrollTo(0, 0);
  document.dispatchEvent(new Event(REDRAW));
}

async function start(): Promise<void> {
  const session = createSession((path, init) => fetch(path, { ...init, credentials: 'omit' }), wait);
  const [surroundings, key] = await Promise.all([loadSurroundings(WORLD_FILE, SCORE_LINES), publicKey()]);
  session.setKey(key);

  const go = (address: string): void => {
    history.pushState(null, '', address);
    show();
  };
  const mapView = createMapView(session, surroundings, go);
  const builder = createBuilderView(session, surroundings.sources, (search) =>
    history.replaceState(null, '', search),
  );
  const keyField = createKeyField(session, () =>
    mapView.node.isConnected ? mapView.reload() : builder.send(),
  );
  required('key-slot').replaceChildren(keyField.form);

  const show = (): void => {
    const route = readRoute(location.search);
    bringForward(route.view === 'map' ? mapView.node : builder.node);
    markCurrent(route.view);
    if (route.view === 'map') mapView.show(route);
    else builder.show(route.request);
  };

  // Links between the views keep the page, and with it the key.
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
