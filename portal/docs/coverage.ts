/** The table of the coverage page, filtered by the controls above it and by the address, and the port that is chosen there or on the map. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { ROUTES } from '../../core/contracts/routes.ts';
import { COVERAGE_LIST, type CoveredPort } from '../api/coverage.ts';
import { keptKey } from '../api/session.ts';
import { portalSettings } from '../api/settings.ts';
import { type ListedSource, portalJson, SOURCE_LIST, serviceClock } from '../api/source-list.ts';
import type { PortalSettings } from '../settings-block.ts';
import { element } from '../view/element.ts';
import { emptyNotice, incompleteNotice } from '../view/notice.ts';
import { scrollTable } from '../view/scroll-table.ts';
import { type CoverageFilter, coverageQuery, matching, readFilter, readPort } from './coverage-filter.ts';
import { coveragePort } from './coverage-port.ts';

const PORTS: (typeof ROUTES)['ports']['paths'][0] = '/v1/ports';
const ROWS = 20;
const COLUMNS = ['Port', 'Code', 'Source', 'Evidence', 'How fresh'];

/** The ports that the service serves now, with the key that the page has; none without one. */
async function servedPorts(): Promise<readonly PortRecord[]> {
  const key = keptKey() ?? (await portalSettings()).demoKey;
  if (key === undefined) return [];
  const response = await fetch(PORTS, { headers: { 'X-API-Key': key } }).catch(() => undefined);
  return response?.ok ? ((await response.json()) as PortRecord[]) : [];
}

/** What the service has observed goes before what the build states. */
function withServed(ports: readonly CoveredPort[], served: readonly PortRecord[]): CoveredPort[] {
  const observed = new Set(served.filter(({ evidence }) => evidence === 'observed').map(({ port }) => port));
  return ports.map((entry) => (observed.has(entry.port) ? { ...entry, evidence: 'observed' } : entry));
}

/** What the rows of the table lead to. */
interface Choosing {
  /** The UN/LOCODE that is chosen; empty without one. */
  readonly chosen: string;
  readonly portHref: (port: string) => string;
}

const toRow = (entry: CoveredPort, { chosen, portHref }: Choosing): HTMLElement =>
  element(
    'tr',
    { class: entry.port === chosen ? 'selected' : undefined },
    element(
      'th',
      { scope: 'row' },
      element(
        'a',
        {
          href: portHref(entry.port),
          'data-choose': entry.port,
          'aria-current': entry.port === chosen ? 'true' : undefined,
        },
        entry.name,
      ),
      `, ${entry.country}`,
    ),
    ...[entry.port, entry.source].map((code) => element('td', {}, element('code', {}, code))),
    ...[entry.evidence, entry.freshness].map((text) => element('td', {}, text)),
  );

const table = (ports: readonly CoveredPort[], choosing: Choosing): HTMLElement =>
  scrollTable({
    label: 'Covered ports, table',
    headings: COLUMNS.map((name) => element('th', { scope: 'col' }, name)),
    body: element('tbody', {}, ...ports.map((port) => toRow(port, choosing))),
  });

function turner(label: string, isPossible: boolean, turn: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'button', disabled: !isPossible }, label);
  button.addEventListener('click', turn);
  return button;
}

/** Draws the page of rows that begins at `first`; `turn` draws another one. */
function drawRows(
  host: Element,
  ports: readonly CoveredPort[],
  first: number,
  choosing: Choosing,
  turn: (first: number) => void,
): void {
  const last = Math.min(first + ROWS, ports.length);
  const shown = ports.length === 0 ? 'No port matches' : `Ports ${first + 1} to ${last} of ${ports.length}`;
  host.replaceChildren(
    element(
      'div',
      { class: 'coverage-pager' },
      element('p', { role: 'status' }, shown),
      turner('Previous', first > 0, () => turn(first - ROWS)),
      turner('Next', last < ports.length, () => turn(last)),
    ),
    table(ports.slice(first, last), choosing),
  );
}

/** Dots of ports that the filter leaves out are faint. */
function drawDots(host: Element, ports: readonly CoveredPort[], chosen: string): void {
  const codes = new Set(ports.map(({ port }) => port));
  for (const dot of host.querySelectorAll<SVGElement>('[data-port]')) {
    const { port = '' } = dot.dataset;
    dot.classList.toggle('left-out', !codes.has(port) && port !== chosen);
    dot.classList.toggle('chosen', port === chosen);
  }
}

