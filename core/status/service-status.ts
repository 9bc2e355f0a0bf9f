/** The status of the service from the rows of its sources. */
import { freshness, type ServiceStatus, type SourceState, STATUS_DAYS } from '../contracts/status.ts';
import { DAY_MS, formatInstant, type Instant, MINUTE_MS } from '../reference/time.ts';
import type { SourceStatus } from '../store/source-status.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import { outageBetween } from './outages.ts';

type Declared = Pick<SourceDeclaration, 'id' | 'name' | 'everyMinutes' | 'freshnessBudgetMinutes'>;

function state(declared: Declared, status: SourceStatus, nowAt: Instant): SourceState {
  const { id, name, everyMinutes, freshnessBudgetMinutes } = declared;
  const { lastFetchAt, knownSinceAt, doubt, outages = [] } = status;
  const ageMinutes = lastFetchAt === undefined ? Infinity : (nowAt - lastFetchAt) / MINUTE_MS;
  const lasting = lastFetchAt === undefined ? undefined : outageBetween(lastFetchAt, nowAt, declared);
  const ended = outages.filter(({ toAt }) => toAt > nowAt - STATUS_DAYS * DAY_MS);
  return {
    source: id,
    name,
    state: freshness(ageMinutes, declared),
    ...(lastFetchAt !== undefined && { last_fetch_iso: formatInstant(lastFetchAt) }),
    every_minutes: everyMinutes,
    stale_after_minutes: freshnessBudgetMinutes,
    ...(doubt !== undefined && {
      doubt: { since: formatInstant(doubt.sinceAt), outcome: doubt.outcome, detail: doubt.detail },
    }),
    ...(knownSinceAt !== undefined && { known_since_iso: formatInstant(knownSinceAt) }),
    outages: [
      ...ended.map(({ fromAt, toAt }) => ({ from: formatInstant(fromAt), to: formatInstant(toAt) })),
      ...(lasting ? [{ from: formatInstant(lasting.fromAt) }] : []),
    ],
  };
}

/** Every declared source that was fetched or tried, by id. A source without a row is left out. */
export function serviceStatus(
  declarations: readonly Declared[],
  statuses: readonly SourceStatus[],
  nowAt: Instant,
): ServiceStatus {
  const rows = new Map(statuses.map((status) => [status.source, status]));
  const sources = declarations.flatMap((declared) => {
    const status = rows.get(declared.id);
    const wasTried = status !== undefined && (status.lastFetchAt !== undefined || status.failures > 0);
    return wasTried ? [state(declared, status, nowAt)] : [];
  });
  return {
    time: formatInstant(nowAt),
    sources: sources.toSorted((a, b) => (a.source < b.source ? -1 : 1)),
  };
}
