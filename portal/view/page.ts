/** What scripts need of the page itself: its settings, elements of its HTML, and the event after which everything is redrawn. */
import { type PortalSettings, SETTINGS_ID } from '../settings-block.ts';

export function portalSettings(): PortalSettings {
  const text = document.getElementById(SETTINGS_ID)?.textContent;
  return text ? (JSON.parse(text) as PortalSettings) : {};
}

/** The element of the page with this id, which the page's HTML must have. */
export function required(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** The event on the document after which drawings have other colours. */
export const REDRAW = 'redraw';
