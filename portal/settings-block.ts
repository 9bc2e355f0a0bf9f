/** The settings of the portal in every page: a block of data, not code, so that the content policy allows it and no request is needed. */

export interface PortalSettings {
  /** A public key for a look without a key of one's own. */
  readonly demoKey?: string | undefined;
  /** The service replays recorded replies up to this time, ISO 8601, and fetches nothing. */
  readonly recordedUntil?: string | undefined;
}

export const SETTINGS_ID = 'settings';
const OPEN = `<script type="application/json" id="${SETTINGS_ID}">`;
const CLOSE = '</script>';

/** HTML of the block. No text in it can end it. */
export const settingsBlock = (settings: PortalSettings): string =>
  `${OPEN}${JSON.stringify(settings).replaceAll('<', '\\u003c')}${CLOSE}`;

/** A page with other settings; unchanged where it has no block. */
export function withSettings(html: string, settings: PortalSettings): string {
  const at = html.indexOf(OPEN);
  const endAt = html.indexOf(CLOSE, at);
  if (at < 0 || endAt < 0) return html;
  return html.slice(0, at) + settingsBlock(settings) + html.slice(endAt + CLOSE.length);
}
