/** The closures of a port within a year that reached a high alert, with what was usual and what followed. */

import { MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import type { Stop } from '../contracts/known-days.ts';
import { type Closure, closuresOf } from '../metrics/closures.ts';
import { STOP_MEMORY_DAYS } from '../metrics/flow-stop.ts';
import { alertDay, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { median, sum } from '../reference/statistics.ts';
import {
  addDays,
  type Day,
  dayOf,
  endOfDay,
  formatInstant,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import { alertRange } from '../store/alerts.ts';
import type { PortRow } from '../store/ports.ts';
import type { ReleaseStores } from './release-stores.ts';

const YEAR_DAYS = 365;
/** The usual number is the median of these days, as for the alerts. */
const USUAL_DAYS = 28;
/** Days after a closure in which its queue is followed. */
const AFTER_DAYS = 3;

interface Berthings {
  readonly date: Day;
  readonly berthed: number;
  readonly waiting: number | undefined;
}

/** The episode of an alert that the closure raised. */
const episodeOf = (rows: readonly RaisedAlert[], { beganAt, reached }: Closure): RaisedAlert | undefined =>
  rows.find(
    ({ metric, steps: [{ asOfAt }] }) =>
      metric === 'berthings' && asOfAt > beganAt && asOfAt <= (reached.at(-1)?.at ?? beganAt),
  );

async function stopOf(
  { raised, trend, waits }: ReleaseStores,
  lastDay: Day,
  { port, name }: PortRow,
  closure: Closure,
): Promise<Stop> {
  const { endedAt, lostAt, reached } = closure;
  const foundAt = reached[0]?.at ?? closure.beganAt;
  const episode = episodeOf(
    await raised.between(port, dayOf(closure.beganAt), alertDay(endedAt ?? lostAt ?? endOfDay(lastDay))),
    closure,
  );
  const beganAt = episode?.beganAt ?? closure.beganAt;
  const [firstDay, end] = [dayOf(beganAt), alertDay(endedAt ?? lostAt ?? endOfDay(lastDay))];
  const after = [addDays(end, AFTER_DAYS), lastDay].sort()[0] ?? lastDay;
  const range = { from: addDays(firstDay, -USUAL_DAYS), to: after };
  const covered = (await waits.current(port, range)).flatMap(({ day, coverage, all }): Berthings[] =>
    all === undefined || coverage < MIN_DAY_COVERAGE
      ? []
      : [{ date: day, berthed: all.berthed, waiting: all.waiting }],
  );
  const usual = median(covered.filter(({ date }) => date < firstDay).map(({ berthed }) => berthed));
  const during = covered.filter(({ date }) => date >= firstDay);
  const days = during.filter(({ date }) => date <= end);
  // A day before the alert may have the fewest where the data break off, but was not known as closed.
  const alerted = days.filter(({ date }) => date >= alertDay(foundAt));
  const lowest = alerted.toSorted((a, b) => a.berthed - b.berthed)[0];
  const queue = during.reduce<{ date: Day; waiting: number } | null>(
    (most, { date, waiting = 0 }) => (waiting > (most?.waiting ?? -1) ? { date, waiting } : most),
    null,
  );
  const scores = await trend.current(port, { from: addDays(firstDay, -1), to: after });
  const text = (at: Instant | undefined): string | null => (at === undefined ? null : formatInstant(at));
  return {
    port,
    name,
    first_day: firstDay,
    last_day: end,
    alerted_at: formatInstant(episode?.steps[0].knownAt ?? foundAt),
    stopped_since: formatInstant(beganAt),
    lowest: lowest === undefined ? null : { date: lowest.date, berthed: lowest.berthed },
    usual: usual ?? null,
    // The first and the last day are closed in part: on some of them more than the usual number berthed.
    missed: usual === undefined ? 0 : sum(days.map(({ berthed }) => Math.max(0, usual - berthed))),
    queue,
    scores: scores.map(({ day, congestionScore }) => ({ date: day, score: congestionScore ?? null })),
    ended: text(endedAt),
  };
}

/** Finds the closures of a port up to `lastDay` with a high alert, oldest first. */
export async function findStops(stores: ReleaseStores, lastDay: Day, row: PortRow): Promise<Stop[]> {
  const range = alertRange(startOfDay(addDays(lastDay, -YEAR_DAYS)), endOfDay(lastDay));
  const days = (await stores.alerts.current(row.port, range))
    .filter(({ metric, severity }) => metric === 'berthings' && severity === 'high')
    .map(({ asOfAt }) => alertDay(asOfAt))
    .sort();
  // Most ports have had no closure.
  const [first] = days;
  if (first === undefined) return [];
  const series = await stores.trend.between(row.port, {
    from: addDays(first, -2 * STOP_MEMORY_DAYS),
    to: lastDay,
  });
  const closures = closuresOf(series, endOfDay(lastDay), first);
  const stops = closures.filter(({ reached }) =>
    reached.some(({ severity, at }) => severity === 'high' && days.includes(alertDay(at))),
  );
  return Promise.all(stops.map((closure) => stopOf(stores, lastDay, row, closure)));
}
