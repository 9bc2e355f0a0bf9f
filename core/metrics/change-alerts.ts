/** Change-point alerts: a new level, found in the daily values and stated in the served figures. */
import type { AlertRule, WatchedDay } from './alert-rules.ts';
import { type ChangePoint, changePoints, GATE } from './change-point.ts';
import { alertOf } from './change-statement.ts';
import type { Alert } from './figures.ts';

/** Days that the detector looks back on, and how many values it needs among them. */
const HISTORY_DAYS = 90;
const MIN_HISTORY_DAYS = 30;
const MIN_HISTORY_COVERAGE = 0.8;
/**
 * Gate for the shortest history; it falls linearly to `GATE` for a full one. The correlation of neighbours is
 * underestimated on few days: with one gate for all, a third of a year's false alarms came in its first two months.
 */
const SHORT_HISTORY_GATE = 6;
/** A series with more changes than this in 90 days is not a series of levels. */
const MAX_CHANGES = 4;
/** A shorter level is a spike, however short the history. */
const MIN_LEVEL_DAYS = 5;
const ONLINE = { shortestSegment: MIN_LEVEL_DAYS, mostSplits: MAX_CHANGES };
/** Changes dated at most so far apart are the same change. */
const SAME_CHANGE_DAYS = 7;
/** Days after an alert in which the metric raises no other. */
const COOL_DOWN_DAYS = 14;

/** The last reported change: when it was reported and when it happened, in day numbers. */
interface Report {
  readonly reportedOn: number;
  readonly changedOn: number;
}

/** Change-point alerts of one metric, oldest first. `days` must not contain the running day. */
export function changeAlerts(days: readonly WatchedDay[], rule: AlertRule): Alert[] {
  const known = days.filter(({ daily }) => daily !== undefined);
  const values = known.map(({ daily = 0 }) => (rule.logarithmic ? Math.log1p(daily) : daily));
  const alerts: Alert[] = [];
  let last: Report | undefined;
  let first = 0;
  for (const [i, { dayNumber }] of known.entries()) {
    while ((known[first]?.dayNumber ?? dayNumber) <= dayNumber - HISTORY_DAYS) first += 1;
    if (last && dayNumber - last.reportedOn < COOL_DOWN_DAYS) continue;
    const history = known.slice(first, i + 1);
    if (!isEnough(history)) continue;
    const found = changePoints(values.slice(first, i + 1), ONLINE)
      .map((point) => ({ point, alert: alertOf(days, history, point, rule) }))
      .filter(({ point }) => point.gate >= leastGate(history.length) && !isSame(last, history[point.index]))
      .reduce<Found | undefined>(stronger, undefined);
    if (!found) continue;
    alerts.push(found.alert);
    last = { reportedOn: dayNumber, changedOn: history[found.point.index]?.dayNumber ?? dayNumber };
  }
  return alerts;
}

interface Found {
  readonly point: ChangePoint;
  readonly alert: Alert;
}

/** The change with the greatest gate among those that could be reported on one day. */
const stronger = (
  best: Found | undefined,
  { point, alert }: { point: ChangePoint; alert: Alert | undefined },
): Found | undefined => (alert && (!best || point.gate > best.point.gate) ? { point, alert } : best);

function isEnough(history: readonly WatchedDay[]): boolean {
  const span = (history.at(-1)?.dayNumber ?? 0) - (history[0]?.dayNumber ?? 0) + 1;
  return history.length >= MIN_HISTORY_DAYS && history.length >= MIN_HISTORY_COVERAGE * span;
}

const leastGate = (historyDays: number): number =>
  GATE + ((SHORT_HISTORY_GATE - GATE) * (HISTORY_DAYS - historyDays)) / (HISTORY_DAYS - MIN_HISTORY_DAYS);

const isSame = (last: Report | undefined, day: WatchedDay | undefined): boolean =>
  last !== undefined && day !== undefined && Math.abs(day.dayNumber - last.changedOn) <= SAME_CHANGE_DAYS;
