/** What the views of the explorer share, and what a port's page loads before it shows anything: the sources and the service's clock. */
import { type ListedSource, portalJson, SOURCE_LIST, serviceClock } from '../api/source-list.ts';
import type { PortalSettings } from '../settings-block.ts';
import type { ScoreLines } from '../view/score-class.ts';

export interface ExplorerData {
  readonly sources: readonly ListedSource[];
  readonly lines: ScoreLines;
  /** Epoch milliseconds by the service's clock, which decides what is stale. */
  readonly now: () => number;
  readonly settings: PortalSettings;
}

/** Rejects when one of the portal's own files is missing. */
export async function loadExplorerData(lines: ScoreLines, settings: PortalSettings): Promise<ExplorerData> {
  const [sources, now] = await Promise.all([portalJson<ListedSource[]>(SOURCE_LIST), serviceClock()]);
  return { sources, lines, now, settings };
}
