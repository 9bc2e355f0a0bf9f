/** Rows of the record: the stored days of a port, forecasts as issued, and alerts as they were raised. Pure. */

import type { DailyMetrics } from '../metrics/figures.ts';
import type { ForecastMetric } from '../metrics/forecast.ts';
import { closureOutcome, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { addDays, formatInstant } from '../reference/time.ts';
import type { StoredForecast, StoredRows } from '../store/forecasts.ts';
import type { Known } from '../store/series.ts';
import type { DayRow, ForecastRow, IssuedForecastRow, RaisedAlertRow } from './columns.ts';

export const dayRow = (row: Known<DailyMetrics>): DayRow => ({
  date: row.day,
  coverage: row.coverage,
  partial: row.partial === true,
  vessels: row.vessels,
  congestion_score: row.congestionScore ?? null,
  avg_wait_hours: row.avgWaitHours ?? null,
  at_anchor: row.dayAtAnchor ?? null,
  most_at_anchor: row.mostAtAnchor ?? null,
  end_at_anchor: row.endAtAnchor ?? null,
  end_waiting_hours: row.endWaitingHours ?? null,
  berthings: row.dayBerthings ?? null,
  berthings_with_wait: row.dayWaits ?? null,
  day_wait_hours: row.dayWaitHours ?? null,
  day_score: row.dayScore ?? null,
  queue_score: row.queueScore ?? null,
  delayed_share: row.delayedShare ?? null,
  wait_term: row.waitTerm ?? null,
  queue_term: row.queueTerm ?? null,
  flow_term: row.flowTerm ?? null,
  stopped_share: row.stoppedShare ?? null,
  hour_berthings: row.hourBerthings ?? null,
  hour_arrivals: row.hourArrivals ?? null,
  known_from: row.knownOn,
  backfilled: row.backfilled === true,
});

/** A row for each day of the forecast. */
export const forecastRows = (
  metric: ForecastMetric,
  { originDay, replayed, days = [] }: StoredRows,
): ForecastRow[] => {
  const issued = addDays(originDay, 1);
  // Written out, because a release has millions of them.
  return days.map(({ day, p10, p50, p90, method }) => ({
    metric,
    issued,
    day,
    p10,
    p50,
    p90,
    method,
    replayed: replayed === true,
  }));
};

/** What was issued with the rows of the days, or the reason why there are none. */
export function issuedForecastRow(metric: ForecastMetric, stored: StoredForecast): IssuedForecastRow {
  const { originDay, asOfAt, historyDays, replayed, days = [], skill, reason = null } = stored;
  const { basis = null, origins = null, fromDay = null, toDay = null, horizons } = skill ?? {};
  const [first] = days;
  return {
    metric,
    issued: addDays(originDay, 1),
    as_of: asOfAt,
    history_days: historyDays,
    replayed: replayed === true,
    reason,
    persistence: first?.candidates.persistence ?? null,
    median: first?.candidates.median ?? null,
    regression: days.some(({ method }) => method !== 'regression')
      ? days.map(({ candidates }) => candidates.regression)
      : null,
    skill_basis: basis,
    skill_origins: origins,
    skill_from: fromDay,
    skill_to: toDay,
    error: horizons?.map(({ error }) => error) ?? null,
    ratio_to_persistence: horizons?.map(({ ratioToPersistence = Number.NaN }) => ratioToPersistence) ?? null,
    ratio_to_median: horizons?.map(({ ratioToMedian = Number.NaN }) => ratioToMedian) ?? null,
    band_coverage: horizons?.map(({ coverage }) => coverage) ?? null,
  };
}

/** `days`: the rows that decide the outcome of a closure. */
export function raisedAlertRow(row: RaisedAlert, days: readonly DailyMetrics[]): RaisedAlertRow {
  const { steps, type, metric, changeFraction, explain } = row;
  const [first] = steps;
  return {
    type,
    metric,
    raised: first.knownAt,
    as_of: first.asOfAt,
    severity: first.severity,
    change_pct: changeFraction,
    explain,
    steps_known: steps.map(({ knownAt }) => formatInstant(knownAt)),
    steps_as_of: steps.map(({ asOfAt }) => formatInstant(asOfAt)),
    steps_severity: steps.map(({ severity }) => severity),
    since: row.sinceAt ?? null,
    ended: row.overAt ?? null,
    ended_known: row.overKnownAt ?? null,
    withdrawn: row.withdrawnAt ?? null,
    withdrawal: row.withdrawal ?? null,
    outcome: closureOutcome(row, days) ?? null,
    replayed: row.replayed === true,
  };
}
