/** The sources as the build lists them, their freshness, and the service's clock, which decides it. */
import type { HealthRecord } from '../../core/contracts/health.ts';
import type { ROUTES } from '../../core/contracts/routes.ts';

export interface ListedSource {
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  /** Its values are those of trade, not of ports. */
  readonly trade: boolean;
  /** The publisher's page on the data, where there is one. */
  readonly homepage?: string;
  readonly licence: string;
  readonly attribution: string;
  readonly everyMinutes: number;
  /** Data older than this are stale. */
  readonly freshnessBudgetMinutes: number;
  /** Its licence lets single calls be passed on, so that a release has them. */
  readonly passesOnCalls: boolean;
  /** Its figures are made up. */
  readonly simulated: boolean;
}

export const SOURCE_LIST = '/docs/sources.json';

/** Those with one of `ids`. */
export const sourcesBehind = (listed: readonly ListedSource[], ids: readonly string[]): ListedSource[] =>
  listed.filter(({ id }) => ids.includes(id));

/** Minutes after which a response from all of the sources is stale; infinite without sources. */
export const freshnessBudget = (sources: readonly Pick<ListedSource, 'freshnessBudgetMinutes'>[]): number =>
  sources.length === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(...sources.map(({ freshnessBudgetMinutes: minutes }) => minutes));

const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

/** `12 min`, `3.5 h`, `2.1 days`. */
export function durationText(minutes: number): string {
  if (minutes < MINUTES_PER_HOUR * 2) return `${Math.round(minutes)} min`;
  if (minutes < MINUTES_PER_DAY * 2) return `${Number((minutes / MINUTES_PER_HOUR).toFixed(1))} h`;
  return `${Number((minutes / MINUTES_PER_DAY).toFixed(1))} days`;
}

/** Minutes from an instant as the API writes it to `now`, epoch milliseconds; none for a later one. */
export const minutesSince = (instant: string, now: number): number =>
  Math.max(0, (now - Date.parse(instant)) / 60_000);

/** Stated here, because the contract itself is too large for a page that needs one path of it. */
export const HEALTH: (typeof ROUTES)['health']['paths'][0] = '/v1/health';

/** The service's clock, which a local service may set to another time; the reader's own while the health probe does not respond. */
export async function serviceClock(): Promise<() => number> {
  const askedAt = Date.now();
  const response = await fetch(HEALTH).catch(() => undefined);
  if (!response?.ok) return Date.now;
  const { time } = (await response.json()) as HealthRecord;
  const aheadMs = Date.parse(time) - askedAt;
  return () => Date.now() + aheadMs;
}

/** A file of the portal itself. Rejects when the file is missing, because the portal was not deployed completely. */
export async function portalJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) {
    // An unread body holds the connection open.
    await response.body?.cancel();
    throw new Error(`${path} returned ${response.status}`);
  }
  return (await response.json()) as T;
}
