/** What the tables hold of one port, read when a process first works on it. */
import { LEDGER_REACH_MS, type Ledger, NO_CLOCKS, openLedger, type PortClocks } from '../calls/ledger.ts';
import type { PortCall } from '../calls/port-call.ts';
import { ALERT_MEMORY_DAYS } from '../metrics/alerts.ts';
import type { Alert, DailyMetrics } from '../metrics/figures.ts';
import { addDays, DAY_MS, type Day, dayOf, type Instant, startOfDay } from '../reference/time.ts';
import type { AlertStore } from '../store/alerts.ts';
import type { DailyMetricsStore } from '../store/daily-metrics.ts';
import type { PortCallStore } from '../store/port-calls.ts';
import type { PortRow, PortStore } from '../store/ports.ts';
import type { StayDayStore } from '../store/stay-days.ts';

export interface PortStores {
  readonly ports: PortStore<PortClocks>;
  readonly portCalls: PortCallStore;
  readonly stayDays: StayDayStore;
  readonly dailyMetrics: DailyMetricsStore;
  readonly alerts: AlertStore;
}

/** Alerts of this many days are told anew when a day is over; older ones stand as they are. */
export const ALERT_DAYS = 60;
/** Days of metrics that the detectors need to see for that. */
export const SERIES_DAYS = ALERT_DAYS + ALERT_MEMORY_DAYS;

export interface HeldPort {
  readonly ledger: Ledger;
  /** Metrics by day, of the last `SERIES_DAYS` days. */
  readonly series: Map<Day, DailyMetrics>;
  readonly alerts: readonly Alert[];
  /** Calls that an interrupted pass may have written without what follows from them. */
  readonly unfinished: readonly PortCall[];
}

/** Calls are written before the clocks; those that are not behind them may be of a pass that did not get to its end. */
export const unfinishedAmong = (calls: readonly PortCall[], { lastObservedAt }: PortClocks): PortCall[] =>
  calls.filter(({ changedAt }) => changedAt >= (lastObservedAt ?? Number.NEGATIVE_INFINITY));

/** Reads the port as of its clocks or `asOfAt`, whichever is earlier, up to the later of the two. */
export async function readPort(
  stores: PortStores,
  row: PortRow<PortClocks>,
  asOfAt: Instant,
): Promise<HeldPort> {
  const { port, clocks = NO_CLOCKS } = row;
  const { lastObservedAt = asOfAt } = clocks;
  // After a long outage the ledger is as of its last report, and reaches back from there.
  const sinceAt = Math.min(asOfAt, lastObservedAt) - LEDGER_REACH_MS;
  const newestAt = Math.max(asOfAt, lastObservedAt);
  const today = dayOf(newestAt);
  const [recent, long, series, alerts] = await Promise.all([
    stores.portCalls.since(port, sinceAt),
    stores.portCalls.byKey(port, clocks.longStays),
    stores.dailyMetrics.between(port, addDays(today, -SERIES_DAYS), today),
    stores.alerts.between(port, startOfDay(addDays(today, -ALERT_DAYS)) + 1, newestAt + DAY_MS),
  ]);
  const calls = [...long, ...recent];
  return {
    ledger: openLedger(clocks, calls),
    series: new Map(series.map((metrics) => [metrics.day, metrics])),
    alerts,
    unfinished: unfinishedAmong(calls, clocks),
  };
}
