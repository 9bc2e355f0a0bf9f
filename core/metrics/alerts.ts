/** Alerts of one port: a function of its day figures only, so the same days always give the same alerts. */
import { type AlertMetric, SEVERITIES, type Severity, severityRank } from '../reference/figure-names.ts';
import { median, quantile, round } from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import {
  ALERT_RULES,
  ALERT_WORDS,
  type AlertRule,
  changeFraction,
  DAYS_TO_REACH,
  dayNumber,
  FIGURE_DAYS,
  MEDIAN_DAYS,
  type ThresholdLines,
  type UnusualRule,
  type WatchedDay,
  watchedDays,
} from './alert-rules.ts';
import { type ChangePoint, changePoints, GATE } from './change-point.ts';
import { closureAlerts, closureAt } from './closures.ts';
import type { Alert, DayFigures } from './figures.ts';

/** The normal of a day is made from the days of a year before it, and needs this many of them. */
const NORMAL_DAYS = 365;
const MIN_NORMAL_DAYS = 60;
/** A day raises an alert when none of this many days before it was as unusual. */
const EPISODE_GAP_DAYS = 7;

/** Days before `fromDay` in which episodes and cool-downs that reach into it may have begun. */
const LEVEL_MEMORY_DAYS = 180;
/**
 * A rise is reported nine days after its first day at the earliest. A threshold or an unusual figure in these days
 * has reported it already. `docs/accuracy.md` counts how often.
 */
export const EARLIER_ALERT_DAYS = 9;
/** Days that `series` needs before `fromDay`. */
export const ALERT_MEMORY_DAYS = NORMAL_DAYS + EPISODE_GAP_DAYS + EARLIER_ALERT_DAYS;

interface AlertSpan {
  /** Newest observation. A day that ends after it is still running, and only its unusual figures raise alerts. */
  readonly asOfAt: Instant;
  /** Return only alerts of this day and later: those with `asOfAt > startOfDay(fromDay)`. All when absent. */
  readonly fromDay?: Day;
}

/**
 * All alerts of the days, newest first, then by metric and type. `series` is oldest first and may have gaps. The result
 * replaces every stored alert after the start of `fromDay`: one that reaches a higher line moves to a later day.
 */
export function evaluateAlerts(series: readonly DayFigures[], { asOfAt, fromDay }: AlertSpan): Alert[] {
  const afterAt = fromDay === undefined ? Number.NEGATIVE_INFINITY : startOfDay(fromDay);
  const completed = series.filter(({ day }) => endOfDay(day) <= asOfAt);
  // When only the running day is asked for, completed days add nothing.
  const last = completed.at(-1);
  const firstDay = fromDay === undefined ? '' : addDays(fromDay, -LEVEL_MEMORY_DAYS);
  const isAsked = (alert: Alert): boolean => alert.asOfAt > afterAt;
  const lineAlerts =
    last !== undefined && endOfDay(last.day) > afterAt
      ? levelAlerts(
          completed.filter(({ day }) => day >= firstDay),
          isAsked,
          (day) => unusualAlerts(completed, asOfAt, day),
        )
      : [];
  return [...lineAlerts, ...unusualAlerts(series, asOfAt, fromDay), ...closureAlerts(series, asOfAt, fromDay)]
    .filter(isAsked)
    .sort(byNewest);
}

/** Alerts that wait for the end of the day. `unusualSince` gives the unusual figures of a day and later. */
function levelAlerts(
  completed: readonly DayFigures[],
  isAsked: (alert: Alert) => boolean,
  unusualSince: (day: Day) => readonly Alert[],
): Alert[] {
  const watched = Object.values<AlertRule>(ALERT_RULES).map((rule) => ({
    rule,
    days: watchedDays(completed, rule),
  }));
  const episodes = watched.flatMap(({ rule, days }) => thresholdEpisodes(days, rule));
  const changes = watched.flatMap(({ rule, days }) => changeAlerts(days, rule)).filter(isAsked);
  const firstAt = Math.min(...changes.map(({ asOfAt }) => asOfAt)) - EARLIER_ALERT_DAYS * DAY_MS;
  const earlier = changes.length === 0 ? [] : [...episodes.flat(), ...unusualSince(dayOf(firstAt - 1))];
  return [...episodes.map(servedOf), ...changes.map((change) => withoutRepetition(change, earlier))];
}

