/** The ports as a list, worst congested first: what the map shows, for keyboards and screen readers too. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { element } from '../view/element.ts';
import { evidenceBadge } from '../view/evidence.ts';
import { type Field, nameInApi } from '../view/field-name.ts';
import { type ScoreLines, scoreClass } from '../view/score-class.ts';
import { scrollTable } from '../view/scroll-table.ts';
import { isStill, scoreText } from '../view/text.ts';

export type Changes = ReadonlyMap<string, PortChange>;

export interface PortList {
  readonly node: HTMLElement;
  show(ports: readonly PortRecord[], changes: Changes, selected: string | undefined): void;
}

/** Longer lists get a field to search in. */
const SEARCHABLE = 12;
const COLUMNS: readonly [string, Field | undefined][] = [
  ['Port', undefined],
  ['Congestion score', 'congestion_score'],
  ['Change in 7 days', 'congestion_score_change'],
  ['Vessels at anchor', 'at_anchor'],
  ['Wait for a berth, h', 'avg_wait_hours'],
  ['Vessels in port', 'in_port'],
  ['As of, UTC', 'as_of'],
];

const number = (content: string): HTMLElement => element('td', { class: 'number' }, content);

function scoreCell(port: PortRecord, lines: ScoreLines): HTMLElement {
  const score = port.congestion_score;
  if (score === null) return element('td', { class: 'number muted' }, 'no data');
  const { rank, label } = scoreClass(score, lines);
  return element(
    'td',
    { class: 'number' },
    element('span', { class: `swatch score-${rank}`, title: label }),
    scoreText(score),
  );
}

function changeCell(change: PortChange | undefined): HTMLElement {
  const moved = change?.congestion_score_change ?? null;
  if (moved === null) return element('td', { class: 'number muted' }, 'unknown');
  if (isStill(moved)) return number('0.00');
  const up = moved > 0;
  const text = `${up ? '+' : '−'}${Math.abs(moved).toFixed(2)}`;
  return element('td', { class: 'number' }, element('span', { class: up ? 'arrow-up' : 'arrow-down' }, text));
}

interface RowContext {
  readonly changes: Changes;
  readonly selected: string | undefined;
  readonly lines: ScoreLines;
  readonly portHref: (port: string) => string;
}

function portRow(port: PortRecord, { changes, selected, lines, portHref }: RowContext): HTMLElement {
  const isSelected = port.port === selected;
  const link = element(
    'a',
    { href: portHref(port.port), 'aria-current': isSelected ? 'true' : undefined },
    port.name,
  );
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
    changeCell(changes.get(port.port)),
    number(String(port.at_anchor ?? '')),
    number(port.avg_wait_hours?.toFixed(1) ?? ''),
    number(String(port.in_port ?? '')),
    number(port.as_of === null ? '' : `${port.as_of.slice(0, 10)} ${port.as_of.slice(11, 16)}`),
  );
}

const noMatch = (): HTMLElement =>
  element(
    'tr',
    {},
    element('td', { class: 'muted', colspan: COLUMNS.length }, 'No port of this name or code.'),
  );

const tableAround = (body: HTMLElement): HTMLElement =>
  scrollTable({
    label: 'Covered ports',
    headings: COLUMNS.map(([words, field]) =>
      element('th', { scope: 'col', class: field && 'number', title: field && nameInApi(field) }, words),
    ),
    body,
  });

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

export function createPortList(lines: ScoreLines, portHref: (port: string) => string): PortList {
  let shown: readonly PortRecord[] = [];
  let changes: Changes = new Map();
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
    const rows = found.map((port) => portRow(port, { changes, selected, lines, portHref }));
    replaceRows(body, rows.length === 0 && wanted !== '' ? [noMatch()] : rows);
  };
  filter.addEventListener('input', draw);
  return {
    node: element('div', { class: 'port-list' }, filter, tableAround(body)),
    show(ports, known, chosen) {
      const isOther = chosen !== selected;
      shown = ports;
      changes = known;
      selected = chosen;
      draw();
      if (isOther) followSelected(body);
    },
  };
}
