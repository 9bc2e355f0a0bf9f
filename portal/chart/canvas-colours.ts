/** The colours of the style sheet for drawing on a canvas, which does not support custom properties. */
import { REDRAW } from '../view/element.ts';

/** The colour `name` (for example `--line-score`) in the current theme, as `rgb(...)`. */
export function cssColour(name: string): string {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const redraws = new WeakMap<Element, () => void>();

const redrawAll = (): void => {
  for (const host of document.querySelectorAll('[data-drawn]')) redraws.get(host)?.();
};
document.addEventListener(REDRAW, redrawAll);
// Paper has the light colours.
matchMedia('print').addEventListener('change', redrawAll);

/** Draws as soon as `host` has a width, and again whenever that or the theme changes. */
export function drawResponsively(host: HTMLElement, draw: (width: number) => void): void {
  let width = 0;
  const redraw = (): void => {
    if (host.clientWidth > 0) draw(host.clientWidth);
  };
  host.dataset.drawn = '';
  redraws.set(host, redraw);
  new ResizeObserver(() => {
    if (host.clientWidth === width) return;
    width = host.clientWidth;
    redraw();
  }).observe(host);
}
