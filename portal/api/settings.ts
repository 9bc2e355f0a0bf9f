/** What a local service states to its portal; a deployed stage states nothing. */

export interface PortalSettings {
  /** The public demo key. */
  readonly demoKey?: string;
  /** The service replays recorded replies up to this time, ISO 8601, and fetches nothing. */
  readonly recordedUntil?: string;
}

export async function portalSettings(): Promise<PortalSettings> {
  const response = await fetch('/portal-settings.json').catch(() => undefined);
  return response?.ok ? ((await response.json()) as PortalSettings) : {};
}
