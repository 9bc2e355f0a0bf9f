/** Outages of a source, from the times of its good fetches. */
import { type FetchedInterval, STATUS_DAYS } from '../contracts/status.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../reference/time.ts';
import type { Outage } from '../store/source-status.ts';

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
