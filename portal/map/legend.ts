/** What colours, sizes, rings and arrows of the map mean. */
import { element, svgElement } from '../view/element.ts';
import { fieldName } from '../view/field-name.ts';
import { type ScoreLines, scoreClasses } from '../view/score-class.ts';
import { circleRadius } from './circle-size.ts';

const SIZES = [0, 10, 30] as const;

function circle(atAnchor: number): SVGElement {
  const radius = circleRadius(atAnchor);
  const side = 2 * radius + 2;
  return svgElement(
    'svg',
    { class: 'legend-circle', width: side, height: side, 'aria-hidden': 'true' },
    svgElement('circle', { cx: side / 2, cy: side / 2, r: radius }),
  );
}

/** For colours and sizes alike. */
export function scoreLegend(lines: ScoreLines): HTMLElement {
  const classes = scoreClasses(lines);
  const entries = classes.map(({ rank, label, from }, i) => {
    const to = classes[i + 1]?.from;
    const range = to === undefined ? `≥ ${from}` : `${from}–${to}`;
    return element(
      'li',
      {},
      element('span', { class: `swatch score-${rank}` }),
      `${label} `,
      element('b', {}, range),
    );
  });
  const none = element('li', {}, element('span', { class: 'swatch score-none' }), 'no score');
  const sizes = SIZES.map((count) => element('li', {}, circle(count), String(count)));
  return element(
    'div',
    { class: 'legends' },
    element(
      'ul',
      { class: 'legend', 'aria-label': 'Colours' },
      element('li', {}, fieldName('congestion_score', 'Congestion score')),
      ...entries,
      none,
    ),
    element(
      'ul',
      { class: 'legend', 'aria-label': 'Sizes and signs' },
      element('li', {}, fieldName('at_anchor', 'Vessels at anchor')),
      ...sizes,
      element(
        'li',
        {},
        element('span', { class: 'swatch swatch-ring' }),
        'hollow: simulated or not yet measured',
      ),
      element(
        'li',
        {},
        element('span', { class: 'arrow-up' }, '▲'),
        element('span', { class: 'arrow-down' }, '▼'),
        ' change in 7 days',
      ),
    ),
  );
}
