/**
 * Episodes of one type and metric, from the pass that raised it first until it was over or withdrawn. Rows are
 * append-only: they show what was alerted when, while the served alerts follow the figures.
 */
import type { AlertMetric, AlertType, Severity } from '../reference/figure-names.ts';
import { addDays, type Day, dayOf, endOfDay, type Instant, startOfDay } from '../reference/time.ts';
import { levelClearedAt, usualAgainAt } from './alerts.ts';
import { BACK_SHARE, type Closure, closureAt } from './closures.ts';
import { USUAL_MEMORY_DAYS, usualBerthings } from './day-figures.ts';
import type { Alert, DayFigures } from './figures.ts';

interface RaisedStep {
  /** The fetch from which the service knew it. */
  readonly knownAt: Instant;
  /** `asOfAt` of the alert. */
  readonly asOfAt: Instant;
  readonly severity: Severity;
}

/** The average wait of its running day fell back before the day was over, or later replies changed the figures. */
type WithdrawalReason = 'fell_back' | 'revised';

export interface RaisedAlert {
  readonly type: AlertType;
  readonly metric: AlertMetric;
  /** Oldest first; the first one raised it. */
  readonly steps: readonly [RaisedStep, ...RaisedStep[]];
  readonly changeFraction: number;
  readonly explain: string;
  /** Set for a closure: since when berthings had stopped, as known when it was raised. */
  readonly sinceAt?: Instant | undefined;
  /** Set for a closure that has lasted twelve hours: when it began. */
  readonly beganAt?: Instant | undefined;
  /** When it was over, and when that was known. Only the latter where an unknown hour hides the end of a closure. */
  readonly overAt?: Instant | undefined;
  readonly overKnownAt?: Instant | undefined;
  readonly withdrawnAt?: Instant | undefined;
  readonly withdrawal?: WithdrawalReason | undefined;
  /** Raised from an archive, more than a day after its fetch, so no alert was sent in time. */
  readonly replayed?: true | undefined;
}

/** The last UTC day that an alert used: the day of `asOfAt`, and of midnight the day that ends. */
export const alertDay = (asOfAt: Instant): Day => dayOf(asOfAt - 1);

export const firstStepDay = ({ steps: [first] }: RaisedAlert): Day => alertDay(first.asOfAt);

const lastStep = ({ steps }: RaisedAlert): RaisedStep => steps.at(-1) ?? steps[0];

const isOpen = ({ overKnownAt, withdrawnAt }: RaisedAlert): boolean =>
  overKnownAt === undefined && withdrawnAt === undefined;

/** Late replies can move the first day of an episode by this many days; beyond that it is another episode. */
const SHIFT_DAYS = 7;

/** Whether an alert is of the episode. */
function contains(row: RaisedAlert, { type, metric, asOfAt }: Alert): boolean {
  const { overAt = Number.NEGATIVE_INFINITY, withdrawnAt } = row;
  if (row.type !== type || row.metric !== metric || withdrawnAt !== undefined) return false;
  if (asOfAt <= startOfDay(addDays(firstStepDay(row), -SHIFT_DAYS))) return false;
  return isOpen(row) || asOfAt <= Math.max(overAt, lastStep(row).asOfAt);
}

/** Returns the episode of an alert: the newest that it can belong to and that had begun by its day. */
function episodeOf(rows: readonly RaisedAlert[], alert: Alert): RaisedAlert | undefined {
  const possible = rows.filter((row) => contains(row, alert));
  return possible.findLast((row) => firstStepDay(row) <= alertDay(alert.asOfAt)) ?? possible[0];
}

const isStep = ({ asOfAt, severity }: RaisedStep, alert: Alert): boolean =>
  severity === alert.severity && alertDay(asOfAt) === alertDay(alert.asOfAt);

/** When the newest entry of a row was known. */
const newestKnownAt = (row: RaisedAlert): Instant =>
  Math.max(lastStep(row).knownAt, row.overKnownAt ?? 0, row.withdrawnAt ?? 0);

/** Whether the row has the alert already: a repeated pass, or a port that is recomputed, raises it again. */
const wasRaised = (row: RaisedAlert, alert: Alert, knownAt: Instant): boolean =>
  row.type === alert.type &&
  row.metric === alert.metric &&
  newestKnownAt(row) >= knownAt &&
  row.steps.some((step) => isStep(step, alert));

export interface Followed {
  /** Every alert whose last day is `fromDay` or later, as the figures of now give them. */
  readonly alerts: readonly Alert[];
  readonly fromDay: Day;
  /** Oldest first; it may end with the running day. */
  readonly series: readonly DayFigures[];
  readonly asOfAt: Instant;
  readonly knownAt: Instant;
  readonly replayed: boolean;
}

/** The row with the steps that the alerts of its episode add, oldest first, until it is over. */
function withSteps(
  row: RaisedAlert,
  alerts: readonly Alert[],
  { series, asOfAt, knownAt }: Followed,
): RaisedAlert {
  let current = row;
  let newest: Alert | undefined;
  const add = ({ asOfAt: at, severity }: Alert): void => {
    current = { ...current, steps: [...current.steps, { knownAt, asOfAt: at, severity }] };
  };
  for (const alert of alerts) {
    const isNew =
      alertDay(alert.asOfAt) >= alertDay(lastStep(current).asOfAt) &&
      !current.steps.some((step) => isStep(step, alert));
    if (isNew && alert.asOfAt > (endOf(current, series, asOfAt) ?? alert.asOfAt)) break;
    newest = alert;
    if (isNew) add(alert);
  }
  // If the last step no longer holds, the newest alert that does is a step down.
  if (newest !== undefined && !isStep(lastStep(current), newest)) add(newest);
  return current;
}

