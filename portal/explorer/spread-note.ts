/** The note under the trend: what its newest average is based on. */
import { spreadText, type WaitHistory } from '../chart/wait-spread.ts';
import { element } from '../view/element.ts';

/** Nothing while the waits are not known; `day` is the newest of the trend. */
export function spreadNote(waits: WaitHistory | undefined, day: string): (Node | string)[] {
  const spread = waits?.spreads.get(day);
  if (spread === undefined) return [];
  return [
    `${spreadText(spread, day)} The band runs from one to the other, day by day. `,
    element('a', { href: '/docs/accuracy.html' }, 'How sure are the figures?'),
  ];
}
