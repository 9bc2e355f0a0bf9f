/** Measured apart from the passes, so that the age of a source that never succeeded or whose schedule stopped also grows. */
import type { METRICS } from '../../core/contracts/log.ts';
import { knownSource } from '../../core/reference/evidence.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../core/reference/time.ts';
import type { SourceStatus, SourceStatusStore } from '../../core/store/source-status.ts';

interface WatchDependencies {
  /** Ids of the sources that this stage fetches. */
  readonly sources: readonly string[];
  readonly statuses: Pick<SourceStatusStore, 'all' | 'firstSeen'>;
  readonly now: Clock;
  /** Called with the age of each source, in minutes, and with the counts of sources. */
  readonly publish: (metric: keyof typeof METRICS, value: number, source?: string) => void;
}

/** Longer than two runs are apart, so that none is missed. */
const REMINDER_MS = 15 * MINUTE_MS;

/** Resolves with minutes by source; without a good fetch, since the first watch of the source. Throws StoreFailure. */
export const createWatch =
  ({ sources, statuses, now, publish }: WatchDependencies) =>
  async (): Promise<Record<string, number>> => {
    const rows = await statuses.all();
    const known = new Map(rows.map((status) => [status.source, status.lastFetchAt]));
    // A recovery is reported for a day, because the figures of some hours were wrong.
    const isDoubted = ({ doubt, recovery }: SourceStatus): boolean =>
      doubt !== undefined || (recovery !== undefined && now() - recovery.at < DAY_MS);
    const doubted = rows.filter((status) => isDoubted(status) && sources.includes(status.source));
    publish('doubts', doubted.length);
    const ages: Record<string, number> = {};
    for (const source of sources) {
      const sinceAt = known.get(source) ?? (await statuses.firstSeen(source));
      const ageMinutes = (now() - sinceAt) / MINUTE_MS;
      ages[source] = ageMinutes;
      publish('fetchAge', ageMinutes, source);
    }
    const lasting = Object.entries(ages).filter(([source, ageMinutes]) => {
      const outMs = (ageMinutes - knownSource(source).freshnessBudgetMinutes) * MINUTE_MS;
      return outMs >= DAY_MS && outMs % DAY_MS < REMINDER_MS;
    });
    // Alarms do not repeat by themselves: these sources have just been out for another day.
    publish('longOutages', lasting.length);
    return ages;
  };
