/** Checks that every day with a row is covered, because a figure of an unobserved day is a false zero. Pure. */
import { type Coverage, dayCoverage } from '../calls/coverage.ts';
import { type Day, type Instant, parseInstant } from '../reference/time.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import type { ReleaseRow } from './columns.ts';
import type { Manifest } from './manifest.ts';

/** Rows state a share with fewer decimals than spans have. */
const TOLERANCE = 0.005;

export interface CoveredPort {
  readonly coverage: Coverage;
  /** Its newest observation: of the day that was running then, only the part so far counts. */
  readonly asOfAt: Instant;
}

/** The spans of a port as its manifest states them. Throws ReleaseFailure for an invalid span. */
export const coverageOf = (port: string, { covered = {} }: Pick<Manifest, 'covered'>): Coverage =>
  (covered[port] ?? []).map(([from, to]) => {
    const [fromAt, toAt] = [parseInstant(from), parseInstant(to)];
    if (fromAt === undefined || toAt === undefined || fromAt > toAt)
      throw new ReleaseFailure(`the manifest states a span of ${port} that is none: ${from} to ${to}`);
    return { fromAt, toAt };
  });

/** Throws ReleaseFailure where a row of a day states more coverage than the spans of its port. */
export function refuseUncovered(rows: readonly ReleaseRow[], ports: ReadonlyMap<string, CoveredPort>): void {
  for (const { port, date, coverage } of rows) {
    const found = ports.get(String(port));
    const share = found === undefined ? 0 : dayCoverage(found.coverage, date as Day, found.asOfAt);
    if (Number(coverage) > share + TOLERANCE)
      throw new ReleaseFailure(
        `${port} has a row of ${date} by ${percent(Number(coverage))} of the day, of which the release covers ${percent(share)}: nothing of it is loaded`,
      );
  }
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