/** Lowers a rise to `low` if a threshold or an unusual figure of any metric has reported it. A fall is never lowered: no other alert reports one. */
function withoutRepetition(change: Alert, earlier: readonly Alert[]): Alert {
  const isReported = earlier.some(
    ({ asOfAt }) => asOfAt <= change.asOfAt && asOfAt >= change.asOfAt - EARLIER_ALERT_DAYS * DAY_MS,
  );
  return change.changeFraction > 0 && isReported ? { ...change, severity: 'low' } : change;
}

/** Newest first, then metric, then type, both in the order of their names. */
const byNewest = (a: Alert, b: Alert): number =>
  b.asOfAt - a.asOfAt || compareText(a.metric, b.metric) || compareText(a.type, b.type);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

// Alerts by calendar quarter. Those of a quarter follow from the day figures of the `ALERT_MEMORY_DAYS` days before it
// and of its own days alone, and not from when, or how often, they were evaluated.

const QUARTER_MONTHS = 3;
export const MAX_PERIOD_DAYS = 92;

export function periodStart(day: Day): Day {
  const month = Number(day.slice(5, 7));
  const first = month - ((month - 1) % QUARTER_MONTHS);
  return `${day.slice(0, 4)}-${String(first).padStart(2, '0')}-01`;
}

/** First day of the metrics that the alerts of the quarter of `day` are made from. */
export const memoryStart = (day: Day): Day => addDays(periodStart(day), -ALERT_MEMORY_DAYS);

/** Days from an alert of a closure to the one on which its beginning is known. */
const BEGINNING_DAYS = 1;

/** The first day whose alerts can change on `today`: that of a closure whose beginning was not known yet, where it is recent. */
export function unsettledSince(alerts: readonly Alert[], today: Day): Day {
  const recent = addDays(today, -BEGINNING_DAYS);
  const days = alerts.flatMap(({ metric, beganAt, asOfAt }) =>
    metric === 'berthings' && beganAt === undefined && dayOf(asOfAt - 1) >= recent ? [dayOf(asOfAt - 1)] : [],
  );
  return days.sort()[0] ?? today;
}

/**
 * All alerts of the quarter of `fromDay` and of later ones, newest first. `series` is oldest first, begins at
 * `memoryStart` of `fromDay` or with the first day of the port, and may end with the running day.
 */
export function alertsSince(series: readonly DayFigures[], asOfAt: Instant, fromDay: Day): Alert[] {
  const today = series.at(-1)?.day ?? fromDay;
  const starts = [...new Set(daysBetween(periodStart(fromDay), today).map(periodStart))].reverse();
  const alerts = starts.flatMap((start, i) => {
    const next = starts[i - 1] ?? addDays(today, 1);
    const rows = series.filter(({ day }) => day >= memoryStart(start) && day < next);
    return evaluateAlerts(rows, { asOfAt: Math.min(asOfAt, startOfDay(next)), fromDay: start });
  });
  // The beginning of a closure at the turn of the quarter is known from hours of the next one.
  return alerts.map((alert) => withBeginning(alert, series, asOfAt));
}

function withBeginning(alert: Alert, series: readonly DayFigures[], asOfAt: Instant): Alert {
  if (alert.metric !== 'berthings' || alert.beganAt !== undefined) return alert;
  const { beganAt, isBeginKnown = false } = closureAt(series, alert.asOfAt, asOfAt) ?? {};
  return isBeginKnown ? { ...alert, beganAt } : alert;
}

// Threshold alerts: a figure at or above a line on two consecutive days.

/** An episode ends when no line has been reached for this long, with or without data. */
const EPISODE_MEMORY_DAYS = 28;

/** One alert for each line that it reached, oldest first: the last one is served. */
type Episode = [Alert, ...Alert[]];

const servedOf = (episode: Episode): Alert => episode.at(-1) ?? episode[0];

/**
 * Episodes of one metric over completed days, oldest first, each until the figure falls to the clearing level. Where it
 * reaches a higher line, the one alert moves up to the first day on which the highest line was reached.
 */
