/** Starts the explorer page: session, key, banner, and the view that the address names. */
import 'uplot/dist/uPlot.min.css';
import '../styles/explorer.css';
import '../styles/first-screen.css';
import '../styles/print.css';
import { createSession, keptKey, type Session } from '../api/session.ts';
import { portalSettings } from '../api/settings.ts';
import { REDRAW, required } from '../view/element.ts';
import { createKeyMenu } from '../view/key-menu.ts';
import { incompleteNotice } from '../view/notice.ts';
import { createBanner } from './banner.ts';
import { createMapView } from './map-view.ts';
import {
  type CompareRoute,
  type ImportsRoute,
  importsSearch,
  type PageRoute,
  pageTitle,
  readRoute,
} from './page-route.ts';
import { createPortIndex, type PortIndexLoader } from './port-index.ts';

/** The build defines them: addresses of views, and the score thresholds of alerts. */
declare const IMPORTS_SCRIPT: string;
declare const COMPARE_SCRIPT: string;
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

/** Links between the views do not reload the page, which would lose the key. */
function followLinks(go: (address: string) => void): void {
  document.addEventListener('click', (event) => {
    const address = addressWithin(event);
    if (address === undefined) return;
    event.preventDefault();
    go(address);
  });
}

/** The map names its port once the ports are known. */
const title = (route: PageRoute): string => {
  if (route.view === 'imports') return `US imports, HS ${route.code}`;
  return route.view === 'compare' ? `${route.ports.join(', ')} compared` : 'Explorer';
};

/** A view that is loaded when its address is. */
interface LaterView {
  readonly node: HTMLElement;
  show(route: ImportsRoute | CompareRoute): void;
  /** Requests everything again. */
  reload(): void;
}

/** The views in files of their own, each loaded when it is first looked at. */
function createLaterViews(session: Session, index: PortIndexLoader, go: (address: string) => void) {
  const load = {
    imports: async (): Promise<LaterView> => {
      const { createImportsView } = (await import(IMPORTS_SCRIPT)) as typeof import('./imports-view.ts');
      return createImportsView(session, (code) => go(importsSearch(code))) as LaterView;
    },
    compare: async (): Promise<LaterView> => {
      const { createCompareView } = (await import(COMPARE_SCRIPT)) as typeof import('./compare-view.ts');
      return createCompareView(session, index.ports, go) as LaterView;
    },
  };
  const loaded: Partial<Record<keyof typeof load, Promise<LaterView>>> = {};
  return {
    open: (name: keyof typeof load): Promise<LaterView> => {
      loaded[name] ??= load[name]();
      return loaded[name];
    },
    reload: (name: keyof typeof load): void => void loaded[name]?.then((view) => view.reload()),
  };
}

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
  const settings = await portalSettings();
  const { demoKey = '', recordedUntil } = settings;
  session.setKey(keptKey() ?? demoKey);
  const banner = createBanner(required('banner'), recordedUntil);
  let route = readRoute(location.search);

  const go = (address: string): void => {
    history.pushState(null, '', address);
    show();
  };
  const index = createPortIndex(session, () => {
    banner.show(index.current().ports.records);
    if (route.view === 'map') mapView.draw();
  });
  const later = createLaterViews(session, index, go);
  const reload = (): void => {
    index.reset();
    mapView.clear();
    if (route.view === 'map') mapView.show(route);
    else later.reload(route.view);
  };
  const mapView = createMapView({ session, lines: SCORE_LINES, settings, index, go, retry: reload });
  const keyMenu = createKeyMenu(session, demoKey, reload);
  required('key-slot').replaceChildren(keyMenu.node);
  banner.show([]);

  const showLater = async (wanted: ImportsRoute | CompareRoute): Promise<void> => {
    const view = await later.open(wanted.view);
    if (route !== wanted) return;
    bringForward(view.node);
    view.show(wanted);
    // For the banner.
    index.load('ports');
  };
  const show = (): void => {
    route = readRoute(location.search);
    markCurrent(route.view);
    document.title = pageTitle(title(route));
    if (route.view === 'map') {
      bringForward(mapView.node);
      mapView.show(route);
    } else showLater(route).catch(refuse);
  };

  followLinks(go);
  addEventListener('popstate', show);
  show();
  if (session.key === '') keyMenu.ask();
}

/** A part of the portal is missing. */
function refuse(thrown: unknown): never {
  required('view').replaceChildren(incompleteNotice());
  throw thrown;
}

start().catch(refuse);
