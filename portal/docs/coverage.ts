/** The table of the coverage page: filtered by the controls above it and by the address, a page of rows at a time. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { ROUTES } from '../../core/contracts/routes.ts';
import { COVERAGE_LIST, type CoveredPort } from '../api/coverage.ts';
import { portalSettings } from '../api/settings.ts';
import { portalJson } from '../api/source-list.ts';
import { element } from '../view/element.ts';
import { incompleteNotice } from '../view/notice.ts';
import { type CoverageFilter, filterQuery, matching, readFilter } from './coverage-filter.ts';

const PORTS: (typeof ROUTES)['ports']['paths'][0] = '/v1/ports';
const ROWS = 20;
const ENDPOINTS = ['snapshot', 'trend', 'waits', 'alerts'] as const;
const COLUMNS = ['Port', 'Code', 'Source', 'Evidence', 'How fresh', 'Since', ...ENDPOINTS];

/** The ports that the service serves now, with the key that the page has; none without one. */
async function servedPorts(): Promise<readonly PortRecord[]> {
  const { demoKey } = await portalSettings();
  if (demoKey === undefined) return [];
  const response = await fetch(PORTS, { headers: { 'X-API-Key': demoKey } }).catch(() => undefined);
  return response?.ok ? ((await response.json()) as PortRecord[]) : [];
}

/** What the service has observed goes before what the build states. */
function withServed(ports: readonly CoveredPort[], served: readonly PortRecord[]): CoveredPort[] {
  const observed = new Set(served.filter(({ evidence }) => evidence === 'observed').map(({ port }) => port));
  return ports.map((one) => (observed.has(one.port) ? { ...one, evidence: 'observed' } : one));
}

const rowOf = (one: CoveredPort): HTMLElement =>
  element(
    'tr',
    {},
    element('th', { scope: 'row' }, `${one.name}, ${one.country}`),
    ...[one.port, one.source].map((code) => element('td', {}, element('code', {}, code))),
    ...[one.evidence, one.freshness, one.since, ...ENDPOINTS.map((name) => one.endpoints[name] ?? 'no')].map(
      (text) => element('td', {}, text),
    ),
  );

const tableOf = (ports: readonly CoveredPort[]): HTMLElement =>
  element(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Covered ports, table' },
    element(
      'table',
      { class: 'data' },
      element(
        'thead',
        {},
        element('tr', {}, ...COLUMNS.map((name) => element('th', { scope: 'col' }, name))),
      ),
      element('tbody', {}, ...ports.map(rowOf)),
    ),
  );

function turner(label: string, isPossible: boolean, turn: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'button', disabled: !isPossible }, label);
  button.addEventListener('click', turn);
  return button;
}

/** Draws the page of rows that begins at `first`. */
function drawRows(host: Element, ports: readonly CoveredPort[], first: number): void {
  const last = Math.min(first + ROWS, ports.length);
  const shown = ports.length === 0 ? 'No port matches' : `Ports ${first + 1} to ${last} of ${ports.length}`;
  host.replaceChildren(
    element(
      'div',
      { class: 'coverage-pager' },
      element('p', { role: 'status' }, shown),
      turner('Previous', first > 0, () => drawRows(host, ports, first - ROWS)),
      turner('Next', last < ports.length, () => drawRows(host, ports, last)),
    ),
    tableOf(ports.slice(first, last)),
  );
}

/** Dots of ports that the filter leaves out are faint. */
function drawDots(host: Element, ports: readonly CoveredPort[]): void {
  const codes = new Set(ports.map(({ port }) => port));
  for (const dot of host.querySelectorAll<SVGElement>('[data-port]'))
    dot.classList.toggle('left-out', !codes.has(dot.dataset.port ?? ''));
}

function filterIn(form: HTMLFormElement): CoverageFilter {
  const values = new FormData(form);
  const query = new URLSearchParams([...values].map(([name, value]) => [name, String(value)]));
  return readFilter(`?${query}`);
}

/** Fills the table below `host`; the address follows the filters. */
export async function startCoverage(host: Element): Promise<void> {
  const form = host.querySelector('form');
  const rows = host.querySelector('.coverage-rows');
  if (!form || !rows) return;
  for (const [name, value] of Object.entries(readFilter(location.search))) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLSelectElement) control.value = value;
  }
  const listed = portalJson<CoveredPort[]>(COVERAGE_LIST);
  const [ports, served] = await Promise.all([listed, servedPorts()]).catch((thrown: unknown) => {
    rows.replaceChildren(incompleteNotice());
    throw thrown;
  });
  const all = withServed(ports, served);
  const draw = (): CoverageFilter => {
    const filter = filterIn(form);
    const found = matching(all, filter);
    drawDots(host, found);
    drawRows(rows, found, 0);
    return filter;
  };
  draw();
  form.addEventListener('change', () => {
    history.replaceState(null, '', `${location.pathname}${filterQuery(draw())}${location.hash}`);
  });
}