function thresholdEpisodes(days: readonly WatchedDay[], rule: AlertRule): Episode[] {
  const { threshold } = rule;
  if (!threshold) return [];
  const episodes: Episode[] = [];
  let open: Episode | undefined;
  /** Day number on which a line was last reached. */
  let reachedOn = 0;
  for (const [i, { figure, dayNumber }] of days.entries()) {
    if (figure === undefined) continue;
    if (open && isCleared(figure, dayNumber, reachedOn, threshold)) open = undefined;
    const reached = reachedSeverity(days, i, threshold);
    if (reached === undefined) continue;
    reachedOn = dayNumber;
    if (open && severityRank(reached) <= severityRank(servedOf(open).severity)) continue;
    const alert = alertOn(days, i, reached, rule, threshold);
    if (open) {
      open.push(alert);
      continue;
    }
    open = [alert];
    episodes.push(open);
  }
  return episodes;
}

/** The highest line that the figure reaches on day `i`; undefined when it reaches none. */
function reachedSeverity(
  days: readonly WatchedDay[],
  i: number,
  { lines }: ThresholdLines,
): Severity | undefined {
  const last = days[i]?.dayNumber ?? 0;
  const run = days.slice(Math.max(0, i + 1 - DAYS_TO_REACH), i + 1);
  const figures = run.flatMap(({ figure, dayNumber }) =>
    figure !== undefined && last - dayNumber < DAYS_TO_REACH ? [figure] : [],
  );
  if (figures.length < DAYS_TO_REACH) return undefined;
  const least = Math.min(...figures);
  return SEVERITIES.findLast((severity) => least >= lines[severity]);
}

/** The end of the first day after `day` on which an episode of that day is over; undefined while none is. */
export function levelClearedAt(
  completed: readonly DayFigures[],
  metric: AlertMetric,
  day: Day,
): Instant | undefined {
  const rule: AlertRule | undefined = metric === 'berthings' ? undefined : ALERT_RULES[metric];
  if (rule?.threshold === undefined) return undefined;
  const days = watchedDays(
    completed.filter((row) => row.day >= addDays(day, -FIGURE_DAYS)),
    rule,
  );
  let reachedOn = days.find((row) => row.day === day)?.dayNumber ?? startOfDay(day) / DAY_MS;
  for (const [i, { figure, dayNumber, day: of }] of days.entries()) {
    if (of <= day || figure === undefined) continue;
    if (isCleared(figure, dayNumber, reachedOn, rule.threshold)) return endOfDay(of);
    if (reachedSeverity(days, i, rule.threshold) !== undefined) reachedOn = dayNumber;
  }
  return undefined;
}

const isCleared = (figure: number, dayNumber: number, reachedOn: number, { clearAt }: ThresholdLines) =>
  figure <= clearAt || dayNumber - reachedOn > EPISODE_MEMORY_DAYS;

function alertOn(
  days: readonly WatchedDay[],
  i: number,
  severity: Severity,
  rule: AlertRule,
  { lines }: ThresholdLines,
): Alert {
  const { day = '', dayNumber = 0, figure = 0 } = days[i] ?? {};
  const before = days
    .slice(Math.max(0, i - MEDIAN_DAYS), i)
    .flatMap((row) =>
      row.figure !== undefined && dayNumber - row.dayNumber <= MEDIAN_DAYS ? [row.figure] : [],
    );
  const { metric, decimals, floor } = rule;
  const normal = round(median(before) ?? figure, decimals);
  return {
    type: 'threshold',
    metric,
    severity,
    changeFraction: changeFraction(normal, figure, floor),
    asOfAt: endOfDay(day),
    explain: ALERT_WORDS.threshold.explain({ metric, figure, line: lines[severity], normal }),
  };
}

// Unusual figures: a queue or a wait that the last year of the port has hardly seen. The running day is judged too, because
// a maximum only grows.

const [LOW, MIDDLE, HIGH] = [0.05, 0.5, 0.95];
/** A line lies at the 99th percentile or beyond. */
const RARE = 0.01;
/** A rise is medium from one and a half times the distance between median and line on, high from twice. */
const [MEDIUM_DISTANCE, HIGH_DISTANCE] = [1.5, 2];
/** Least divisor of a relative change, in the unit of the metric. */
const FLOOR = 1;

/** Values of the days before, ascending. */
type Normal = Float64Array;

