/** Coverage: the spans for which the service knows what happened in a port. */
import { type Day, endOfDay, HOUR_MS, type Instant, type Interval, startOfDay } from '../reference/time.ts';

/** A gap between two polls longer than this is not covered. */
export const MAX_POLL_GAP_MS = 4 * HOUR_MS;
/** A day with less coverage has no wait and no score. */
export const MIN_DAY_COVERAGE = 0.8;

/** Covered spans of one port, oldest first, disjoint. */
export type Coverage = readonly Interval[];

/** Adds a span, joining those that touch or overlap. */
export function addCoverage(coverage: Coverage, span: Interval): Coverage {
  const apart = coverage.filter((run) => run.toAt < span.fromAt || run.fromAt > span.toAt);
  const joined = coverage.filter((run) => !apart.includes(run));
  const merged = {
    fromAt: Math.min(span.fromAt, ...joined.map((run) => run.fromAt)),
    toAt: Math.max(span.toAt, ...joined.map((run) => run.toAt)),
  };
  return [...apart, merged].sort((a, b) => a.fromAt - b.fromAt);
}

/** `span` without `holes`, oldest first. */
export const withoutHoles = (span: Interval, holes: readonly Interval[]): readonly Interval[] =>
  holes.reduce<readonly Interval[]>(
    (parts, hole) =>
      parts.flatMap((part) =>
        [
          { fromAt: part.fromAt, toAt: Math.min(part.toAt, hole.fromAt) },
          { fromAt: Math.max(part.fromAt, hole.toAt), toAt: part.toAt },
        ].filter(({ fromAt, toAt }) => fromAt < toAt),
      ),
    [span],
  );

/** Adds a poll at `observedAt`: it covers back to the poll before it when that one is near enough. */
export function addPollCoverage(coverage: Coverage, observedAt: Instant): Coverage {
  const last = coverage.at(-1);
  const near = last !== undefined && observedAt - last.toAt <= MAX_POLL_GAP_MS;
  return addCoverage(coverage, { fromAt: near ? last.toAt : observedAt, toAt: observedAt });
}

/** Share of `span` that is covered, 0 to 1; the span must not be empty. */
export function coveredShare(coverage: Coverage, { fromAt, toAt }: Interval): number {
  const coveredMs = coverage.reduce(
    (sum, run) => sum + Math.max(0, Math.min(run.toAt, toAt) - Math.max(run.fromAt, fromAt)),
    0,
  );
  return coveredMs / (toAt - fromAt);
}

/** Share of `day` that is covered, 0 to 1; a day still running, or the very first, counts only its part so far. */
export function dayCoverage(coverage: Coverage, day: Day, asOfAt: Instant): number {
  const firstEver = coverage[0]?.fromAt;
  if (firstEver === undefined || endOfDay(day) <= firstEver) return 0;
  const fromAt = Math.max(startOfDay(day), firstEver);
  const toAt = Math.min(endOfDay(day), asOfAt);
  if (toAt <= fromAt) return coverage.some((run) => run.fromAt <= toAt && toAt <= run.toAt) ? 1 : 0;
  return coveredShare(coverage, { fromAt, toAt });
}
