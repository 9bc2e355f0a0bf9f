/** The event on the document after which everything on the page is drawn again: other colours, other marks. */
export const REDRAW = 'redraw';
