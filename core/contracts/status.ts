/** The status of the service as one public file: each source, its freshness, and its outages of the last days. */

/** Address of the file below the portal and below a local service. */
export const STATUS_FILE = '/data/status.json';
/** Days of outages that are kept. */
export const STATUS_DAYS = 90;

export type Freshness = 'fresh' | 'late' | 'stale';

export interface FetchedInterval {
  /** Minutes between two fetches. */
  readonly everyMinutes: number;
  /** Data older than this are stale. */
  readonly freshnessBudgetMinutes: number;
}

/** Late: two fetches in a row are missing. Stale: the freshness budget is exceeded. */
export function freshness(
  ageMinutes: number,
  { everyMinutes, freshnessBudgetMinutes }: FetchedInterval,
): Freshness {
  if (ageMinutes > freshnessBudgetMinutes) return 'stale';
  return ageMinutes > Math.min(2 * everyMinutes, freshnessBudgetMinutes) ? 'late' : 'fresh';
}

/** A time without good fetches, from the due time of a missing one until the next good one; ISO 8601, UTC. */
interface SourceOutage {
  readonly from: string;
  /** Absent while it lasts. */
  readonly to?: string;
}

export interface SourceState {
  readonly source: string;
  readonly name: string;
  readonly state: Freshness;
  /** Newest good fetch; absent before the first one. */
  readonly last_fetch_iso?: string;
  readonly every_minutes: number;
  readonly stale_after_minutes: number;
  /** Replies that were not accepted, since the last one that was. */
  readonly doubt?: {
    readonly since: string;
    readonly outcome: 'refused' | 'held';
    /** Why the newest of them was not accepted, in one sentence. */
    readonly detail: string;
  };
  /** Outages are known since then; absent before the first good fetch. */
  readonly known_since_iso?: string;
  /** Outages that reach into the last `STATUS_DAYS` days, oldest first. */
  readonly outages: readonly SourceOutage[];
}

export interface ServiceStatus {
  /** When the file was made. */
  readonly time: string;
  /** The replies are recorded up to `time`: nothing is fetched. */
  readonly recorded?: true;
  readonly sources: readonly SourceState[];
}
