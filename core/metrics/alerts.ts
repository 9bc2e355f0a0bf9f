/** Alerts of one port: a function of its daily metrics only, so the same days always give the same alerts. */
import { addDays, type Day, endOfDay, type Instant, startOfDay } from '../reference/time.ts';
import { ALERT_RULES, watchedDays } from './alert-rules.ts';
import { changeAlerts } from './change-alerts.ts';
import type { Alert, DailyMetrics } from './figures.ts';
import { thresholdAlerts } from './thresholds.ts';
import { UNUSUAL_MEMORY_DAYS, unusualAlerts } from './unusual-alerts.ts';

/** Days before `fromDay` in which episodes and cool-downs that reach into it may have begun. */
const LEVEL_MEMORY_DAYS = 180;
/** Days that `series` needs before `fromDay`. */
export const ALERT_MEMORY_DAYS = UNUSUAL_MEMORY_DAYS;

interface AlertSpan {
  /** Newest observation. A day that ends after it is still running, and only its unusual figures raise alerts. */
  readonly asOfAt: Instant;
  /** Return only alerts of this day and later: those with `asOfAt > startOfDay(fromDay)`. All when absent. */
  readonly fromDay?: Day;
}

/**
 * All alerts of the days, newest first, then by metric and type. `series` is oldest first and may have gaps. The result
 * replaces every stored alert with `asOfAt` after the start of `fromDay`: an episode that reaches a higher line moves
 * its alert to a later day.
 */
export function evaluateAlerts(series: readonly DailyMetrics[], { asOfAt, fromDay }: AlertSpan): Alert[] {
  const afterAt = fromDay === undefined ? Number.NEGATIVE_INFINITY : startOfDay(fromDay);
  const completed = series.filter(({ day }) => endOfDay(day) <= asOfAt);
  // On the running day alone there is nothing that a completed day could add.
  const last = completed.at(-1);
  const firstDay = fromDay === undefined ? '' : addDays(fromDay, -LEVEL_MEMORY_DAYS);
  const ofLevels =
    last !== undefined && endOfDay(last.day) > afterAt
      ? levelAlerts(completed.filter(({ day }) => day >= firstDay))
      : [];
  return [...ofLevels, ...unusualAlerts(series, asOfAt, fromDay)]
    .filter((alert) => alert.asOfAt > afterAt)
    .sort(byNewest);
}

/** Alerts that wait for the end of the day. */
const levelAlerts = (completed: readonly DailyMetrics[]): Alert[] =>
  Object.values(ALERT_RULES).flatMap((rule) => {
    const days = watchedDays(completed, rule);
    return [...thresholdAlerts(days, rule), ...changeAlerts(days, rule)];
  });

/** Newest first, then metric, then type, both in the order of their names. */
const byNewest = (a: Alert, b: Alert): number =>
  b.asOfAt - a.asOfAt || compareText(a.metric, b.metric) || compareText(a.type, b.type);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
