/**
 * The age of each source's last good fetch, and how many sources have sent a reply that is not believed. It is measured separately from the passes, so that the age of a source that
 * never succeeded or whose schedule stopped also grows.
 */

import { knownSource } from '../../core/reference/evidence.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../core/reference/time.ts';
import type { SourceStatusStore } from '../../core/store/source-status.ts';

export interface WatchDependencies {
  /** Ids of the sources that this stage fetches. */
  readonly sources: readonly string[];
  readonly statuses: Pick<SourceStatusStore, 'all' | 'firstSeen'>;
  readonly now: Clock;
  /** Called with each age, in minutes. */
  readonly publish: (source: string, ageMinutes: number) => void;
  /** Called with the number of sources whose newest reply was refused or held. */
  readonly publishDoubts: (sources: number) => void;
  /** Called with the number of sources whose outage has just lasted another day: alarms do not repeat by themselves. */
  readonly publishReminders: (sources: number) => void;
}

/** Longer than two runs are apart, so that none is missed. */
const REMINDER_MS = 15 * MINUTE_MS;

/** Ages in minutes, by source. */
export type Ages = Readonly<Record<string, number>>;

/** Without a good fetch the age counts from the first watch of the source. Throws StoreFailure. */
export const createWatch =
  ({ sources, statuses, now, publish, publishDoubts, publishReminders }: WatchDependencies) =>
  async (): Promise<Ages> => {
    const rows = await statuses.all();
    const known = new Map(rows.map((status) => [status.source, status.lastFetchAt]));
    publishDoubts(rows.filter(({ source, doubt }) => doubt !== undefined && sources.includes(source)).length);
    const ages: Record<string, number> = {};
    for (const source of sources) {
      const sinceAt = known.get(source) ?? (await statuses.firstSeen(source));
      const ageMinutes = (now() - sinceAt) / MINUTE_MS;
      ages[source] = ageMinutes;
      publish(source, ageMinutes);
    }
    const lasting = Object.entries(ages).filter(([source, ageMinutes]) => {
      const outMs = (ageMinutes - knownSource(source).freshnessBudgetMinutes) * MINUTE_MS;
      return outMs >= DAY_MS && outMs % DAY_MS < REMINDER_MS;
    });
    publishReminders(lasting.length);
    return ages;
  };
