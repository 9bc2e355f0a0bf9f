/**
 * Alerts by calendar quarter. Those of a quarter follow from the daily metrics of the `ALERT_MEMORY_DAYS` days before it and of its own
 * days alone, and not from when, or how often, they were evaluated.
 */
import { addDays, type Day, daysBetween, type Instant, startOfDay } from '../reference/time.ts';
import { ALERT_MEMORY_DAYS, evaluateAlerts } from './alerts.ts';
import type { Alert, DailyMetrics } from './figures.ts';

const QUARTER_MONTHS = 3;
/** Days of the longest quarter. */
export const MAX_PERIOD_DAYS = 92;

/** First day of the quarter of `day`. */
export function periodStart(day: Day): Day {
  const month = Number(day.slice(5, 7));
  const first = month - ((month - 1) % QUARTER_MONTHS);
  return `${day.slice(0, 4)}-${String(first).padStart(2, '0')}-01`;
}

/** First day of the metrics that the alerts of the quarter of `day` are made from. */
export const memoryStart = (day: Day): Day => addDays(periodStart(day), -ALERT_MEMORY_DAYS);

/**
 * All alerts of the quarter of `fromDay` and of later ones, newest first. `series` is oldest first, begins at `memoryStart` of
 * `fromDay` or with the first day of the port, and may end with the running day.
 */
export function alertsSince(series: readonly DailyMetrics[], asOfAt: Instant, fromDay: Day): Alert[] {
  const today = series.at(-1)?.day ?? fromDay;
  const starts = [...new Set(daysBetween(periodStart(fromDay), today).map(periodStart))].reverse();
  return starts.flatMap((start, i) => {
    const next = starts[i - 1] ?? addDays(today, 1);
    const rows = series.filter(({ day }) => day >= memoryStart(start) && day < next);
    return evaluateAlerts(rows, { asOfAt: Math.min(asOfAt, startOfDay(next)), fromDay: start });
  });
}
