/** Closures and queues of simulated ports: when they are alerted, what the score does, and alerts where nothing happens. */
import type { PortCall } from '../../core/calls/port-call.ts';
import { evaluateAlerts } from '../../core/metrics/alerts.ts';
import { dailySeries, dayFiguresOf } from '../../core/metrics/day-figures.ts';
import type { Alert, DayFigures } from '../../core/metrics/figures.ts';
import { CallIndex } from '../../core/metrics/waits.ts';
import type { Locode } from '../../core/reference/codes.ts';
import type { AlertMetric } from '../../core/reference/figure-names.ts';
import { quantile } from '../../core/reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  HOUR_MS,
  type Instant,
  type Interval,
  startOfDay,
} from '../../core/reference/time.ts';
import { atAnchorCount, truePortCall } from '../../test/worlds/ground-truth.ts';
import { portProfile } from '../../test/worlds/port-profile.ts';
import type { Scenario } from '../../test/worlds/scenario.ts';
import { simulatePort } from '../../test/worlds/simulate-port.ts';
import type { SimulatedCall } from '../../test/worlds/simulated-call.ts';
import { type Section, svgPlot } from './report.ts';

export interface StudiedPort {
  readonly port: Locode;
  readonly profile?: Scenario['profile'];
}

/** From five to 34 cargo calls a day, with and without a steady queue. */
export const STUDIED_PORTS: readonly StudiedPort[] = [
  { port: 'USLAX' },
  { port: 'SGSIN' },
  { port: 'NLRTM' },
  { port: 'HKHKG' },
  { port: 'FIHEL' },
  { port: 'SGSIN', profile: { cargoPerDay: 34, berths: 33 } },
  { port: 'NLRTM', profile: { cargoPerDay: 8, berths: 12 } },
];

const FIRST_DAY: Day = '2024-01-01';
const BEGAN_AT = startOfDay(FIRST_DAY);
/** Days before an alert on a port's own normal is possible. */
const LEAD_DAYS = 60;
/** A disruption begins after this many days, and is followed for as many after its end. */
const BEFORE_DAYS = 120;
const AFTER_DAYS = 40;
const QUARTER_DAYS = 365 / 4;
/** Part of the berths that work while a queue builds up, and for how many days. */
export const QUEUE_BERTHS = [0.2, 0.35];
const QUEUE_DAYS = 5;
/** Goals: hours until the alert and until the rise of the score, days until the score returns, and how near it must be. */
export const BAR = { hours: 24, rise: 0.15, returnDays: 7, near: 0.05 };

const coverageTo = (toAt: Instant): Interval[] => [{ fromAt: BEGAN_AT, toAt }];

interface QuietAlerts {
  readonly portQuarters: number;
  readonly alerts: readonly Alert[];
}

/** Alerts on a port's own normal where nothing changes. */
export function quietAlerts({ port, profile }: StudiedPort, seed: number, days: number): QuietAlerts {
  const toAt = BEGAN_AT + days * DAY_MS;
  const truth = simulatePort(port, BEGAN_AT, toAt, seed, profile === undefined ? {} : { profile });
  const calls = truth.map(truePortCall);
  const of = daysBetween(FIRST_DAY, dayOf(toAt - 1));
  const rows = dailySeries({ days: of, calls, coverage: coverageTo(toAt), asOfAt: toAt });
  const alerts = evaluateAlerts(rows, { asOfAt: toAt }).filter(({ type }) => type === 'unusual');
  return { portQuarters: (days - LEAD_DAYS) / QUARTER_DAYS, alerts };
}

interface Disruption {
  readonly truth: readonly SimulatedCall[];
  readonly calls: readonly PortCall[];
  /** The same vessels without the disruption. */
  readonly undisturbed: readonly PortCall[];
  /** When it begins, and when all berths work again. */
  readonly span: Interval;
}

function disrupted(
  { port, profile }: StudiedPort,
  seed: number,
  berthShare: number,
  days: number,
): Disruption {
  const { berths } = { ...portProfile(port), ...profile };
  // Each begins at another hour of the day.
  const fromDay = BEFORE_DAYS + ((seed * 0.37) % 1);
  const scenario: Scenario = {
    ...(profile && { profile }),
    capacity: [
      { fromDay, berths: Math.round(berths * berthShare) },
      { fromDay: fromDay + days, berths },
    ],
  };
  const toAt = BEGAN_AT + (BEFORE_DAYS + AFTER_DAYS) * DAY_MS;
  const truth = simulatePort(port, BEGAN_AT, toAt, seed, scenario);
  const fromAt = BEGAN_AT + fromDay * DAY_MS;
  return {
    truth,
    calls: truth.map(truePortCall),
    undisturbed: simulatePort(port, BEGAN_AT, toAt, seed, { ...(profile && { profile }) }).map(truePortCall),
    span: { fromAt, toAt: fromAt + days * DAY_MS },
  };
}

