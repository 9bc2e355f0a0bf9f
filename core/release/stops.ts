/** The stops of a port within a year, from its alerts and the days after them. */

import { MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import type { Stop } from '../contracts/known-days.ts';
import type { Alert } from '../metrics/figures.ts';
import { BACK_SHARE } from '../metrics/flow-stop.ts';
import { alertDay } from '../metrics/raised-alerts.ts';
import { median, sum } from '../reference/statistics.ts';
import { addDays, DAY_MS, type Day, endOfDay, formatInstant, startOfDay } from '../reference/time.ts';
import { alertRange } from '../store/alerts.ts';
import type { PortRow } from '../store/ports.ts';
import type { ReleaseStores } from './release-stores.ts';

const YEAR_DAYS = 365;
/** The usual number is the median of these days, as for the alerts. */
const USUAL_DAYS = 28;
/** Alerts further apart belong to different stops. */
const APART_DAYS = 3;
/** Days after a stop in which its queue is followed. */
const AFTER_DAYS = 3;

/** Alerts of one stop together, oldest first. */
function bySpell(alerts: readonly Alert[]): Alert[][] {
  const spells: Alert[][] = [];
  for (const alert of alerts.toSorted((a, b) => a.asOfAt - b.asOfAt)) {
    const last = spells.at(-1)?.at(-1);
    if (last !== undefined && alert.asOfAt - last.asOfAt <= APART_DAYS * DAY_MS) spells.at(-1)?.push(alert);
    else spells.push([alert]);
  }
  return spells;
}

interface Berthings {
  readonly date: Day;
  readonly berthed: number;
  readonly waiting: number | undefined;
}

async function stopOf(
  { raised, trend, waits }: ReleaseStores,
  lastDay: Day,
  { port, name }: PortRow,
  spell: readonly Alert[],
): Promise<Stop> {
  const [first, last] = [spell[0], spell.at(-1)] as [Alert, Alert];
  const firstDay = alertDay(first.asOfAt);
  const episode = (await raised.between(port, addDays(firstDay, -1), addDays(firstDay, 1))).find(
    ({ metric }) => metric === 'berthings',
  );
  const to = addDays(alertDay(last.asOfAt), 2 * AFTER_DAYS);
  const range = { from: addDays(firstDay, -USUAL_DAYS - 1), to: to < lastDay ? to : lastDay };
  const covered = (await waits.current(port, range)).flatMap(({ day, coverage, all }): Berthings[] =>
    all === undefined || coverage < MIN_DAY_COVERAGE
      ? []
      : [{ date: day, berthed: all.berthed, waiting: all.waiting }],
  );
  const usual = median(covered.filter(({ date }) => date < firstDay).map(({ berthed }) => berthed));
  const isSlow = (day: Day): boolean => {
    const berthings = covered.find(({ date }) => date === day);
    return berthings !== undefined && usual !== undefined && berthings.berthed <= BACK_SHARE * usual;
  };
  let end = alertDay(last.asOfAt);
  while (end < range.to && isSlow(addDays(end, 1))) end = addDays(end, 1);
  const after = addDays(end, AFTER_DAYS);
  const during = covered.filter(({ date }) => date >= firstDay && date <= after);
  const days = during.filter(({ date }) => date <= end);
  const lowest = days.toSorted((a, b) => a.berthed - b.berthed)[0];
  const queue = during.reduce<{ date: Day; waiting: number } | null>(
    (most, { date, waiting = 0 }) => (waiting > (most?.waiting ?? -1) ? { date, waiting } : most),
    null,
  );
  const scores = await trend.current(port, {
    from: addDays(firstDay, -1),
    to: after < lastDay ? after : lastDay,
  });
  return {
    port,
    name,
    first_day: firstDay,
    last_day: end,
    alerted_at: formatInstant(episode?.steps[0].knownAt ?? first.asOfAt),
    stopped_since: episode?.sinceAt === undefined ? null : formatInstant(episode.sinceAt),
    lowest: lowest === undefined ? null : { date: lowest.date, berthed: lowest.berthed },
    usual: usual ?? null,
    missed: usual === undefined ? 0 : sum(days.map(({ berthed }) => usual - berthed)),
    queue,
    scores: scores.map(({ day, congestionScore }) => ({ date: day, score: congestionScore ?? null })),
  };
}

/** Finds the stops of a port up to `lastDay`. */
export async function findStops(stores: ReleaseStores, lastDay: Day, row: PortRow): Promise<Stop[]> {
  const range = alertRange(startOfDay(addDays(lastDay, -YEAR_DAYS)), endOfDay(lastDay));
  const found = (await stores.alerts.current(row.port, range)).filter(({ metric }) => metric === 'berthings');
  const stops = bySpell(found).filter((spell) => spell.some(({ severity }) => severity === 'high'));
  return Promise.all(stops.map((spell) => stopOf(stores, lastDay, row, spell)));
}
