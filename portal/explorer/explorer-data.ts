/** What the explorer loads before it shows anything: the world map, the sources, and the service's clock. */
import { type PortalSettings, portalSettings } from '../api/settings.ts';
import { type ListedSource, portalJson, SOURCE_LIST, serviceClock } from '../api/source-list.ts';
import type { World } from '../map/world.ts';
import type { ScoreLines } from '../view/score-class.ts';

export interface ExplorerData {
  readonly world: World;
  readonly sources: readonly ListedSource[];
  readonly lines: ScoreLines;
  /** Epoch milliseconds by the service's clock, which decides what is stale. */
  readonly now: () => number;
  readonly settings: PortalSettings;
}

/** Rejects when one of the portal's own files is missing. */
export async function loadExplorerData(worldFile: string, lines: ScoreLines): Promise<ExplorerData> {
  const [world, sources, now, settings] = await Promise.all([
    portalJson<World>(worldFile),
    portalJson<ListedSource[]>(SOURCE_LIST),
    serviceClock(),
    portalSettings(),
  ]);
  return { world, sources, lines, now, settings };
}
