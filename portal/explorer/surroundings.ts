/** What the explorer is given once, before it shows anything: the world, the sources, and the service's clock. */
import { serviceClock } from '../api/service-clock.ts';
import { type ListedSource, SOURCE_LIST } from '../api/source-list.ts';
import type { createWorldMap } from '../map/world-map.ts';
import type { ScoreLines } from '../view/score-class.ts';

export interface Surroundings {
  readonly world: Parameters<typeof createWorldMap>[0];
  readonly sources: readonly ListedSource[];
  readonly lines: ScoreLines;
  /** Epoch milliseconds by the service's clock, which decides what is stale. */
  readonly now: () => number;
}

async function json<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  return (await response.json()) as T;
}

/** Rejects when the portal's own files are not all there. */
export async function loadSurroundings(worldFile: string, lines: ScoreLines): Promise<Surroundings> {
  const [world, sources, now] = await Promise.all([
    json<Surroundings['world']>(worldFile),
    json<ListedSource[]>(SOURCE_LIST),
    serviceClock(),
  ]);
  return { world, sources, lines, now };
}