/** The row when it is over or withdrawn; unchanged where neither. */
function ended(row: RaisedAlert, alerts: readonly Alert[], followed: Followed): RaisedAlert {
  const { fromDay, series, asOfAt, knownAt } = followed;
  const last = lastStep(row);
  if (alerts.length === 0 && alertDay(last.asOfAt) >= fromDay) {
    const isRunning = last.asOfAt < endOfDay(alertDay(last.asOfAt));
    const withdrawal = isRunning && row.metric === 'avg_wait_hours' ? 'fell_back' : 'revised';
    return { ...row, withdrawnAt: knownAt, withdrawal };
  }
  const closure = closureOf(row, series, asOfAt);
  const current = withBeginning(row, closure);
  if (closure?.lostAt !== undefined) return { ...current, overKnownAt: knownAt };
  const overAt = row.metric === 'berthings' ? closure?.endedAt : endOf(row, series, asOfAt);
  return overAt === undefined ? current : { ...current, overAt, overKnownAt: knownAt };
}

/** The closure that a row is of, as known at `asOfAt`; undefined for another alert. */
const closureOf = (row: RaisedAlert, series: readonly DayFigures[], asOfAt: Instant): Closure | undefined =>
  row.metric === 'berthings' ? closureAt(series, lastStep(row).asOfAt, asOfAt) : undefined;

/** The row with the beginning of its closure, as the rows of now give it. */
function withBeginning(row: RaisedAlert, closure: Closure | undefined): RaisedAlert {
  const { beganAt, isBeginKnown = false } = closure ?? {};
  return isBeginKnown && beganAt !== row.beganAt ? { ...row, beganAt } : row;
}

/** When the episode was over: at the clearing level of a line, with the berthings after a closure, at once for a level shift. */
function endOf(row: RaisedAlert, series: readonly DayFigures[], asOfAt: Instant): Instant | undefined {
  const { type, metric } = row;
  const { asOfAt: stepAt } = lastStep(row);
  if (type === 'change_point') return stepAt;
  if (metric === 'berthings') {
    const { endedAt, lostAt } = closureOf(row, series, asOfAt) ?? {};
    return endedAt ?? lostAt;
  }
  const completed = series.filter(({ day }) => endOfDay(day) <= asOfAt);
  return (type === 'threshold' ? levelClearedAt : usualAgainAt)(completed, metric, alertDay(stepAt));
}

function raise(first: Alert, { knownAt, replayed, series }: Followed): RaisedAlert {
  const { type, metric, severity, asOfAt, changeFraction, explain } = first;
  const sinceAt = metric === 'berthings' ? closureAt(series, asOfAt, asOfAt)?.beganAt : undefined;
  return {
    type,
    metric,
    steps: [{ knownAt, asOfAt, severity }],
    changeFraction,
    explain,
    ...(sinceAt !== undefined && { sinceAt }),
    ...(replayed && { replayed }),
  };
}

/**
 * The rows that a pass adds or adds to. `rows` are those of the port whose first day is `fromDay` or later, or that are
 * open; one with an entry later than this pass, as while a port is recomputed, does not change.
 */
export function followAlerts(
  rows: readonly RaisedAlert[],
  followed: Followed,
): { readonly rows: readonly RaisedAlert[]; readonly changed: readonly RaisedAlert[] } {
  const { knownAt } = followed;
  const alerts = followed.alerts.toSorted((a, b) => a.asOfAt - b.asOfAt);
  const current = [...rows];
  const follow = (at: number): void => {
    const row = current[at];
    if (row === undefined || !isOpen(row) || newestKnownAt(row) > knownAt) return;
    const rowAlerts = alerts.filter((alert) => episodeOf(current, alert) === row);
    const next = ended(withSteps(row, rowAlerts, followed), rowAlerts, followed);
    if (next === row) return;
    current[at] = next;
  };
  for (const at of rows.keys()) follow(at);
  for (const alert of alerts) {
    if (episodeOf(current, alert) !== undefined || current.some((row) => wasRaised(row, alert, knownAt)))
      continue;
    follow(current.push(raise(alert, followed)) - 1);
  }
  return { rows: current, changed: current.filter((row, at) => row !== rows[at]) };
}

// Whether a closure alert came true, by the berthings of its day and of the two days after it against the usual number.

/** Days after the alert's own day whose figures decide its outcome. */
const DAYS_AFTER = 2;

export type ClosureOutcome = 'confirmed' | 'false';

/** The days whose rows the outcome of an episode is read from. */
export function outcomeDays(row: RaisedAlert): { readonly first: Day; readonly last: Day } {
  const day = firstStepDay(row);
  return { first: addDays(day, -USUAL_MEMORY_DAYS), last: addDays(day, DAYS_AFTER) };
}

/**
 * `confirmed`: on one of these days at most half of the usual number berthed. `false`: on none. Undefined while a day
 * has not ended, or too little of it or of the weeks before is known.
 */
export function closureOutcome(row: RaisedAlert, days: readonly DayFigures[]): ClosureOutcome | undefined {
  if (row.metric !== 'berthings') return undefined;
  const known: ReadonlyMap<Instant, DayFigures> = new Map(days.map((day) => [startOfDay(day.day), day]));
  const first = firstStepDay(row);
  const isLow = Array.from({ length: DAYS_AFTER + 1 }, (_, after): boolean | undefined => {
    const dayAt = startOfDay(addDays(first, after));
    const { dayBerthings, partial } = known.get(dayAt) ?? {};
    const usual = usualBerthings(dayAt, known);
    if (dayBerthings === undefined || partial || usual === undefined) return undefined;
    return dayBerthings <= BACK_SHARE * usual;
  });
  if (isLow.includes(true)) return 'confirmed';
  return isLow.includes(undefined) ? undefined : 'false';
}
