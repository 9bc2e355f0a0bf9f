/** Navigation of the map: buttons, and double click and dragging with a mouse. */
import { element } from '../view/element.ts';
import type { Viewport } from './viewport.ts';
import type { Point } from './world.ts';

/** One press of a zoom button, one double click. */
const STEP = 1.7;

export interface Navigation {
  /** Towards `at`, by default towards the selected port, else the centre. */
  zoom(factor: number, at?: Point): void;
  /** By so many units of the drawing. */
  move(dx: number, dy: number): void;
  showWhole(): void;
}

function button(name: string, text: string, act: () => void): HTMLElement {
  const node = element('button', { type: 'button', 'aria-label': name }, text);
  node.addEventListener('click', act);
  return node;
}

export const zoomButtons = ({ zoom, showWhole }: Navigation): HTMLElement =>
  element(
    'div',
    { class: 'map-controls', role: 'group', 'aria-label': 'Zoom of the map' },
    button('Closer', '+', () => zoom(STEP)),
    button('Farther', '−', () => zoom(1 / STEP)),
    button('Whole world', '⤢', showWhole),
  );

/** Follows the pointer on `svg`, which shows `viewport()`. A finger scrolls the page as it does elsewhere. */
export function followPointer(
  svg: SVGSVGElement,
  viewport: () => Viewport,
  { zoom, move }: Navigation,
): void {
  svg.addEventListener('dblclick', (event) => {
    const view = viewport();
    const box = svg.getBoundingClientRect();
    const unit = view.width / box.width;
    zoom(STEP, {
      x: view.x + (event.clientX - box.left) * unit,
      y: view.y + (event.clientY - box.top) * unit,
    });
  });
  svg.addEventListener('pointermove', (event) => {
    if (event.buttons !== 1 || event.pointerType === 'touch') return;
    const unit = viewport().width / svg.clientWidth;
    move(-event.movementX * unit, -event.movementY * unit);
  });
}
