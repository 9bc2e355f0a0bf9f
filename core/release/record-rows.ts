/** Rows of the record: the stored days of a port, forecasts as issued, and alerts as they were raised. Pure. */
import { closureOutcome } from '../metrics/closure-outcome.ts';
import type { DailyMetrics } from '../metrics/figures.ts';
import type { ForecastMetric } from '../metrics/forecast.ts';
import type { RaisedAlert } from '../metrics/raised-alerts.ts';
import { addDays, formatInstant } from '../reference/time.ts';
import type { StoredForecast } from '../store/forecasts.ts';
import type { Known } from '../store/series.ts';
import type { DayRow, ForecastRow, RaisedAlertRow } from './columns.ts';

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

/** A row for each day of the forecast with the skill of its horizon, as the CSV of the endpoint has them, or one without a day. */
export function forecastRows(metric: ForecastMetric, stored: StoredForecast): ForecastRow[] {
  const { originDay, asOfAt, historyDays, replayed = false, days, skill, reason = null } = stored;
  const issued = addDays(originDay, 1);
  const { basis = null, origins = null, fromDay = null, toDay = null, horizons = [] } = skill ?? {};
  // Written out, because a release has millions of them.
  return (days ?? [undefined]).map((row, at) => ({
    metric,
    issued,
    day: row?.day ?? null,
    p10: row?.p10 ?? null,
    p50: row?.p50 ?? null,
    p90: row?.p90 ?? null,
    method: row?.method ?? null,
    regression: row?.candidates.regression ?? null,
    median: row?.candidates.median ?? null,
    persistence: row?.candidates.persistence ?? null,
    replayed,
    as_of: asOfAt,
    history_days: historyDays,
    reason,
    skill_basis: basis,
    skill_origins: origins,
    skill_from: fromDay,
    skill_to: toDay,
    error: horizons[at]?.error ?? null,
    ratio_to_persistence: horizons[at]?.ratioToPersistence ?? null,
    ratio_to_median: horizons[at]?.ratioToMedian ?? null,
    band_coverage: horizons[at]?.coverage ?? null,
  }));
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
