/** Speed of the metrics room: one port after a poll, and a full recompute of many ports, in proportion to its size. */
import { truePortCall } from '../../accuracy/ground-truth/true-figures.ts';
import { closedStays } from '../../core/calls/port-call.ts';
import { evaluateAlerts } from '../../core/metrics/alerts.ts';
import { dailySeries } from '../../core/metrics/daily.ts';
import { addDays, DAY_MS, type Day, dayOf, daysBetween } from '../../core/reference/time.ts';
import { simulatePort } from '../../core/sources/sample-simulator/simulate-port.ts';
import { median } from './statistics.ts';

const END = Date.UTC(2026, 5, 1);

export interface MetricsFigures {
  /** Milliseconds for one port's 90 days of metrics and alerts, as after a poll that touched them all. */
  readonly ninetyDaysMs: number;
  readonly ninetyDaysCalls: number;
  /** Port-days a second over 365 days a port. */
  readonly portDaysPerSecond: number;
  /** Time for four times the ports over four times that for one: 1 is linear. */
  readonly linearity: number;
  /** Seconds that 1,000 ports of 365 days take at that rate. */
  readonly thousandPortYearsSeconds: number;
}

function callsOf(days: number) {
  const truth = simulatePort('SGSIN', END - days * DAY_MS, END, 11);
  return truth.filter(({ ataAt }) => ataAt < END).map(truePortCall);
}

function recompute(calls: ReturnType<typeof callsOf>, days: readonly Day[]): number {
  const coverage = [{ fromAt: END - 400 * DAY_MS, toAt: END }];
  const startedAt = performance.now();
  const series = dailySeries({ days, calls, coverage, asOfAt: END });
  evaluateAlerts(series, { asOfAt: END });
  for (const call of calls) closedStays(call);
  return performance.now() - startedAt;
}

/** Runs a few seconds; medians over `rounds`. */
export function benchMetrics(rounds = 7): MetricsFigures {
  const lastDay = dayOf(END - 1);
  const daysBack = (count: number): Day[] => daysBetween(addDays(lastDay, 1 - count), lastDay);
  const quarter = callsOf(90);
  const year = callsOf(365);
  const many = (ports: number): number =>
    Array.from({ length: ports }, () => recompute(year, daysBack(365))).reduce((sum, ms) => sum + ms, 0);
  many(1);
  const pairs = Array.from({ length: rounds }, () => [many(1), many(4)] as const);
  const onePortMs = median(pairs.map(([one]) => one));
  return {
    ninetyDaysMs: median(Array.from({ length: rounds }, () => recompute(quarter, daysBack(90)))),
    ninetyDaysCalls: quarter.length,
    portDaysPerSecond: Math.round((365 / onePortMs) * 1000),
    linearity: median(pairs.map(([one, four]) => four / (4 * one))),
    thousandPortYearsSeconds: onePortMs,
  };
}
