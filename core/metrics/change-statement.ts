/** A change point as an alert: whether it is worth telling, and the served figures that tell it. */

import { round } from '../reference/rounding.ts';
import { endOfDay } from '../reference/time.ts';
import type { AlertRule, WatchedDay } from './alert-rules.ts';
import type { ChangePoint } from './change-point.ts';
import { changeFraction, median, sampleDeviation } from './change-size.ts';
import { explainChange } from './explanation.ts';
import type { Alert, Severity } from './figures.ts';

/** A change is reported once a whole served week lies after it, and not when it is older than this. */
const LEAST_DAYS_AFTER = 7;
const MOST_DAYS_AFTER = 14;
/** The figures before and after are those of so many days, which a trend of 30 days always shows. */
const STATED_DAYS = 28;
/** Fewer figures than this are no level before. */
const LEAST_FIGURES_BEFORE = 5;
/** Days that a served figure looks back on. */
const FIGURE_DAYS = 7;
/** Least relative size of a change. */
const LEAST_CHANGE_FRACTION = 0.2;
/** Least spread that strength is measured in, as a share of the least change reported. */
const LEAST_SPREAD_SHARE = 0.25;
const STRENGTH_DECIMALS = 1;

/** Severity by relative size (a fall of a half weighs as a doubling) and by gate, highest first. */
const GRADES: readonly { severity: Severity; rise: number; fall: number; gate: number }[] = [
  { severity: 'high', rise: 1, fall: 0.5, gate: 6 },
  { severity: 'medium', rise: 0.5, fall: 0.5, gate: 5 },
  { severity: 'low', rise: LEAST_CHANGE_FRACTION, fall: LEAST_CHANGE_FRACTION, gate: 0 },
];

/**
 * The alert of one change point as of the last day of `history`; undefined when it is too fresh, too old, too
 * small, or when the served figures do not bear it out.
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
  if (!changed || !newest || !levelBegan || newest.figure === undefined) return undefined;
  const age = newest.dayNumber - changed.dayNumber + 1;
  if (age < LEAST_DAYS_AFTER || age > MOST_DAYS_AFTER) return undefined;
  const levelFrom = point.from === 0 ? levelBegan.dayNumber : settled(levelBegan, changed);
  const statedFrom = Math.max(levelFrom, newest.dayNumber - STATED_DAYS + 1);
  const figuresBefore = figuresOf(days, statedFrom, changed.dayNumber);
  const daysAfter = figuresOf(days, changed.dayNumber, newest.dayNumber + 1).length;
  const middle = median(figuresBefore);
  if (middle === undefined || figuresBefore.length < LEAST_FIGURES_BEFORE) return undefined;
  const before = round(middle, rule.decimals);
  const after = newest.figure;
  const fraction = changeFraction(before, after, rule.floor);
  if (Math.sign(after - before) !== Math.sign(point.step)) return undefined;
  if (
    Math.abs(fraction) < LEAST_CHANGE_FRACTION ||
    round(Math.abs(after - before), rule.decimals) < rule.leastChange
  ) {
    return undefined;
  }
  const spread = Math.max(sampleDeviation(figuresBefore), LEAST_SPREAD_SHARE * rule.leastChange);
  const strength = round(Math.abs(after - before) / spread, STRENGTH_DECIMALS);
  const reason = {
    before,
    after,
    fraction,
    day: changed.day,
    daysBefore: figuresBefore.length,
    daysAfter,
    strength,
  };
  return {
    type: 'change_point',
    metric: rule.metric,
    severity: severityOf(fraction, point.gate),
    changeFraction: fraction,
    asOfAt: endOfDay(newest.day),
    explain: explainChange({ metric: rule.metric, ...reason }),
  };
}

/**
 * From when the figures speak of the level before alone: once the week that they look back on lies in it, but a
 * week before the change at the latest, as far as the level lasts.
 */
const settled = (levelBegan: WatchedDay, changed: WatchedDay): number =>
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

function severityOf(fraction: number, gate: number): Severity {
  const grade = GRADES.find(({ rise, fall, gate: least }) => {
    const enough = fraction < 0 ? -fraction >= fall : fraction >= rise;
    return enough && gate >= least;
  });
  return grade?.severity ?? 'low';
}
