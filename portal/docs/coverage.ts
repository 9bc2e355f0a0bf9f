/** The table of the coverage page, filtered by the controls above it and by the address, and the port that is chosen there or on the map. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { ROUTES } from '../../core/contracts/routes.ts';
import { COVERAGE_LIST, type CoveredPort } from '../api/coverage.ts';
import { keptKey } from '../api/responses.ts';
import { type ListedSource, portalJson, SOURCE_LIST, serviceClock } from '../api/source-list.ts';
import { memoized } from '../view/memo.ts';
import { emptyNotice, incompleteNotice } from '../view/notice.ts';
import { portalSettings } from '../view/page.ts';
import { scrollTable } from '../view/table.ts';
import { type CoverageFilter, coverageQuery, matching, readFilter } from './coverage-filter.ts';
import { coveragePort } from './coverage-port.ts';

const PORTS: (typeof ROUTES)['ports']['paths'][0] = '/v1/ports';
const ROWS = 20;
const COLUMNS = ['Port', 'Code', 'Source', 'Evidence', 'How fresh'];

/** The ports that the service serves now, with the key that the page has; none without one. */
async function servedPorts(): Promise<readonly PortRecord[]> {
  const key = keptKey() ?? portalSettings().demoKey;
  if (key === undefined) return [];
  const response = await fetch(PORTS, { headers: { 'X-API-Key': key } }).catch(() => undefined);
  return response?.ok ? ((await response.json()) as PortRecord[]) : [];
}

/** What the service has observed goes before what the build states. */
function withServed(ports: readonly CoveredPort[], served: readonly PortRecord[]): CoveredPort[] {
  const observed = new Set(served.filter(({ evidence }) => evidence === 'observed').map(({ port }) => port));
  return ports.map((entry) => (observed.has(entry.port) ? { ...entry, evidence: 'observed' } : entry));
}

function coverageRow(covered: CoveredPort, { chosen, portHref }: Shown): TemplateResult {
  const { port, name, country, source, evidence, freshness } = covered;
  const isChosen = port === chosen;
  return html`<tr class=${isChosen ? 'selected' : ''}>
    <th scope="row"><a href=${portHref(port)} data-choose=${port} aria-current=${isChosen ? 'true' : nothing}>${name}</a>, ${country}</th>
    <td><code>${port}</code></td><td><code>${source}</code></td><td>${evidence}</td><td>${freshness}</td>
  </tr>`;
}

interface Shown {
  readonly found: readonly CoveredPort[];
  readonly first: number;
  /** The UN/LOCODE that is chosen; empty without one. */
  readonly chosen: string;
  readonly portHref: (port: string) => string;
  /** Shows the page of rows that begins at `first`. */
  readonly turn: (first: number) => void;
}

function pageOfRows(shown: Shown): TemplateResult {
  const { found, first, turn } = shown;
  const last = Math.min(first + ROWS, found.length);
  const text = found.length === 0 ? 'No port matches' : `Ports ${first + 1} to ${last} of ${found.length}`;
  const turner = (label: string, to: number, isPossible: boolean) =>
    html`<button type="button" class="button" ?disabled=${!isPossible} @click=${() => turn(to)}>${label}</button>`;
  return html`<div class="coverage-pager">
      <p role="status">${text}</p>${turner('Previous', first - ROWS, first > 0)}${turner('Next', last, last < found.length)}
    </div>
    ${scrollTable({
      label: 'Covered ports, table',
      headings: COLUMNS.map((name) => html`<th scope="col">${name}</th>`),
      groups: [found.slice(first, last).map((port) => coverageRow(port, shown))],
    })}`;
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

function filterIn(form: HTMLFormElement, port: string): CoverageFilter {
  const values = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return { ...readFilter(`${new URLSearchParams(values)}`), port };
}

/** What only the details of a port need, asked for once. */
const aboutNow = memoized(() => Promise.all([portalJson<ListedSource[]>(SOURCE_LIST), serviceClock()]));

/** The port that a click on the map or in the table chooses; undefined for every other click. */
function chosenBy({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | undefined {
  if (!(target instanceof Element) || button !== 0 || ctrlKey || metaKey || shiftKey) return undefined;
  const node = target.closest<HTMLElement | SVGElement>('[data-choose], circle[data-port]');
  return node?.dataset.choose ?? node?.dataset.port;
}

async function details(
  port: string,
  all: readonly CoveredPort[],
  served: readonly PortRecord[],
  close: () => void,
): Promise<unknown> {
  const entries = all.filter((entry) => entry.port === port);
  if (entries.length === 0) return port === '' ? nothing : emptyNotice(`${port} is not covered.`);
  const [sources, now] = await aboutNow();
  const record = served.find((known) => known.port === port);
  const about = { sources, now: now(), isRecorded: portalSettings().recordedUntil !== undefined };
  return coveragePort(entries, record, about, close);
}

/** Fills the table below `host` and the details of the port that is chosen; the address follows both. */
export async function startCoverage(host: HTMLElement): Promise<void> {
  const [form, rows, place] = [
    host.querySelector('form'),
    host.querySelector<HTMLElement>('.coverage-rows'),
    host.querySelector<HTMLElement>('.coverage-chosen'),
  ];
  if (!form || !rows || !place) throw new Error('the page has no place for the table');
  for (const [name, value] of Object.entries(readFilter(location.search))) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLSelectElement) control.value = value;
  }
  const loading = Promise.all([portalJson<CoveredPort[]>(COVERAGE_LIST), servedPorts()]);
  const [listed, served] = await loading.catch(() => []);
  rows.replaceChildren();
  if (listed === undefined || served === undefined) {
    render(incompleteNotice(), rows);
    return;
  }
  const all = withServed(listed, served);
  let chosen = readFilter(location.search).port;
  let first = 0;

  const portHref = (port: string): string => `${location.pathname}${coverageQuery(filterIn(form, port))}`;
  const drawFrom = (row: number): void => {
    first = row;
    const found = matching(all, filterIn(form, chosen));
    drawDots(host, found, chosen);
    render(pageOfRows({ found, first, chosen, portHref, turn: drawFrom }), rows);
    history.replaceState(null, '', `${portHref(chosen)}${location.hash}`);
  };
  const choose = async (port: string): Promise<void> => {
    chosen = port;
    drawFrom(first);
    const content = await details(port, all, served, () => void choose(''));
    // Another port may have been chosen meanwhile.
    if (port === chosen) render(content, place);
  };
  void choose(chosen);
  host.addEventListener('click', async (event) => {
    const port = chosenBy(event);
    if (port === undefined) return;
    event.preventDefault();
    await choose(port);
    const title = place.querySelector<HTMLElement>('#coverage-port');
    title?.focus({ preventScroll: true });
    title?.scrollIntoView({ block: 'nearest' });
  });
  form.addEventListener('change', () => drawFrom(0));
}