const UNUSUAL_RULES = Object.values(ALERT_RULES).flatMap(({ metric, unusual }: AlertRule) =>
  unusual === undefined ? [] : [{ metric, ...unusual }],
);

/** Severity of a rise beyond the 99th percentile and the distances of the rule; undefined for a smaller one. */
function unusualSeverity(
  value: number,
  normal: Normal,
  { leastRise, distance }: UnusualRule,
): Severity | undefined {
  const middle = quantile(normal, MIDDLE);
  const spread = Math.max(leastRise, distance * (quantile(normal, HIGH) - middle));
  const line = Math.max(quantile(normal, 1 - RARE), middle + spread);
  if (value <= line) return undefined;
  const distances = (value - middle) / (line - middle);
  return distances >= HIGH_DISTANCE ? 'high' : distances >= MEDIUM_DISTANCE ? 'medium' : 'low';
}

type FigureDay = Omit<WatchedDay, 'daily'>;

const figureDays = (rows: readonly DayFigures[], { figure }: UnusualRule): FigureDay[] =>
  rows.map((row) => ({ day: row.day, dayNumber: dayNumber(row.day), figure: figure(row) }));

/** Figures of the 365 days before day `i`; undefined with fewer than 60. */
function normalBefore(days: readonly FigureDay[], i: number): Normal | undefined {
  const firstNumber = (days[i]?.dayNumber ?? 0) - NORMAL_DAYS;
  const first = days.findIndex((day) => day.dayNumber >= firstNumber);
  const values = days.slice(first, i).flatMap(({ figure }) => figure ?? []);
  return values.length < MIN_NORMAL_DAYS ? undefined : Float64Array.from(values).sort();
}

/** First of the days that end with day `i`, one after another, whose figure lies above the usual range, as stated. */
function unusualSince(days: readonly FigureDay[], i: number, high: number): Day {
  let first = days[i];
  for (const before of days.slice(0, i).reverse()) {
    if (first === undefined || before.dayNumber !== first.dayNumber - 1) break;
    if (before.figure === undefined || before.figure <= high) break;
    first = before;
  }
  return first?.day ?? '';
}

/**
 * Alerts of `fromDay` and later, of all days when it is absent. Each depends only on the 372 days that end with it.
 * `series` is oldest first and may end with the running day.
 */
function unusualAlerts(series: readonly DayFigures[], asOfAt: Instant, fromDay: Day | undefined): Alert[] {
  const firstNumber = fromDay === undefined ? 0 : dayNumber(fromDay);
  return UNUSUAL_RULES.flatMap((rule) => {
    const alerts: Alert[] = [];
    /** The last day of each severity or a higher one. */
    const lastOf: Record<Severity, number> = { low: -Infinity, medium: -Infinity, high: -Infinity };
    const days = figureDays(series, rule);
    for (const [i, { day, dayNumber: number, figure }] of days.entries()) {
      if (number < firstNumber - EPISODE_GAP_DAYS) continue;
      const normal = normalBefore(days, i);
      const severity = normal && figure !== undefined ? unusualSeverity(figure, normal, rule) : undefined;
      if (normal === undefined || figure === undefined || severity === undefined) continue;
      const isNew = number - lastOf[severity] > EPISODE_GAP_DAYS;
      for (const reached of SEVERITIES.slice(0, severityRank(severity) + 1)) lastOf[reached] = number;
      if (!isNew || number < firstNumber) continue;
      const { metric, decimals } = rule;
      const stated = round(figure, decimals);
      const low = round(quantile(normal, LOW), decimals);
      const high = round(quantile(normal, HIGH), decimals);
      alerts.push({
        type: 'unusual',
        metric,
        severity,
        changeFraction: changeFraction(quantile(normal, MIDDLE), stated, FLOOR),
        asOfAt: Math.min(endOfDay(day), asOfAt),
        explain: ALERT_WORDS.unusual.explain({
          metric,
          figure: stated,
          low,
          high,
          days: normal.length,
          since: unusualSince(days, i, high),
        }),
      });
    }
    return alerts;
  });
}

