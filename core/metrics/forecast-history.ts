/** What a forecast knows of each day of its history. */
import type { DailyMetrics } from './figures.ts';
import type { DailyValue, ForecastMetric } from './forecast-figures.ts';

const VALUES: Readonly<Record<ForecastMetric, (row: DailyMetrics) => number | undefined>> = {
  avg_wait_hours: (row) => row.avgWaitHours,
  at_anchor: (row) => row.dayAtAnchor,
  congestion_score: (row) => row.congestionScore,
};

/** The history of a metric from the rows of completed days, oldest first; days without a value are left out. */
export const dailyValues = (metric: ForecastMetric, rows: readonly DailyMetrics[]): DailyValue[] =>
  rows.flatMap((row) => {
    const value = VALUES[metric](row);
    if (value === undefined) return [];
    const { day, dayAtAnchor, endAtAnchor, avgWaitHours, dayBerthings = 0, dayWaitHours = 0 } = row;
    return [
      {
        day,
        value,
        ...(dayAtAnchor !== undefined &&
          endAtAnchor !== undefined && { queue: { dayAtAnchor, endAtAnchor } }),
        ...(avgWaitHours !== undefined && {
          waits: { avgWaitHours, berthings: dayBerthings, hours: dayBerthings * dayWaitHours },
        }),
      },
    ];
  });
