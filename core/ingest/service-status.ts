/** The status of the service from the rows of its sources. */
import {
  type FetchedInterval,
  freshness,
  type ServiceStatus,
  type SourceState,
  STATUS_DAYS,
} from '../contracts/published-files.ts';
import { DAY_MS, formatInstant, type Instant, MINUTE_MS } from '../reference/time.ts';
import type { Outage, SourceStatus } from '../store/source-status.ts';
import type { SourceDeclaration } from '../upstream/source.ts';

// Outages of a source, from the times of its good fetches.

/** More than this many expected intervals without a good fetch are an outage; with a shorter freshness budget it begins earlier. */
const MAX_INTERVALS = 3;
/** Rows stay small. With more outages, those with the least time between them become one. */
const MAX_OUTAGES = 60;

/** The outage between the good fetch at `lastFetchAt` and `untilAt`, which is the next one or now; undefined where it is none. */
export function outageBetween(
  lastFetchAt: Instant,
  untilAt: Instant,
  { everyMinutes, freshnessBudgetMinutes }: FetchedInterval,
): Outage | undefined {
  const longestMinutes = Math.max(
    everyMinutes,
    Math.min(MAX_INTERVALS * everyMinutes, freshnessBudgetMinutes),
  );
  if (untilAt - lastFetchAt <= longestMinutes * MINUTE_MS) return undefined;
  return { fromAt: lastFetchAt + everyMinutes * MINUTE_MS, toAt: untilAt };
}

/** The same outages with the two as one that have the least time between them. */
function withNearestJoined(outages: readonly Outage[]): Outage[] {
  const upMs = outages.map(({ fromAt }, i) => fromAt - (outages[i - 1]?.toAt ?? -Infinity));
  const second = upMs.indexOf(Math.min(...upMs));
  const first = outages[second - 1];
  return outages.flatMap((outage, i) => {
    if (i === second - 1) return [];
    return i === second && first ? [{ fromAt: first.fromAt, toAt: outage.toAt }] : [outage];
  });
}

/** The outages of the last `STATUS_DAYS` days after a good fetch, oldest first, from those before it and the good fetch before it. */
export function outagesAfter(
  outages: readonly Outage[],
  lastFetchAt: Instant | undefined,
  fetchedAt: Instant,
  interval: FetchedInterval,
): readonly Outage[] {
  const ended = lastFetchAt === undefined ? undefined : outageBetween(lastFetchAt, fetchedAt, interval);
  const all = ended === undefined ? outages : [...outages, ended];
  const kept = all.filter(({ toAt }) => toAt > fetchedAt - STATUS_DAYS * DAY_MS);
  return kept.length > MAX_OUTAGES ? withNearestJoined(kept) : kept;
}

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
