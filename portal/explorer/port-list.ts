/** The ports as a list, stopped ones and then worst congested first: what the map shows, for keyboards and screen readers too. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { MovedPort } from '../api/known-days.ts';
import { isEstimate, TOO_FEW } from '../view/average-wait.ts';
import { evidenceBadge } from '../view/evidence.ts';
import { type Field, nameInApi } from '../view/field-name.ts';
import { moveStyle, type ScoreLines, scoreClass, scoreStyle } from '../view/score-class.ts';
import { scrollTable } from '../view/table.ts';
import { isStill, scoreText, stoppedText } from '../view/text.ts';
import type { Explorer } from './explorer.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { absenceText, type ShownPorts } from './shown-ports.ts';

/** Longer lists get a field to search in. */
const SEARCHABLE = 12;
/** More ports without figures are one row that opens. */
const MAX_UNHELD = 3;
const COLUMNS: readonly [string, Field | undefined][] = [
  ['Port', undefined],
  ['Score', 'congestion_score'],
  ['Change in 7 days', 'congestion_score_change'],
  ['At anchor', 'at_anchor'],
  ['Wait for a berth, h', 'avg_wait_hours'],
  ['In port', 'in_port'],
  ['As of, UTC', 'as_of'],
];

function scoreCell(
  { congestion_score: score, stopped_since: since }: PortRecord,
  lines: ScoreLines,
): TemplateResult {
  if (score === null) return html`<td class="number muted">no data</td>`;
  const title = since === null ? scoreClass(score, lines).label : stoppedText(since);
  const text = since === null ? scoreText(score) : `stopped, ${scoreText(score)}`;
  return html`<td class="number"><span class="swatch ${scoreStyle(score, lines, since !== null)}" title=${title}></span>${text}</td>`;
}

function changeCell(
  { congestion_score: score, congestion_score_change: moved, stopped_since: since }: MovedPort,
  lines: ScoreLines,
): TemplateResult {
  if (moved === null) return html`<td class="number muted">unknown</td>`;
  if (isStill(moved)) return html`<td class="number">0.00</td>`;
  const style = `arrow-${moveStyle(moved, score, lines, since !== null)}`;
  return html`<td class="number"><span class=${style}>${moved > 0 ? '+' : '−'}${Math.abs(moved).toFixed(2)}</span></td>`;
}

function portRow(
  port: MovedPort,
  held: ReadonlySet<string>,
  route: MapRoute,
  lines: ScoreLines,
): TemplateResult {
  const { port: code, name, as_of } = port;
  const isSelected = code === route.port;
  const href = mapSearch({ ...route, port: code });
  const head = html`<th scope="row"><a href=${href} aria-current=${isSelected ? 'true' : nothing}>${name}</a> <code>${code}</code> ${as_of === null && held.has(code) ? nothing : evidenceBadge(port)}</th>`;
  if (as_of === null)
    return html`<tr class=${isSelected ? 'selected' : ''}>${head}<td class="muted" colspan=${COLUMNS.length - 1}>${held.has(code) ? absenceText(port, held) : `nothing held; its source: ${port.sources.join(', ')}`}</td></tr>`;
  const figures = [
    port.at_anchor ?? '',
    isEstimate(port.wait_basis) ? TOO_FEW : (port.avg_wait_hours?.toFixed(1) ?? ''),
    port.in_port ?? '',
    `${as_of.slice(0, 10)} ${as_of.slice(11, 16)}`,
  ];
  return html`<tr class=${isSelected ? 'selected' : ''}>
    ${head}
    ${scoreCell(port, lines)}${changeCell(port, lines)}
    ${figures.map((figure) => html`<td class="number">${figure}</td>`)}
  </tr>`;
}

/** Scrolls the list, not the page, to the chosen port. */
export function followSelected(): void {
  const row = document.querySelector<HTMLElement>('.port-list tr.selected');
  const frame = row?.closest<HTMLElement>('.table-scroll');
  if (!row || !frame) return;
  const below = row.offsetTop + row.offsetHeight - frame.clientHeight;
  const above = row.offsetTop - row.offsetHeight;
  if (frame.scrollTop < below) frame.scrollTop = below;
  else if (frame.scrollTop > above) frame.scrollTop = above;
}

function restRow(
  { chosen, choose }: Explorer,
  unheld: readonly PortRecord[],
  held: ReadonlySet<string>,
): TemplateResult {
  const what = unheld.some(({ port }) => held.has(port))
    ? 'more ports without figures of this day'
    : 'more ports can be read, nothing of them is held here';
  const text = chosen.listsAll ? 'Hide the ports without figures' : `${unheld.length} ${what}: list them`;
  return html`<tr><td colspan=${COLUMNS.length}>
    <button type="button" class="button" aria-expanded=${chosen.listsAll} @click=${() => choose({ listsAll: !chosen.listsAll })}>${text}</button>
  </td></tr>`;
}

export function portList(explorer: Explorer, { ports, held }: ShownPorts, route: MapRoute): TemplateResult {
  const { lines, chosen, choose } = explorer;
  const wanted = chosen.portFilter.trim().toLowerCase();
  const isRest = ({ port, as_of }: PortRecord): boolean => as_of === null && port !== route.port;
  const unheld = ports.filter(isRest);
  const isFolded = wanted === '' && unheld.length > MAX_UNHELD;
  const found = ports.filter(
    (port) =>
      `${port.port} ${port.name}`.toLowerCase().includes(wanted) &&
      (!isFolded || chosen.listsAll || !isRest(port)),
  );
  const filter = ({ target }: Event): void => choose({ portFilter: (target as HTMLInputElement).value });
  const noMatch = html`<tr><td class="muted" colspan=${COLUMNS.length}>No port of this name or code.</td></tr>`;
  return html`<div class="port-list">
    <input type="search" aria-label="Find a port" placeholder="Find a port or code" @input=${filter}
      .value=${chosen.portFilter} ?hidden=${ports.length < SEARCHABLE}>
    ${scrollTable({
      label: 'Covered ports',
      headings: COLUMNS.map(
        ([words, field]) =>
          html`<th scope="col" class=${field ? 'number' : ''} title=${field ? nameInApi(field) : nothing}>${words}</th>`,
      ),
      rows:
        found.length === 0 && wanted !== ''
          ? noMatch
          : html`${found.map((port) => portRow(port, held, route, lines))}${isFolded ? restRow(explorer, unheld, held) : nothing}`,
    })}
  </div>`;
}
