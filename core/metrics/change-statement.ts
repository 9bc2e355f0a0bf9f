/** A change-point alert: whether a change is large enough to report, and the served figures that state it. */

import { round } from '../reference/rounding.ts';
import { endOfDay } from '../reference/time.ts';
import { type AlertRule, FIGURE_DAYS, SEVERITIES, type WatchedDay } from './alert-rules.ts';
import { changeFraction, explainChange, median } from './alert-statement.ts';
import type { ChangePoint } from './change-point.ts';
import type { Alert, Severity } from './figures.ts';

/** A row lies wholly after the change once the seven days that it looks back on do; the median needs three of them. */
const MIN_ROWS_AFTER = 3;
/** A change older than this is not reported. */
const MAX_DAYS_AFTER = 14;
/** The rows before and after lie within so many days, which a trend of 30 days always shows. */
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
 * The alert of one change point as of the last day of `history`. Undefined when the change is too recent, too old or
 * too small, or when the served figures do not move the same way.
 */
export function alertOf(
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
  const rowsBefore = figuresOf(days, statedFrom, changed.dayNumber);
  const rowsAfter = figuresOf(days, changed.dayNumber + FIGURE_DAYS - 1, newest.dayNumber + 1);
  if (rowsBefore.length < MIN_ROWS_BEFORE || rowsAfter.length < MIN_ROWS_AFTER) return undefined;
  const before = round(median(rowsBefore) ?? Number.NaN, rule.decimals);
  const after = round(median(rowsAfter) ?? Number.NaN, rule.decimals);
  const fraction = changeFraction(before, after, rule.floor);
  if (Math.sign(after - before) !== Math.sign(point.step)) return undefined;
  if (Math.abs(fraction) < MIN_CHANGE_FRACTION) return undefined;
  if (round(Math.abs(after - before), rule.decimals) < rule.leastChange) return undefined;
  return {
    type: 'change_point',
    metric: rule.metric,
    severity: severityOf(fraction, point.gate),
    changeFraction: fraction,
    asOfAt: endOfDay(newest.day),
    explain: explainChange({
      metric: rule.metric,
      before,
      after,
      fraction,
      day: changed.day,
      rowsBefore: rowsBefore.length,
      rowsAfter: rowsAfter.length,
    }),
  };
}

/**
 * First day whose row shows only the level before the change: the week it looks back on lies within that level. At the
 * latest one week before the change, as far as the level lasts.
 */
const settledFrom = (levelBegan: WatchedDay, changed: WatchedDay): number =>
  Math.max(
    levelBegan.dayNumber,
    Math.min(levelBegan.dayNumber + FIGURE_DAYS - 1, changed.dayNumber - FIGURE_DAYS),
  );

/** Figures of the days in `[from, to)`, in day numbers. */
function figuresOf(days: readonly WatchedDay[], from: number, to: number): number[] {
  const figures: number[] = [];
  for (let i = days.length - 1; i >= 0; i -= 1) {
    const { dayNumber = from - 1, figure } = days[i] ?? {};
    if (dayNumber < from) break;
    if (dayNumber < to && figure !== undefined) figures.push(figure);
  }
  return figures;
}

/** A fall is good news, so it is one step less severe than a rise of the same size. */
function severityOf(fraction: number, gate: number): Severity {
  const isFall = fraction < 0;
  const grade = GRADES.find(({ rise, fall, gate: least }) => {
    const isLarge = isFall ? -fraction >= fall : fraction >= rise;
    return isLarge && gate >= least;
  });
  const severity = grade?.severity ?? 'low';
  return isFall ? (SEVERITIES[SEVERITIES.indexOf(severity) - 1] ?? 'low') : severity;
}