/** The served figures at `at`: the rows of all days so far, the last one still running. */
function servedAt(calls: readonly PortCall[], before: readonly DayFigures[], at: Instant): DayFigures[] {
  const firstDay = before.at(-1) === undefined ? FIRST_DAY : addDays(before.at(-1)?.day ?? '', 1);
  const recent = calls.filter(({ atdAt = at }) => atdAt >= at - LEAD_DAYS * DAY_MS);
  const days = daysBetween(firstDay, dayOf(at));
  return [...before, ...dayFiguresOf(days, new CallIndex(recent, at), coverageTo(at), before)];
}

interface DisruptionResult {
  /** Hours from the beginning to the first alert; undefined when there is none in time. */
  readonly hoursToAlert: number | undefined;
  /** Metrics alerted in time. */
  readonly metrics: readonly Alert['metric'][];
}

interface ClosureResult extends DisruptionResult {
  /**
   * Greatest rise of the score in a day from the first hour whose flow term is that of a closed port; undefined when
   * there is no such hour.
   */
  readonly rise: number | undefined;
  /**
   * Whether the score is near its value before, or its value without the closure, a week after the queue is within its 95 %
   * range.
   */
  readonly returned: boolean;
}

/** Flow term of ten vessels that wait and a fifth of the usual berthings. */
const CLOSED_FLOW = (0.6 * 10) / 12;

const scoreIn = (row: DayFigures | undefined): number => row?.congestionScore ?? Number.NaN;

/** Completed days before the one on which `at` lies. */
function rowsBefore({ calls }: Pick<Disruption, 'calls'>, at: Instant): DayFigures[] {
  const days = daysBetween(FIRST_DAY, addDays(dayOf(at), -1));
  return dailySeries({ days, calls, coverage: coverageTo(at), asOfAt: at });
}

/** Alerts on a port's own normal from the day of `beginsAt` on, hour by hour. */
function follow({ calls }: Disruption, before: readonly DayFigures[], beginsAt: Instant): DisruptionResult {
  for (let hours = 1; hours <= BAR.hours; hours += 1) {
    const at = beginsAt + hours * HOUR_MS;
    const rows = servedAt(calls, before, at);
    const raised = evaluateAlerts(rows, { asOfAt: at, fromDay: dayOf(beginsAt) }).filter(
      ({ type, asOfAt }) => type === 'unusual' && asOfAt > beginsAt,
    );
    if (raised.length > 0) return { hoursToAlert: hours, metrics: raised.map(({ metric }) => metric) };
  }
  return { hoursToAlert: undefined, metrics: [] };
}

function greatestRise(
  { calls }: Disruption,
  before: readonly DayFigures[],
  beginsAt: Instant,
): number | undefined {
  const scoreBefore = scoreIn(servedAt(calls, before, beginsAt).at(-1));
  let closedAt: Instant | undefined;
  let rise = 0;
  for (let at = beginsAt; at <= (closedAt ?? beginsAt + DAY_MS) + BAR.hours * HOUR_MS; at += 2 * HOUR_MS) {
    const row = servedAt(calls, before, at).at(-1);
    if ((row?.flowTerm ?? 0) > CLOSED_FLOW) closedAt ??= at;
    if (closedAt !== undefined) rise = Math.max(rise, scoreIn(row) - scoreBefore);
  }
  return closedAt === undefined ? undefined : rise;
}

