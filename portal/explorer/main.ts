/** Starts the explorer page: the reader's key, the banner, and the view that the address names. */
import 'uplot/dist/uPlot.min.css';
import '../styles/explorer.css';
import '../styles/first-screen.css';
import '../styles/print.css';
import { html, nothing, render } from 'lit-html';
import { cache } from 'lit-html/directives/cache.js';
import {
  createDaysReader,
  createFileReader,
  READABLE_PORTS,
  type ReadablePort,
  unheldRecord,
} from '../api/files.ts';
import { createResponses, keptKey } from '../api/responses.ts';
import { type ListedSource, portalJson, SOURCE_LIST, serviceClock } from '../api/source-list.ts';
import { keyMenu, openKeyMenu } from '../view/controls.ts';
import {
  emptyNotice,
  errorNotice,
  failureNotice,
  incompleteNotice,
  loadingNotice,
  noKeyNotice,
} from '../view/notice.ts';
import { portalSettings, REDRAW, required } from '../view/page.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { banner } from './banner.ts';
import { type Explorer, findNamed, loadedLater } from './explorer.ts';
import { firstScreen } from './first-screen.ts';
import { type MapRoute, type PageRoute, pageTitle, readRoute } from './page-route.ts';
import { followSelected } from './port-list.ts';
import { CHANGES, PORTS, readPorts } from './shown-ports.ts';
import { unheldHow } from './unheld.ts';

/** The build defines it: the score thresholds of alerts. */
declare const SCORE_LINES: ScoreLines;

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

const NO_PORTS: readonly ReadablePort[] = [];
const importsView = loadedLater(async () => {
  const [{ importsView: draw }, sources] = await Promise.all([
    import('./imports-view.ts'),
    portalJson<ListedSource[]>(SOURCE_LIST),
  ]);
  return { draw, sources };
});
const portView = loadedLater(async () => {
  const [parts, sources, now] = await Promise.all([
    import('./port-view.ts'),
    portalJson<ListedSource[]>(SOURCE_LIST),
    serviceClock(),
  ]);
  const { portTop: top, portView: details, portHead: head } = parts;
  return { top, details, head, about: { sources, now } };
});

/** The head of the port of the address: one that the service lists, or that a deployment can read, or it is unknown. */
function portHead(explorer: Explorer, route: MapRoute, code: string): unknown {
  const { records, complete, failure } = readPorts(explorer);
  const port = findNamed(records, code);
  if (port)
    return html`<div class="head">${portView(explorer, port.name, ({ top, about }) => top(explorer, about, port, route))}</div>`;
  if (failure || explorer.responses.key === '') return nothing;
  if (!complete) return html`<div class="head"></div>`;
  const readable = explorer.readable();
  // They are known once the map is drawn.
  if (readable === undefined) return html`<div class="head"></div>`;
  const unheld = findNamed(readable, code);
  if (unheld === undefined)
    return errorNotice(`${code} is not among the covered ports. Choose one of the list.`);
  return portView(explorer, unheld.name, (parts) => {
    const how = unheldHow(explorer, unheld);
    return html`<div class="head">${parts.head(explorer, parts.about, unheldRecord(unheld), how)}</div>`;
  });
}

function progress(explorer: Explorer): unknown {
  const { records, failure, complete } = readPorts(explorer);
  if (explorer.responses.key === '' || failure) return nothing;
  if (!complete) return loadingNotice('ports');
  return records.length === 0 ? emptyNotice('No port is covered yet.') : nothing;
}

/** The first view: the headline or the head of the port chosen, the days and the map, the port's panels, and the list of all ports. */
function mapView(explorer: Explorer, addressed: MapRoute): unknown {
  const { responses, chosen } = explorer;
  const route = chosen.moved ? { ...addressed, ...chosen.moved } : addressed;
  const { records, failure } = readPorts(explorer);
  const { seasons, top, overview, all } = firstScreen(explorer, route);
  const retry = (): void => {
    responses.retry(PORTS);
    responses.retry(CHANGES);
  };
  const fault = responses.key === '' ? noKeyNotice() : failure && failureNotice(failure, retry);
  const port = findNamed(records, route.port);
  // While the days move the panels wait for the one that the reader chooses: each asks the API.
  const details =
    port &&
    portView(
      explorer,
      port.name,
      (parts) => html`<div class="details">${parts.details(explorer, parts.about, port, addressed)}</div>`,
    );
  return html`<div class="map-view">
    <div class="map-fault">${fault}</div>
    ${seasons}
    ${route.port === undefined ? top : portHead(explorer, route, route.port)}
    ${overview}
    <div class="map-status">${progress(explorer)}</div>
    <div class="chosen-port ${chosen.moved === undefined ? '' : 'moving'}" ?hidden=${port === undefined}>${details}</div>
    ${all}
  </div>`;
}

