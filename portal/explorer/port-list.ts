/** The ports as a list, worst congested first: what the map shows, for keyboards and screen readers too. */
import { element } from '../view/element.ts';
import { type ScoreLines, scoreClassOf } from '../view/score-class.ts';
import type { IndexedPort } from './port-index.ts';

export interface PortList {
  readonly node: HTMLElement;
  show(ports: readonly IndexedPort[], selected: string | undefined): void;
}

/** Longer lists get a field to search in. */
const SEARCHABLE = 12;

function scoreCell(port: IndexedPort, lines: ScoreLines): HTMLElement {
  const score = port.snapshot?.congestion_score;
  if (score === undefined)
    return element('td', { class: 'number muted' }, port.last_observed ? '…' : 'no data');
  const { rank, label } = scoreClassOf(score, lines);
  return element(
    'td',
    { class: 'number' },
    element('span', { class: `swatch score-${rank}`, title: label }),
    score.toFixed(3),
  );
}

export function createPortList(lines: ScoreLines, hrefOf: (port: string) => string): PortList {
  const filter = element('input', {
    type: 'search',
    'aria-label': 'Find a port',
    placeholder: 'Find a port or code',
  });
  const body = element('tbody');
  const node = element(
    'div',
    { class: 'port-list' },
    filter,
    element(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Covered ports' },
      element(
        'table',
        { class: 'data' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('th', { scope: 'col' }, 'Port'),
            element('th', { scope: 'col', class: 'number' }, 'Score'),
            element('th', { scope: 'col', class: 'number' }, 'Wait h'),
            element('th', { scope: 'col', class: 'number' }, 'In port'),
          ),
        ),
        body,
      ),
    ),
  );
  /** The port chosen stays in sight of the list, without the page moving. */
  const follow = (): void => {
    const row = body.querySelector<HTMLElement>('tr.selected');
    const frame = row?.closest<HTMLElement>('.table-scroll');
    if (!row || !frame) return;
    const below = row.offsetTop + row.offsetHeight - frame.clientHeight;
    const above = row.offsetTop - row.offsetHeight;
    if (frame.scrollTop < below) frame.scrollTop = below;
    else if (frame.scrollTop > above) frame.scrollTop = above;
  };
  let shown: readonly IndexedPort[] = [];
  let selected: string | undefined;
  const draw = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    filter.hidden = shown.length < SEARCHABLE;
    const rows = shown
      .filter(({ port, name }) => `${port} ${name}`.toLowerCase().includes(wanted))
      .map((port) =>
        element(
          'tr',
          port.port === selected ? { class: 'selected' } : {},
          element(
            'th',
            { scope: 'row' },
            element(
              'a',
              {
                href: hrefOf(port.port),
                'data-route': true,
                ...(port.port === selected ? { 'aria-current': 'true' } : {}),
              },
              port.name,
            ),
            ' ',
            element('code', {}, port.port),
          ),
          scoreCell(port, lines),
          element('td', { class: 'number' }, port.snapshot?.avg_wait_hours.toFixed(1) ?? ''),
          element('td', { class: 'number' }, port.snapshot ? String(port.snapshot.vessels.in_port) : ''),
        ),
      );
    // Redrawing as snapshots come in must not take the focus away.
    const focused = body.contains(document.activeElement)
      ? document.activeElement?.getAttribute('href')
      : undefined;
    body.replaceChildren(...rows);
    if (focused) body.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
  };
  filter.addEventListener('input', draw);
  return {
    node,
    show(ports, chosen) {
      const moved = chosen !== selected;
      shown = ports;
      selected = chosen;
      draw();
      if (moved) follow();
    },
  };
}
