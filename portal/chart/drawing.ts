/** Drawings that depend on width and theme: on a canvas, which does not support custom properties, or to the pixel. */
import { noChange } from 'lit-html';
import { Directive, directive, type ElementPart } from 'lit-html/directive.js';
import { REDRAW } from '../view/page.ts';

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

type Draw = (host: HTMLElement, width: number) => void;
const draws = new WeakMap<Element, { readonly draw: Draw; width: number }>();

function redraw(host: Element): void {
  const drawing = draws.get(host);
  if (!drawing || host.clientWidth === 0) return;
  drawing.width = host.clientWidth;
  drawing.draw(host as HTMLElement, drawing.width);
}

/** Sees every drawing that is in the page, also when it comes back into it. */
function startWatching(): ResizeObserver {
  const redrawAll = (): void => {
    for (const host of Array.from(document.querySelectorAll('[data-drawn]'))) redraw(host);
  };
  document.addEventListener(REDRAW, redrawAll);
  // Paper has the light colours.
  matchMedia('print').addEventListener('change', redrawAll);
  return new ResizeObserver((entries) => {
    for (const { target } of entries) if (target.clientWidth !== draws.get(target)?.width) redraw(target);
  });
}
let watch: ResizeObserver | undefined;

class Drawing extends Directive {
  #drawn: readonly unknown[] = [];

  render(_draw: Draw, ..._data: readonly unknown[]): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, [draw, ...data]: [Draw, ...unknown[]]): unknown {
    if (data.length === this.#drawn.length && data.every((value, i) => value === this.#drawn[i]))
      return noChange;
    this.#drawn = data;
    const host = element as HTMLElement;
    const isNew = !draws.has(host);
    draws.set(host, { draw, width: 0 });
    host.dataset.drawn = '';
    watch ??= startWatching();
    if (isNew) watch.observe(host);
    else redraw(host);
    return noChange;
  }
}

/** `<div ${drawnBy(draw, ...data)}>`: draws as soon as the element has a width, and when that, the theme or `data` change. */
export const drawnBy = directive(Drawing);