/** The end of the first day after `day` whose figure is within its line again; undefined while none is. */
export function usualAgainAt(
  completed: readonly DayFigures[],
  metric: AlertMetric,
  day: Day,
): Instant | undefined {
  const rule = UNUSUAL_RULES.find((candidate) => candidate.metric === metric);
  if (rule === undefined) return undefined;
  const days = figureDays(completed, rule);
  const usual = days.find((later, i) => {
    const normal = later.day > day ? normalBefore(days, i) : undefined;
    return normal && later.figure !== undefined && unusualSeverity(later.figure, normal, rule) === undefined;
  });
  return usual && endOfDay(usual.day);
}

// Change-point alerts: a new level, found in the daily values and stated in the served figures.

/** Days that the detector looks back on, and how many values it needs among them. */
const HISTORY_DAYS = 90;
const MIN_HISTORY_DAYS = 30;
const MIN_HISTORY_COVERAGE = 0.8;
/**
 * Gate for the shortest history; it falls linearly to `GATE` for a full one. Few days hide the correlation of
 * neighbours: with one gate for all, a third of a year's false alarms came in its first two months.
 */
const SHORT_HISTORY_GATE = 6;
/** A series with more changes than this in 90 days is not a series of levels. */
const MAX_CHANGES = 4;
/** A shorter level is a spike, however short the history. */
const MIN_LEVEL_DAYS = 5;
const ONLINE = { minSegment: MIN_LEVEL_DAYS, maxSplits: MAX_CHANGES };
/** Changes dated at most so far apart are the same change. */
const SAME_CHANGE_DAYS = 7;
/** Days after an alert in which the metric raises no other. */
const COOL_DOWN_DAYS = 14;

/** The last reported change: when it was reported and when it happened, in day numbers. */
interface Report {
  readonly reportedOn: number;
  readonly changedOn: number;
}

/** Change-point alerts of one metric, oldest first. `days` must not contain the running day. */
export function changeAlerts(days: readonly WatchedDay[], rule: AlertRule): Alert[] {
  const known = days.filter(({ daily }) => daily !== undefined);
  const values = known.map(({ daily = 0 }) => (rule.logarithmic ? Math.log1p(daily) : daily));
  const alerts: Alert[] = [];
  let last: Report | undefined;
  let first = 0;
  for (const [i, { dayNumber }] of known.entries()) {
    while ((known[first]?.dayNumber ?? dayNumber) <= dayNumber - HISTORY_DAYS) first += 1;
    if (last && dayNumber - last.reportedOn < COOL_DOWN_DAYS) continue;
    const history = known.slice(first, i + 1);
    if (!isEnough(history)) continue;
    const clearest = changePoints(values.slice(first, i + 1), ONLINE)
      .filter(({ gate, index }) => gate >= minGate(history.length) && !isSame(last, history[index]))
      .sort((a, b) => b.gate - a.gate);
    for (const point of clearest) {
      const alert = changeAlert(days, history, point, rule);
      if (alert === undefined) continue;
      alerts.push(alert);
      last = { reportedOn: dayNumber, changedOn: history[point.index]?.dayNumber ?? dayNumber };
      break;
    }
  }
  return alerts;
}

function isEnough(history: readonly WatchedDay[]): boolean {
  const span = (history.at(-1)?.dayNumber ?? 0) - (history[0]?.dayNumber ?? 0) + 1;
  return history.length >= MIN_HISTORY_DAYS && history.length >= MIN_HISTORY_COVERAGE * span;
}

const minGate = (historyDays: number): number =>
  GATE + ((SHORT_HISTORY_GATE - GATE) * (HISTORY_DAYS - historyDays)) / (HISTORY_DAYS - MIN_HISTORY_DAYS);

const isSame = (last: Report | undefined, day: WatchedDay | undefined): boolean =>
  last !== undefined && day !== undefined && Math.abs(day.dayNumber - last.changedOn) <= SAME_CHANGE_DAYS;

/** A row lies wholly after the change once the seven days that it looks back on do; the median needs three of them. */
const MIN_ROWS_AFTER = 3;
/** A change older than this is not reported. */
const MAX_DAYS_AFTER = 14;
/** The rows before and after lie within this many days, so a trend of 30 days always shows them. */
const STATED_DAYS = 28;
/** Fewer rows than this are not a level. */
const MIN_ROWS_BEFORE = 5;
/** Least relative size of a change. */
const MIN_CHANGE_FRACTION = 0.2;

