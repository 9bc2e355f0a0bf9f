/** What the colours of the map and the list mean. */
import { element } from '../view/element.ts';
import { type ScoreLines, scoreClasses } from '../view/score-class.ts';

export function scoreLegend(lines: ScoreLines): HTMLElement {
  const classes = scoreClasses(lines);
  const entries = classes.map(({ rank, label, from }) =>
    element(
      'li',
      {},
      element('span', { class: `swatch score-${rank}` }),
      `${label} `,
      element('b', {}, `≥ ${from}`),
    ),
  );
  const none = element('li', {}, element('span', { class: 'swatch score-none' }), 'no score');
  return element(
    'ul',
    { class: 'legend', 'aria-label': 'Colours of the congestion score' },
    ...entries,
    none,
  );
}
