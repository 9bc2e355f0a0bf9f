/** The ports as a list, seasons apart and the others stopped ones and then worst congested first: what the map shows, for keyboards and screen readers too. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { MovedPort } from '../api/files.ts';
import { evidenceBadge } from '../view/evidence.ts';
import { moveStyle, type ScoreLines, scoreClass, scoreStyle } from '../view/score-class.ts';
import { scrollTable } from '../view/table.ts';
import { type Field, isEstimate, isStill, nameInApi, scoreText, stoppedText, TOO_FEW } from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { type MapRoute, portSearch } from './page-route.ts';
import { readSeasons, type Season, seasonText } from './seasons.ts';
import { absenceText, ranked, type ShownPorts } from './shown-ports.ts';

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
  season: Season | undefined,
): TemplateResult {
  const { port: code, name, as_of } = port;
  const isSelected = code === route.port;
  const href = portSearch(route, port);
  const span = season === undefined ? nothing : html`<span class="span">${seasonText(season)}</span>`;
  const head = html`<th scope="row"><a href=${href} aria-current=${isSelected ? 'true' : nothing}>${name}</a> <code>${code}</code> ${as_of === null && held.has(code) ? nothing : evidenceBadge(port)}${span}</th>`;
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

const groupRow = (title: string): TemplateResult =>
  html`<tr class="group"><th scope="rowgroup" colspan=${COLUMNS.length}>${title}</th></tr>`;

/** Ports that are listed together. */
interface Group {
  readonly title: string;
  readonly ports: readonly MovedPort[];
}

const [RANKED, UNHELD] = ['Worst first', 'Without figures'];

/** Seasons, the ports that are ranked, those that are not, and those without figures. */
export function listGroups(ports: readonly MovedPort[], seasons: readonly Season[]): Group[] {
  const held = ports.filter(({ as_of }) => as_of !== null);
  const current = new Set(ranked(held));
  const listed = seasons.flatMap(({ port }) => findNamed(held, port) ?? []);
  const others = held.filter((port) => !listed.includes(port));
  const groups = [
    { title: 'Seasons', ports: listed },
    { title: RANKED, ports: others.filter((port) => current.has(port)) },
    {
      title: 'Not ranked: their newest figures are more than a week older',
      ports: others.filter((port) => !current.has(port)),
    },
    { title: UNHELD, ports: ports.filter(({ as_of }) => as_of === null) },
  ];
  return groups.filter((group) => group.ports.length > 0);
}

/** Whether the list is one ranking, with the ports without figures after it. */
export const isOneRanking = (groups: readonly Group[]): boolean =>
  groups.every(({ title }) => title === RANKED || title === UNHELD);

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
  const seasons = readSeasons(explorer);
  const groups = listGroups(found, seasons);
  const isPlain = groups.length === 1 || isOneRanking(groups);
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
      groups: [
        ...groups.map(
          ({ title, ports: rows }) =>
            html`${isPlain ? nothing : groupRow(title)}${rows.map((port) =>
              portRow(port, held, route, lines, findNamed(seasons, port.port)),
            )}`,
        ),
        ...(found.length === 0 && wanted !== '' ? [noMatch] : []),
        ...(isFolded ? [restRow(explorer, unheld, held)] : []),
      ],
    })}
  </div>`;
}
