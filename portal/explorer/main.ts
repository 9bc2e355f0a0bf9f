/** Starts the explorer page: session, key, surroundings, and the view that the address names. */
import 'uplot/dist/uPlot.min.css';
import '../styles/explorer.css';
import { createSession } from '../api/session.ts';
import { createBuilderView } from '../builder/builder-view.ts';
import { REDRAW } from '../chart/canvas-colours.ts';
import { element, required } from '../view/element.ts';
import { createKeyField, publicKey } from '../view/key-field.ts';
import { createMapView } from './map-view.ts';
import { readRoute } from './page-route.ts';
import { loadSurroundings } from './surroundings.ts';

/** Written in by the build: where the world lies, and the lines that alerts on the score are drawn at. */
declare const WORLD_FILE: string;
declare const SCORE_LINES: { low: number; medium: number; high: number };

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function start(): Promise<void> {
  const session = createSession((path, init) => fetch(path, { ...init, credentials: 'omit' }), wait);
  const [surroundings, key] = await Promise.all([loadSurroundings(WORLD_FILE, SCORE_LINES), publicKey()]);
  session.setKey(key);
  const main = required('view');

  const go = (address: string): void => {
    history.pushState(null, '', address);
    show();
  };
  const mapView = createMapView(session, surroundings, go);
  const builder = createBuilderView(session, (search) => history.replaceState(null, '', search));
  const keyField = createKeyField(session, () => {
    mapView.reload();
    if (builder.node.isConnected) builder.send();
  });
  required('key-slot').replaceChildren(keyField.form);

  const show = (): void => {
    const route = readRoute(location.search);
    const { node } = route.view === 'map' ? mapView : builder;
    if (node.parentElement !== main) {
      main.replaceChildren(node);
      scrollTo(0, 0);
      document.dispatchEvent(new Event(REDRAW));
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>('nav [data-view]')) {
      if (link.dataset.view === route.view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.title = `${route.view === 'map' ? 'Explorer' : 'Request builder'} · Port Congestion Data Service`;
    if (route.view === 'map') mapView.show(route);
    else builder.show(route.request);
  };

  // Links between the views keep the page, and with it the key.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !plain || link.origin !== location.origin || link.pathname !== '/' || link.download) return;
    event.preventDefault();
    go(link.search === '' ? '/' : link.search);
  });
  addEventListener('popstate', show);
  show();
  mapView.reload();
  if (key === '') keyField.focus();
}

start().catch((thrown: unknown) => {
  required('view').replaceChildren(
    element(
      'p',
      { class: 'notice notice-error', role: 'alert' },
      'This page could not be loaded completely. Reload it; if that does not help, the portal was not deployed in whole.',
    ),
  );
  throw thrown;
});
