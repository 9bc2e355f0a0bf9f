/** The settings that the page states. */
import { type PortalSettings, SETTINGS_ID } from '../settings-block.ts';

export function portalSettings(): PortalSettings {
  const text = document.getElementById(SETTINGS_ID)?.textContent;
  return text ? (JSON.parse(text) as PortalSettings) : {};
}
