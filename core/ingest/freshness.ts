/** Whether a reply shows the present, by what it states: a cache or a stuck export serves an old reply as a new one. Pure. */
import type { CallRecord, PortPoll, SourceReport } from '../calls/observation.ts';
import { addMonths, formatInstant, HOUR_MS, type Instant, latestOf, startOfDay } from '../reference/time.ts';
import type { SourceStatus } from '../store/source-status.ts';
import { type ParsedFetch, RefusedReply, type SourceDeclaration } from '../upstream/source.ts';

/** A reply may state a time up to this much after its fetch, because clocks differ. */
const FUTURE_ALLOWANCE_MS = 24 * HOUR_MS;
/** The newest event may be withdrawn again: in 54 polls of Hong Kong it never was. */
const WITHDRAWN_EVENT_MS = 6 * HOUR_MS;

const recordTimes = ({ ataAt, atdAt, stops, cancelled }: CallRecord): (Instant | undefined)[] =>
  cancelled ? [] : [ataAt, atdAt, ...stops.flatMap((stop) => [stop.ataAt, stop.atdAt])];

const pollTimes = ({ inPort = [], arrived = [], departed = [] }: PortPoll): Instant[] => [
  ...[...inPort, ...arrived].map(({ ataAt }) => ataAt),
  ...departed.map(({ atdAt }) => atdAt),
];

function eventTimes(report: SourceReport): (Instant | undefined)[] {
  if (report.kind === 'poll') return pollTimes(report);
  if (report.kind === 'call-batch') return report.records.flatMap(recordTimes);
  // A value is known once its month has ended.
  return [...new Set(report.values.map(({ month }) => month))].map((month) =>
    startOfDay(`${addMonths(month, 1)}-01`),
  );
}

/** The newest event that the reports state, none after their fetch; undefined without one. */
export function newestEventAt(reports: readonly SourceReport[], fetchedAt: Instant): Instant | undefined {
  const newest = latestOf(
    reports.flatMap(eventTimes).filter((at) => at !== undefined && at <= fetchedAt) as Instant[],
  );
  return Number.isFinite(newest) ? newest : undefined;
}

const hours = (ms: number): string => `${(ms / HOUR_MS).toFixed(1)} h`;

/**
 * Refuses a reply from the future as its fetch saw it, and one that does not show the present: older than the last good reply, or
 * without an event for longer than its source is ever silent. Throws `RefusedReply`: `future-reply`, `stale-reply`.
 */
export function refuseUntimely(
  { asOfAt, reports }: Pick<ParsedFetch, 'asOfAt' | 'reports'>,
  status: Pick<SourceStatus, 'asOfAt' | 'newestEventAt'>,
  fetchedAt: Instant,
  { silence }: Pick<SourceDeclaration, 'silence'>,
): void {
  if (asOfAt > fetchedAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, after its own fetch`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
  if (silence === undefined) return;
  const newestAt = silence.of === 'reply' ? asOfAt : newestEventAt(reports, fetchedAt);
  if (newestAt === undefined) return;
  const silentMs = fetchedAt - newestAt;
  const what = silence.of === 'reply' ? 'the reply states a time' : 'its newest event is';
  if (silentMs > silence.maxHours * HOUR_MS)
    throw new RefusedReply(
      'stale-reply',
      `${what} ${hours(silentMs)} before its fetch, at most ${silence.maxHours}`,
    );
  const { newestEventAt: knownAt } = status;
  if (silence.of === 'events' && knownAt !== undefined && newestAt < knownAt - WITHDRAWN_EVENT_MS)
    throw new RefusedReply(
      'stale-reply',
      `its newest event, of ${formatInstant(newestAt)}, is older than one of ${formatInstant(knownAt)} that is known`,
    );
}