function filterIn(form: HTMLFormElement): CoverageFilter {
  const values = new FormData(form);
  const query = new URLSearchParams([...values].map(([name, value]) => [name, String(value)]));
  return readFilter(`?${query}`);
}

/** What only the details of a port need, asked for once. */
const aboutNow = (): Promise<[readonly ListedSource[], () => number, PortalSettings]> =>
  Promise.all([portalJson<ListedSource[]>(SOURCE_LIST), serviceClock(), portalSettings()]);

/** The port that a click on the map or in the table chooses; undefined for every other click. */
function chosenBy({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | undefined {
  if (!(target instanceof Element) || button !== 0 || ctrlKey || metaKey || shiftKey) return undefined;
  const node = target.closest<HTMLElement | SVGElement>('[data-choose], circle[data-port]');
  return node?.dataset.choose ?? node?.dataset.port;
}

/** The parts of the page that the script fills. */
interface Places {
  readonly form: HTMLFormElement;
  readonly rows: Element;
  readonly details: Element;
}

function placesIn(host: HTMLElement): Places | undefined {
  const [form, rows, details] = [
    host.querySelector('form'),
    host.querySelector('.coverage-rows'),
    host.querySelector('.coverage-chosen'),
  ];
  return form && rows && details ? { form, rows, details } : undefined;
}

/** Sets the controls to the filter of the address. */
function setControls(form: HTMLFormElement): void {
  for (const [name, value] of Object.entries(readFilter(location.search))) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLSelectElement) control.value = value;
  }
}

/** Draws what is known of a port below the map; another one may be drawn before the response. */
function createDetails(
  place: Element,
  all: readonly CoveredPort[],
  served: readonly PortRecord[],
  close: () => void,
): (port: string) => Promise<void> {
  let wanted = '';
  let asked: ReturnType<typeof aboutNow> | undefined;
  return async (port) => {
    wanted = port;
    const entries = all.filter((entry) => entry.port === port);
    if (entries.length === 0) {
      place.replaceChildren(...(port === '' ? [] : [emptyNotice(`${port} is not covered.`)]));
      return;
    }
    asked ??= aboutNow();
    const [sources, now, { recordedUntil }] = await asked;
    if (port !== wanted) return;
    const record = served.find((known) => known.port === port);
    const about = { sources, now: now(), isRecorded: recordedUntil !== undefined };
    place.replaceChildren(coveragePort(entries, record, about, close));
  };
}

/** Fills the table below `host` and the details of the port that is chosen; the address follows both. */
export async function startCoverage(host: HTMLElement): Promise<void> {
  const places = placesIn(host);
  if (places === undefined) return;
  const { form, rows, details } = places;
  setControls(form);
  const listed = portalJson<CoveredPort[]>(COVERAGE_LIST);
  const [ports, served] = await Promise.all([listed, servedPorts()]).catch((thrown: unknown) => {
    rows.replaceChildren(incompleteNotice());
    throw thrown;
  });
  const all = withServed(ports, served);
  let chosen = readPort(location.search);
  let first = 0;

  const href = (port: string): string => `${location.pathname}${coverageQuery(filterIn(form), port)}`;
  const draw = (page: number): void => {
    first = page;
    const found = matching(all, filterIn(form));
    drawDots(host, found, chosen);
    drawRows(rows, found, first, { chosen, portHref: href }, draw);
    history.replaceState(null, '', `${href(chosen)}${location.hash}`);
  };
  const choose = async (port: string): Promise<void> => {
    chosen = port;
    draw(first);
    await drawDetails(port);
    const title = details.querySelector<HTMLElement>('#coverage-port');
    title?.focus({ preventScroll: true });
    title?.scrollIntoView({ block: 'nearest' });
  };
  const drawDetails = createDetails(details, all, served, () => void choose(''));
  draw(0);
  void drawDetails(chosen);
  host.addEventListener('click', (event) => {
    const port = chosenBy(event);
    if (port === undefined) return;
    event.preventDefault();
    void choose(port);
  });
  form.addEventListener('change', () => draw(0));
}
