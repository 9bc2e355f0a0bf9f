/** The settings that the page states. */
import { type PortalSettings, SETTINGS_ID } from '../settings-block.ts';

export async function portalSettings(): Promise<PortalSettings> {
  const text = document.getElementById(SETTINGS_ID)?.textContent;
  return text ? (JSON.parse(text) as PortalSettings) : {};
}
