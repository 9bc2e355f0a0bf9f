/** Change-point alerts: a new level, found in the daily values and stated in the served figures. */
import { SEVERITIES, type Severity, severityRank } from '../reference/figure-names.ts';
import { round } from '../reference/rounding.ts';
import { median } from '../reference/statistics.ts';
import { endOfDay } from '../reference/time.ts';
import { type AlertRule, changeFraction, FIGURE_DAYS, type WatchedDay } from './alert-rules.ts';
import { type ChangePoint, changePoints, GATE } from './change-point.ts';
import type { Alert } from './figures.ts';

// A change-point alert: whether a change is large enough to report, and the served figures that state it.

/** A row lies wholly after the change once the seven days that it looks back on do; the median needs three of them. */
const MIN_ROWS_AFTER = 3;
/** A change older than this is not reported. */
const MAX_DAYS_AFTER = 14;
/** The rows before and after lie within this many days, so a trend of 30 days always shows them. */
const STATED_DAYS = 28;
/** Fewer rows than this are not a level. */
const MIN_ROWS_BEFORE = 5;
/** Least relative size of a change. */
const MIN_CHANGE_FRACTION = 0.2;

/** Severity of a rise by relative size (a fall by half counts as a doubling) and gate, highest first. */
const GRADES: readonly { severity: Severity; rise: number; fall: number; gate: number }[] = [
  { severity: 'high', rise: 1, fall: 0.5, gate: 6 },
  { severity: 'medium', rise: 0.5, fall: 0.5, gate: 5 },
  { severity: 'low', rise: MIN_CHANGE_FRACTION, fall: MIN_CHANGE_FRACTION, gate: 0 },
];

/**
 * The alert of one change point as of the last day of `history`. Undefined when it is too recent, too old or too small,
 * or when the served figures do not move the same way.
 */
export function changeAlert(
  days: readonly WatchedDay[],
  history: readonly WatchedDay[],
  point: ChangePoint,
  rule: AlertRule,
): Alert | undefined {
  const changed = history[point.index];
  const newest = history.at(-1);
  const levelBegan = history[point.from];
  if (!changed || !newest || !levelBegan) return undefined;
  if (newest.dayNumber - changed.dayNumber >= MAX_DAYS_AFTER) return undefined;
  const levelFrom = point.from === 0 ? levelBegan.dayNumber : settledFrom(levelBegan, changed);
  const statedFrom = Math.max(levelFrom, newest.dayNumber - STATED_DAYS + 1);
  const rowsBefore = toFigures(days, statedFrom, changed.dayNumber);
  const rowsAfter = toFigures(days, changed.dayNumber + FIGURE_DAYS - 1, newest.dayNumber + 1);
  if (rowsBefore.length < MIN_ROWS_BEFORE || rowsAfter.length < MIN_ROWS_AFTER) return undefined;
  const before = round(median(rowsBefore) ?? Number.NaN, rule.decimals);
  const after = round(median(rowsAfter) ?? Number.NaN, rule.decimals);
  const fraction = changeFraction(before, after, rule.floor);
  if (Math.sign(after - before) !== Math.sign(point.step)) return undefined;
  if (Math.abs(fraction) < MIN_CHANGE_FRACTION) return undefined;
  if (round(Math.abs(after - before), rule.decimals) < rule.minChange) return undefined;
  return {
    type: 'change_point',
    metric: rule.metric,
    severity: changeSeverity(fraction, point.gate),
    changeFraction: fraction,
    asOfAt: endOfDay(newest.day),
    explain:
      `${rule.metric} moved from ${before} to ${after} (${percent(before, after, fraction)}) around ${changed.day}: ` +
      `${rowsBefore.length}-day median before, ${rowsAfter.length}-day median after.`,
  };
}

const toPercent = (fraction: number): number => round(Math.abs(fraction) * 100, 0);

/** The percentage of the text; `or more` where the floor or the maximum limits `fraction`. */
export function percent(before: number, after: number, fraction: number): string {
  const isLeast = toPercent((after - before) / before) > toPercent(fraction);
  return `${fraction < 0 ? '-' : '+'}${toPercent(fraction)}%${isLeast ? ' or more' : ''}`;
}

/**
 * First day whose week lies within the level before the change; at the latest one week before it, as far as the level
 * lasts.
 */
const settledFrom = (levelBegan: WatchedDay, changed: WatchedDay): number =>
  Math.max(
    levelBegan.dayNumber,
    Math.min(levelBegan.dayNumber + FIGURE_DAYS - 1, changed.dayNumber - FIGURE_DAYS),
  );

/** Figures of the days in `[from, to)`, in day numbers. */
function toFigures(days: readonly WatchedDay[], from: number, to: number): number[] {
  const figures: number[] = [];
  for (let i = days.length - 1; i >= 0; i -= 1) {
    const { dayNumber = from - 1, figure } = days[i] ?? {};
    if (dayNumber < from) break;
    if (dayNumber < to && figure !== undefined) figures.push(figure);
  }
  return figures;
}

/** A fall is good news, so it is one step less severe than a rise of the same size. */
function changeSeverity(fraction: number, gate: number): Severity {
  const isFall = fraction < 0;
  const grade = GRADES.find(({ rise, fall, gate: least }) => {
    const isLarge = isFall ? -fraction >= fall : fraction >= rise;
    return isLarge && gate >= least;
  });
  const severity = grade?.severity ?? 'low';
  return isFall ? (SEVERITIES[severityRank(severity) - 1] ?? 'low') : severity;
}

/** Days that the detector looks back on, and how many values it needs among them. */
const HISTORY_DAYS = 90;
const MIN_HISTORY_DAYS = 30;
const MIN_HISTORY_COVERAGE = 0.8;
/**
 * Gate for the shortest history; it falls linearly to `GATE` for a full one. Few days hide the correlation of
 * neighbours: with one gate for all, a third of a year's false alarms came in its first two months.
 */
const SHORT_HISTORY_GATE = 6;
/** A series with more changes than this in 90 days is not a series of levels. */
const MAX_CHANGES = 4;
/** A shorter level is a spike, however short the history. */
const MIN_LEVEL_DAYS = 5;
const ONLINE = { minSegment: MIN_LEVEL_DAYS, maxSplits: MAX_CHANGES };
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
    const clearest = changePoints(values.slice(first, i + 1), ONLINE)
      .filter(({ gate, index }) => gate >= minGate(history.length) && !isSame(last, history[index]))
      .sort((a, b) => b.gate - a.gate);
    for (const point of clearest) {
      const alert = changeAlert(days, history, point, rule);
      if (alert === undefined) continue;
      alerts.push(alert);
      last = { reportedOn: dayNumber, changedOn: history[point.index]?.dayNumber ?? dayNumber };
      break;
    }
  }
  return alerts;
}

function isEnough(history: readonly WatchedDay[]): boolean {
  const span = (history.at(-1)?.dayNumber ?? 0) - (history[0]?.dayNumber ?? 0) + 1;
  return history.length >= MIN_HISTORY_DAYS && history.length >= MIN_HISTORY_COVERAGE * span;
}

const minGate = (historyDays: number): number =>
  GATE + ((SHORT_HISTORY_GATE - GATE) * (HISTORY_DAYS - historyDays)) / (HISTORY_DAYS - MIN_HISTORY_DAYS);

const isSame = (last: Report | undefined, day: WatchedDay | undefined): boolean =>
  last !== undefined && day !== undefined && Math.abs(day.dayNumber - last.changedOn) <= SAME_CHANGE_DAYS;
