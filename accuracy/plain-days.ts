/** Daily metrics from one series of daily values, for studies of the alerts. */
import type { DailyMetrics, LevelMetric } from '../core/metrics/figures.ts';
import { HOURS_DECIMALS, round, SCORE_DECIMALS } from '../core/reference/rounding.ts';
import { addDays, type Day } from '../core/reference/time.ts';
import { mean } from './scoring.ts';

const WEEK = 7;

/** One row a day from `firstDay`; the served figure is the mean of the last seven values, gaps left out. */
export function plainDays(
  values: readonly (number | null)[],
  metric: LevelMetric,
  firstDay: Day,
): DailyMetrics[] {
  return values.map((value, i) => {
    const base = { day: addDays(firstDay, i), coverage: value === null ? 0 : 1, vessels: 1 };
    if (value === null) return base;
    const week = values.slice(Math.max(0, i + 1 - WEEK), i + 1).filter((known) => known !== null);
    if (metric === 'congestion_score') {
      return { ...base, dayScore: value, congestionScore: round(mean(week), SCORE_DECIMALS) };
    }
    if (metric === 'avg_wait_hours') {
      return { ...base, dayWaitHours: value, avgWaitHours: round(mean(week), HOURS_DECIMALS) };
    }
    return { ...base, dayAtAnchor: value };
  });
}
