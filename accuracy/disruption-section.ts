/** The part of the accuracy page on closures and queues: alerts against a port's own normal, and the score. */
import type { AlertMetric } from '../core/metrics/figures.ts';
import {
  BAR,
  courseOfClosure,
  QUEUE_BERTHS,
  quietAlerts,
  STUDIED_PORTS,
  studyClosure,
  studyQueue,
} from './disruption-study.ts';
import { type Section, svgPlot, table } from './report.ts';

const CLOSED_HOURS = [24, 48, 72];
const QUIET_DAYS = 500;
const METRICS: readonly AlertMetric[] = ['at_anchor', 'avg_wait_hours', 'berthings'];
const ofAll = (count: number, all: readonly unknown[]): string => `${count} of ${all.length}`;

/** Disruptions and quiet days of every studied port, with as many seeds each. */
export function disruptionSection(seeds: number): Section {
  const runs = STUDIED_PORTS.flatMap((port) =>
    Array.from({ length: seeds }, (_, i) => ({ port, seed: i + 1 })),
  );
  const quiet = runs.map(({ port, seed }) => quietAlerts(port, seed, QUIET_DAYS));
  const quarters = quiet.reduce((sum, { portQuarters }) => sum + portQuarters, 0);
  const falseOf = (metric: AlertMetric): string =>
    (
      quiet.flatMap(({ alerts }) => alerts).filter((alert) => alert.metric === metric).length / quarters
    ).toFixed(2);
  const closures = CLOSED_HOURS.map((hours) => {
    const studied = runs.map(({ port, seed }) => studyClosure(port, seed, hours));
    return { name: `All berths closed for ${hours} h`, studied };
  });
  const queues = QUEUE_BERTHS.map((share) => ({
    name: `${100 * share} % of the berths for 5 days`,
    studied: runs.flatMap(({ port, seed }) => studyQueue(port, seed, share) ?? []),
  }));
  const alerted = [...closures, ...queues].map(({ name, studied }) => {
    const delays = studied.flatMap(({ hoursToAlert }) => hoursToAlert ?? []).sort((a, b) => a - b);
    return [name, ofAll(delays.length, studied), `${delays[delays.length >> 1] ?? '-'} h`];
  });
  const rises = closures.flatMap(({ studied }) => studied.flatMap(({ rise }) => rise ?? []));
  const returns = closures.flatMap(({ studied }) => studied.map(({ returned }) => returned));
  return {
    id: 'disruptions',
    title: 'Closures and queues',
    body: [
      `Seven simulated ports with 5 to 34 cargo calls a day, ${seeds} seeds each, by the hour. *Alerted*: an \`unusual\` alert within ${BAR.hours} h of`,
      'the closure, or of the hour from which more are at anchor than on 19 days in 20 until it is twice as many.',
      '',
      table(['Disruption', 'Alerted', 'Median delay'], alerted),
      '',
      `Alerts per port and quarter where nothing changes: ${METRICS.map((metric) => `\`${metric}\` ${falseOf(metric)}`).join(', ')}.`,
      '',
      `Score: ${ofAll(rises.filter((rise) => rise >= BAR.rise).length, rises)} closures raise it by ${BAR.rise} and more within a day, once a fifth of the usual berthings is left and ten vessels`,
      `wait; least ${Math.min(...rises).toFixed(2)}. ${ofAll(returns.filter(Boolean).length, returns)} are within ${BAR.near} of 19 days in 20 before, or of the same port without the`,
      `closure, ${BAR.returnDays} days after the queue is within 19 days in 20.`,
      '',
      'Bars: nine in ten alerted; at most one false alert a port and quarter; every rise; every return.',
    ].join('\n'),
    plot: svgPlot({
      title: 'SGSIN, simulated: served score around a closure of 48 hours',
      xLabel: 'days since the closure began',
      yLabel: 'congestion_score',
      curves: [{ name: 'served', style: 'line', points: courseOfClosure({ port: 'SGSIN' }, 1) }],
    }),
    plotText: 'Served score by day before and after all berths of a simulated port close for two days',
  };
}