/** Severity of a rise by relative size (a fall by half counts as a doubling) and gate, highest first. */
const GRADES: readonly { severity: Severity; rise: number; fall: number; gate: number }[] = [
  { severity: 'high', rise: 1, fall: 0.5, gate: 6 },
  { severity: 'medium', rise: 0.5, fall: 0.5, gate: 5 },
  { severity: 'low', rise: MIN_CHANGE_FRACTION, fall: MIN_CHANGE_FRACTION, gate: 0 },
];

/**
 * The alert of one change point as of the last day of `history`. Undefined when it is too recent, too old or too small,
 * or when the served figures do not move the same way.
 */
export function changeAlert(
  days: readonly WatchedDay[],
  history: readonly WatchedDay[],
  point: ChangePoint,
  rule: AlertRule,
): Alert | undefined {
  const changed = history[point.index];
  const newest = history.at(-1);
  const levelBegan = history[point.from];
  if (!changed || !newest || !levelBegan) return undefined;
  if (newest.dayNumber - changed.dayNumber >= MAX_DAYS_AFTER) return undefined;
  const levelFrom = point.from === 0 ? levelBegan.dayNumber : settledFrom(levelBegan, changed);
  const statedFrom = Math.max(levelFrom, newest.dayNumber - STATED_DAYS + 1);
  const rowsBefore = toFigures(days, statedFrom, changed.dayNumber);
  const rowsAfter = toFigures(days, changed.dayNumber + FIGURE_DAYS - 1, newest.dayNumber + 1);
  if (rowsBefore.length < MIN_ROWS_BEFORE || rowsAfter.length < MIN_ROWS_AFTER) return undefined;
  const before = round(median(rowsBefore) ?? Number.NaN, rule.decimals);
  const after = round(median(rowsAfter) ?? Number.NaN, rule.decimals);
  const fraction = changeFraction(before, after, rule.floor);
  if (Math.sign(after - before) !== Math.sign(point.step)) return undefined;
  if (Math.abs(fraction) < MIN_CHANGE_FRACTION) return undefined;
  if (round(Math.abs(after - before), rule.decimals) < rule.minChange) return undefined;
  return {
    type: 'change_point',
    metric: rule.metric,
    severity: changeSeverity(fraction, point.gate),
    changeFraction: fraction,
    asOfAt: endOfDay(newest.day),
    explain: ALERT_WORDS.change_point.explain({
      metric: rule.metric,
      before,
      after,
      change: percent(before, after, fraction),
      day: changed.day,
      rowsBefore: rowsBefore.length,
      rowsAfter: rowsAfter.length,
    }),
  };
}

const toPercent = (fraction: number): number => round(Math.abs(fraction) * 100, 0);

/** The percentage of the text; `or more` where the floor or the maximum limits `fraction`. */
export function percent(before: number, after: number, fraction: number): string {
  const isLeast = toPercent((after - before) / before) > toPercent(fraction);
  return `${fraction < 0 ? '-' : '+'}${toPercent(fraction)}%${isLeast ? ' or more' : ''}`;
}

/**
 * First day whose week lies within the level before the change; at the latest one week before it, as far as the level
 * lasts.
 */
const settledFrom = (levelBegan: WatchedDay, changed: WatchedDay): number =>
  Math.max(
    levelBegan.dayNumber,
    Math.min(levelBegan.dayNumber + FIGURE_DAYS - 1, changed.dayNumber - FIGURE_DAYS),
  );

/** Figures of the days in `[from, to)`, in day numbers. */
function toFigures(days: readonly WatchedDay[], from: number, to: number): number[] {
  const figures: number[] = [];
  for (let i = days.length - 1; i >= 0; i -= 1) {
    const { dayNumber = from - 1, figure } = days[i] ?? {};
    if (dayNumber < from) break;
    if (dayNumber < to && figure !== undefined) figures.push(figure);
  }
  return figures;
}

/** A fall is good news, so it is one step less severe than a rise of the same size. */
function changeSeverity(fraction: number, gate: number): Severity {
  const isFall = fraction < 0;
  const grade = GRADES.find(({ rise, fall, gate: least }) => {
    const isLarge = isFall ? -fraction >= fall : fraction >= rise;
    return isLarge && gate >= least;
  });
  const severity = grade?.severity ?? 'low';
  return isFall ? (SEVERITIES[severityRank(severity) - 1] ?? 'low') : severity;
}
