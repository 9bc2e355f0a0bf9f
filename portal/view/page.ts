/** What scripts need of the page itself: elements of its HTML, and the event after which everything is redrawn. */

/** The element of the page with this id, which the page's HTML must have. */
export function required(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** The event on the document after which drawings have other colours. */
export const REDRAW = 'redraw';