/** All berths closed for `hours`. */
export function studyClosure(port: StudiedPort, seed: number, hours: number): ClosureResult {
  const closure = disrupted(port, seed, 0, hours / 24);
  const { fromAt, toAt } = closure.span;
  const before = rowsBefore(closure, fromAt);
  const endAt = BEGAN_AT + (BEFORE_DAYS + AFTER_DAYS) * DAY_MS;
  const rows = rowsBefore(closure, endAt);
  const undisturbed = rowsBefore({ calls: closure.undisturbed }, endAt);
  const usual = Float64Array.from(before.slice(LEAD_DAYS), ({ dayAtAnchor = 0 }) => dayAtAnchor).sort();
  const clearedAt = rows.findIndex(
    ({ day, dayAtAnchor = 0 }) => startOfDay(day) > toAt && dayAtAnchor <= quantile(usual, 0.95),
  );
  const usualScores = Float64Array.from(before.slice(LEAD_DAYS), scoreIn).sort();
  const returnedOn = clearedAt + BAR.returnDays;
  // A port may be as busy a week later without the closure.
  const normal = Math.max(quantile(usualScores, 0.95), scoreIn(undisturbed[returnedOn]));
  return {
    ...follow(closure, before, fromAt),
    rise: greatestRise(closure, before, fromAt),
    returned: scoreIn(rows[returnedOn]) <= normal + BAR.near,
  };
}

/** Berths reduced to `berthShare` for five days; undefined where the queue does not double. */
export function studyQueue(
  port: StudiedPort,
  seed: number,
  berthShare: number,
): DisruptionResult | undefined {
  const queue = disrupted(port, seed, berthShare, QUEUE_DAYS);
  const { fromAt, toAt } = queue.span;
  const usual = Float64Array.from(rowsBefore(queue, fromAt), ({ mostAtAnchor = 0 }) => mostAtAnchor).sort();
  const high = quantile(usual, 0.95);
  const counts = Array.from({ length: (toAt - fromAt) / HOUR_MS }, (_, hour) => {
    const at = fromAt + hour * HOUR_MS;
    return { at, atAnchor: atAnchorCount(queue.truth, at) };
  });
  const doubled = counts.findIndex(({ atAnchor }) => atAnchor > 2 * high + 3);
  if (doubled < 0) return undefined;
  // The queue begins when it last leaves the usual range before it doubles.
  const last = counts.findLastIndex(({ atAnchor }, hour) => hour < doubled && atAnchor <= high);
  const beginsAt = counts[last + 1]?.at ?? fromAt;
  return follow(queue, rowsBefore(queue, beginsAt), beginsAt);
}

/** Served scores by day around a closure of 48 hours, and how many days lie before it. */
function courseOfClosure(port: StudiedPort, seed: number): readonly (readonly [number, number])[] {
  const closure = disrupted(port, seed, 0, 2);
  const rows = rowsBefore(closure, closure.span.fromAt + 25 * DAY_MS).slice(BEFORE_DAYS - 15);
  return rows.map((row, i) => [i - 15, scoreIn(row)] as const);
}

// The part of the accuracy page on closures and queues: alerts against a port's own normal, and the score.

const CLOSED_HOURS = [24, 48, 72];
const QUIET_DAYS = 500;
const METRICS: readonly AlertMetric[] = ['at_anchor', 'avg_wait_hours', 'berthings'];
const outOf = (count: number, all: readonly unknown[]): string => `${count} of ${all.length}`;

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
    return { name: `closed for ${hours} h:`, studied };
  });
  const queues = QUEUE_BERTHS.map((share) => ({
    name: `${100 * share}% of the berths for 5 days:`,
    studied: runs.flatMap(({ port, seed }) => studyQueue(port, seed, share) ?? []),
  }));
  const alerted = [...closures, ...queues].map(({ name, studied }) => {
    const delays = studied.flatMap(({ hoursToAlert }) => hoursToAlert ?? []).sort((a, b) => a - b);
    return `${name} ${outOf(delays.length, studied)}, ${delays[delays.length >> 1] ?? '-'} h`;
  });
  const rises = closures.flatMap(({ studied }) => studied.flatMap(({ rise }) => rise ?? []));
  const returns = closures.flatMap(({ studied }) => studied.map(({ returned }) => returned));
  return {
    id: 'disruptions',
    title: 'Closures and queues',
    body: [
      `Are closures and queues alerted in time? Seven simulated ports with 5 to 34 cargo calls a day, ${seeds} seeds each.`,
      '',
      `- **Alerted within ${BAR.hours} h**, with the median delay: ${alerted.join('; ')}. Bar: nine in ten.`,
      `- **False alerts** per port and quarter: ${METRICS.map((metric) => `\`${metric}\` ${falseOf(metric)}`).join(', ')}. Bar: one in all.`,
      `- **Score**: ${outOf(rises.filter((rise) => rise >= BAR.rise).length, rises)} closures raise it by ${BAR.rise} or more within a day (least ${Math.min(...rises).toFixed(2)}), and ${outOf(returns.filter(Boolean).length, returns)} are back ${BAR.returnDays} days after the queue.`,
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
