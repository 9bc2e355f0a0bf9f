/** The ports as a list, worst congested first: what the map shows, for keyboards and screen readers too. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { element } from '../view/element.ts';
import { evidenceBadge } from '../view/evidence.ts';
import { type ScoreLines, scoreClassOf } from '../view/score-class.ts';

export interface PortList {
  readonly node: HTMLElement;
  show(ports: readonly PortRecord[], selected: string | undefined): void;
}

/** Longer lists get a field to search in. */
const SEARCHABLE = 12;
const COLUMNS = ['Port', 'Score', 'Wait h', 'In port'] as const;

function scoreCell(port: PortRecord, lines: ScoreLines): HTMLElement {
  const score = port.congestion_score;
  if (score === null) return element('td', { class: 'number muted' }, 'no data');
  const { rank, label } = scoreClassOf(score, lines);
  return element(
    'td',
    { class: 'number' },
    element('span', { class: `swatch score-${rank}`, title: label }),
    score.toFixed(3),
  );
}

function portRow(port: PortRecord, href: string, isSelected: boolean, lines: ScoreLines): HTMLElement {
  const link = element('a', { href, 'aria-current': isSelected ? 'true' : undefined }, port.name);
  return element(
    'tr',
    { class: isSelected ? 'selected' : undefined },
    element(
      'th',
      { scope: 'row' },
      link,
      ' ',
      element('code', {}, port.port),
      ' ',
      evidenceBadge(port.evidence),
    ),
    scoreCell(port, lines),
    element('td', { class: 'number' }, port.avg_wait_hours?.toFixed(1) ?? ''),
    element('td', { class: 'number' }, String(port.in_port ?? '')),
  );
}

const noMatch = (): HTMLElement =>
  element(
    'tr',
    {},
    element('td', { class: 'muted', colspan: COLUMNS.length }, 'No port of this name or code.'),
  );

function listAround(filter: HTMLElement, body: HTMLElement): HTMLElement {
  const headings = COLUMNS.map((name, column) =>
    element('th', { scope: 'col', class: column > 0 ? 'number' : undefined }, name),
  );
  const table = element(
    'table',
    { class: 'data' },
    element('thead', {}, element('tr', {}, ...headings)),
    body,
  );
  return element(
    'div',
    { class: 'port-list' },
    filter,
    element(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Covered ports' },
      table,
    ),
  );
}

/** Redrawing must not take the focus away. */
function replaceRows(body: HTMLElement, rows: readonly HTMLElement[]): void {
  const focused = body.contains(document.activeElement)
    ? document.activeElement?.getAttribute('href')
    : undefined;
  body.replaceChildren(...rows);
  if (focused) body.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

/** Scrolls the list, not the page, to the chosen port. */
function followSelected(body: HTMLElement): void {
  const row = body.querySelector<HTMLElement>('tr.selected');
  const frame = row?.closest<HTMLElement>('.table-scroll');
  if (!row || !frame) return;
  const below = row.offsetTop + row.offsetHeight - frame.clientHeight;
  const above = row.offsetTop - row.offsetHeight;
  if (frame.scrollTop < below) frame.scrollTop = below;
  else if (frame.scrollTop > above) frame.scrollTop = above;
}

export function createPortList(lines: ScoreLines, hrefOf: (port: string) => string): PortList {
  let shown: readonly PortRecord[] = [];
  let selected: string | undefined;
  const filter = element('input', {
    type: 'search',
    'aria-label': 'Find a port',
    placeholder: 'Find a port or code',
  });
  const body = element('tbody');
  const draw = (): void => {
    filter.hidden = shown.length < SEARCHABLE;
    const wanted = filter.value.trim().toLowerCase();
    const found = shown.filter(({ port, name }) => `${port} ${name}`.toLowerCase().includes(wanted));
    const rows = found.map((one) => portRow(one, hrefOf(one.port), one.port === selected, lines));
    replaceRows(body, rows.length === 0 && wanted !== '' ? [noMatch()] : rows);
  };
  filter.addEventListener('input', draw);
  return {
    node: listAround(filter, body),
    show(ports, chosen) {
      const isOther = chosen !== selected;
      shown = ports;
      selected = chosen;
      draw();
      if (isOther) followSelected(body);
    },
  };
}
