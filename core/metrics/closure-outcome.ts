/** Whether a closure alert came true, by the berthings of its day and of the two days after it against the usual number. */
import { addDays, type Day, type Instant, startOfDay } from '../reference/time.ts';
import { USUAL_DAYS, usualBerthings } from './daily.ts';
import type { DailyMetrics } from './figures.ts';
import { BACK_SHARE } from './flow-stop.ts';
import { firstStepDay, type RaisedAlert } from './raised-alerts.ts';

/** Days that the outcome is read from: that of the alert and so many after it. */
const DAYS_AFTER = 2;

export type ClosureOutcome = 'confirmed' | 'false';

/** The days whose rows the outcome of an episode is read from. */
export function outcomeDays(row: RaisedAlert): { readonly first: Day; readonly last: Day } {
  const day = firstStepDay(row);
  return { first: addDays(day, -USUAL_DAYS), last: addDays(day, DAYS_AFTER) };
}

/**
 * `confirmed`: on one of these days at most half of the usual number berthed. `false`: on none. Undefined while a day
 * has not ended, or too little of it or of the weeks before is known.
 */
export function closureOutcome(row: RaisedAlert, days: readonly DailyMetrics[]): ClosureOutcome | undefined {
  if (row.metric !== 'berthings') return undefined;
  const known: ReadonlyMap<Instant, DailyMetrics> = new Map(days.map((day) => [startOfDay(day.day), day]));
  const first = firstStepDay(row);
  const isLow = Array.from({ length: DAYS_AFTER + 1 }, (_, after): boolean | undefined => {
    const dayAt = startOfDay(addDays(first, after));
    const { dayBerthings, partial } = known.get(dayAt) ?? {};
    const usual = usualBerthings(dayAt, known);
    if (dayBerthings === undefined || partial || usual === undefined) return undefined;
    return dayBerthings <= BACK_SHARE * usual;
  });
  if (isLow.includes(true)) return 'confirmed';
  return isLow.includes(undefined) ? undefined : 'false';
}