function view(explorer: Explorer, route: PageRoute): unknown {
  if (route.view === 'imports')
    return importsView(explorer, 'imports', ({ draw, sources }) => draw(explorer, route, sources));
  return mapView(explorer, route);
}

function title(explorer: Explorer, route: PageRoute): string {
  if (route.view === 'imports') return `US imports, HS ${route.code}`;
  const port = findNamed(readPorts(explorer).records, route.port);
  return port ? `${port.name} (${port.port})` : 'Explorer';
}

function markCurrent(view: PageRoute['view']): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav [data-view]')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** Scrolls to a port that the reader has just chosen and moves the focus to its heading, unless it is in view. */
function reveal(heading: HTMLElement): void {
  const { top, bottom } = heading.getBoundingClientRect();
  if (top >= 0 && bottom < innerHeight) return;
  heading.scrollIntoView({ block: 'start' });
  heading.focus({ preventScroll: true });
}

function start(): void {
  const { demoKey = '', recordedUntil } = portalSettings();
  let route = readRoute(location.search);
  /** The port that the reader has just chosen, whose details should come into view. */
  let toReveal: string | undefined;
  let isDrawn = true;

  const draw = (): void => {
    isDrawn = true;
    markCurrent(route.view);
    document.title = pageTitle(title(explorer, route));
    render(keyMenu(explorer.responses, demoKey), required('key-slot'));
    render(cache(view(explorer, route)), required('view'));
    render(banner(readPorts(explorer).records, recordedUntil), required('banner'));
    const heading = document.getElementById('port-title');
    if (toReveal === undefined || !heading?.textContent?.includes(toReveal)) return;
    toReveal = undefined;
    reveal(heading);
  };
  const redraw = (): void => {
    if (isDrawn) queueMicrotask(draw);
    isDrawn = false;
  };
  const show = (): void => {
    const before = route;
    route = readRoute(location.search);
    const port = route.view === 'map' ? route.port : undefined;
    const isOther = before.view !== 'map' || before.port !== port;
    if (isOther) toReveal = port;
    explorer.choose({ moved: undefined });
    draw();
    if (before.view !== route.view) {
      scrollTo(0, 0);
      // Charts on a canvas have the width that they had.
      document.dispatchEvent(new Event(REDRAW));
    }
    if (isOther) followSelected();
  };
  let chosen: Explorer['chosen'] = {
    portFilter: '',
    moved: undefined,
    listsAll: false,
    isMapDrawn: false,
  };
  const files = createFileReader(redraw);
  const explorer: Explorer = {
    responses: createResponses((path, init) => fetch(path, { ...init, credentials: 'omit' }), redraw),
    days: createDaysReader(files),
    readable: () =>
      chosen.isMapDrawn ? files<readonly ReadablePort[]>(READABLE_PORTS, NO_PORTS) : undefined,
    isRecorded: recordedUntil !== undefined,
    lines: SCORE_LINES,
    go(address, how) {
      history[how === 'replace' ? 'replaceState' : 'pushState'](null, '', address);
      show();
    },
    get chosen() {
      return chosen;
    },
    choose(given) {
      chosen = { ...chosen, ...given };
      redraw();
    },
    redraw,
  };
  for (const id of ['view', 'key-slot', 'banner']) required(id).replaceChildren();
  explorer.responses.setKey(keptKey() ?? demoKey);
  followLinks(explorer.go);
  addEventListener('popstate', show);
  draw();
  followSelected();
  if (explorer.responses.key === '') openKeyMenu();
}

try {
  start();
} catch (thrown) {
  render(incompleteNotice(), required('view'));
  throw thrown;
}
