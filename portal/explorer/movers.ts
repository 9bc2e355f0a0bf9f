/** What changed this week: the ports whose score has moved most, each with its thirty days and a sentence. */
import type { PortChange } from '../../core/contracts/changes.ts';
import { element } from '../view/element.ts';
import { nameInApi } from '../view/field-name.ts';
import { emptyNotice, failureNotice, loadingNotice } from '../view/notice.ts';
import { isStill } from '../view/quantity.ts';
import { moverSentence } from './mover-sentence.ts';
import type { Loaded } from './port-index.ts';
import { sparkline } from './sparkline.ts';

export interface Movers {
  readonly node: HTMLElement;
  /** Undefined where the list of ports has failed, which is said elsewhere. */
  show(changes: Loaded<PortChange> | undefined, selected: string | undefined): void;
}

const SHOWN = 10;

function arrow(change: number): HTMLElement {
  const up = change > 0;
  return element(
    'span',
    { class: up ? 'arrow-up' : 'arrow-down', title: nameInApi('congestion_score_change') },
    `${up ? '▲' : '▼'} ${Math.abs(change).toFixed(2)}`,
  );
}

const mover = (change: PortChange, href: string, isSelected: boolean): HTMLElement =>
  element(
    'li',
    { class: isSelected ? 'mover selected' : 'mover' },
    element(
      'p',
      { class: 'mover-head' },
      element('a', { href, 'aria-current': isSelected ? 'true' : undefined }, change.name),
      ' ',
      element('code', {}, change.port),
      ' ',
      arrow(change.congestion_score_change ?? 0),
    ),
    sparkline(change.scores),
    element('p', { class: 'mover-text' }, moverSentence(change)),
  );

/** `retry` requests the changes again. */
export function createMovers(hrefOf: (port: string) => string, retry: () => void): Movers {
  const body = element('div', {
    class: 'movers-body',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Ports that changed most this week',
  });
  const node = element(
    'section',
    { class: 'movers', 'aria-labelledby': 'movers-title' },
    element('h2', { id: 'movers-title' }, 'Changed most this week'),
    body,
  );
  const content = ({ records, failure, complete }: Loaded<PortChange>, selected: string | undefined) => {
    if (failure) return failureNotice(failure, retry);
    if (!complete) return loadingNotice('changes');
    const moved = records
      .filter(({ congestion_score_change: change }) => change !== null && !isStill(change))
      .slice(0, SHOWN);
    if (moved.length > 0)
      return element(
        'ol',
        {},
        ...moved.map((change) => mover(change, hrefOf(change.port), change.port === selected)),
      );
    const isKnown = records.some(({ congestion_score_change: change }) => change !== null);
    return emptyNotice(
      isKnown
        ? 'No score has moved within seven days.'
        : 'No port has been observed for two weeks yet, so that nothing can be compared with a week ago.',
    );
  };
  return {
    node,
    show: (changes, selected) => body.replaceChildren(...(changes ? [content(changes, selected)] : [])),
  };
}
