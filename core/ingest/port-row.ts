/** The figures of a port's own row. */
import type { Coverage } from '../calls/coverage.ts';
import type { Ledger } from '../calls/ledger.ts';
import type { DailyMetrics } from '../metrics/figures.ts';
import { recentFigures } from '../metrics/recent.ts';
import { snapshotAt } from '../metrics/snapshot.ts';
import { type Day, dayOf, type Instant } from '../reference/time.ts';
import type { PortRow } from '../store/ports.ts';
import { packRecent } from '../store/recent-figures.ts';

type RowFigures = Pick<PortRow, 'firstDay' | 'lastDay' | 'snapshot' | 'recent'>;

/** As of `asOfAt`, the newest observation. `series`: metrics by day, up to its day. */
export function rowFigures(
  ledger: Ledger,
  asOfAt: Instant,
  series: ReadonlyMap<Day, DailyMetrics>,
): RowFigures {
  const { coverage } = ledger;
  const calls = [...ledger.calls.values()];
  const snapshot = snapshotAt({ asOfAt, calls, coverage, flowTerm: series.get(dayOf(asOfAt))?.flowTerm });
  return {
    ...coveredDays(coverage),
    snapshot,
    recent: packRecent(recentFigures({ snapshot, calls, coverage, series })),
  };
}

/** First and last UTC day of the coverage; empty before anything is covered. */
function coveredDays(coverage: Coverage): Pick<RowFigures, 'firstDay' | 'lastDay'> {
  const [first, last] = [coverage[0], coverage.at(-1)];
  if (first === undefined || last === undefined) return {};
  return { firstDay: dayOf(first.fromAt), lastDay: dayOf(last.toAt) };
}
