/** Writes what the observations of one fetch change at a port, in a safe order. */

import type { Notice } from '../calls/observation.ts';
import { LEDGER_REACH_MS, ledgerClocks, type PortCall, type Stay } from '../calls/port-call.ts';
import {
  alertsSince,
  evaluateAlerts,
  MAX_PERIOD_DAYS,
  memoryStart,
  periodStart,
  unsettledSince,
} from '../metrics/alerts.ts';
import { dayFiguresOf, USUAL_MEMORY_DAYS } from '../metrics/day-figures.ts';
import { type Alert, type DayFigures, METHODOLOGY_VERSION } from '../metrics/figures.ts';
import {
  FORECAST_METRICS,
  type ForecastMetric,
  forecastValues,
  HISTORY_MAX_DAYS,
  HISTORY_MIN_DAYS,
  issueForecast,
  type Skill,
} from '../metrics/forecast.ts';
import { type Followed, firstStepDay, followAlerts, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { CallIndex, firstWaitDay, waitDays } from '../metrics/waits.ts';
import type { Locode } from '../reference/codes.ts';
import { FRACTION_DECIMALS, groupBy, round } from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  earliestOf,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import { alertRange } from '../store/alerts.ts';
import type { WaitDayPart } from '../store/day-series.ts';
import {
  type ForecastReason,
  type ForecastStore,
  isIssued,
  type StoredForecast,
} from '../store/forecasts.ts';
import type { ReachedReports } from '../store/ports.ts';
import type { Knowledge, Known, SeriesStore } from '../store/series.ts';
import type { BeforeWrite, IngestStores } from './dependencies.ts';
import {
  byDay,
  LEDGER_DAYS,
  type PortPlan,
  type PortState,
  readPortState,
  repeatedAmong,
  rowFigures,
  SERIES_DAYS,
  sameStays,
  stayEndDays,
  staysByDay,
  unfinishedAmong,
} from './port-state.ts';

// Since when what a fetch changes of a port is known, and what a recomputed port leaves in its vintages.

/** A fetch as the writers see it. */
export interface AppliedFetch {
  readonly fetchedAt: Instant;
  /** It is applied long after it was fetched: its rows say so, and a back-fill issues forecasts at its end alone. */
  readonly backfilled: boolean;
  /** Its forecasts are issued all the same, as if it had been polled on its day. */
  readonly asPolled?: boolean;
  /** The source, and until when it is kept what the fetch replaces; absent where that is not kept. */
  readonly kept?: { readonly source: string; readonly untilAt: Instant } | undefined;
  /** When it is applied. */
  readonly nowAt: Instant;
  /** This deployment reads what another has fetched. */
  readonly replays: boolean;
}

/**
 * The day of `fetchedAt`; today where later fetches have been applied already, because the value replaces what they left.
 * `newest`: the newest day since which anything of the subject is known.
 */
export function findKnowledge(
  { fetchedAt, backfilled, nowAt }: AppliedFetch,
  newest: Day | undefined,
): Knowledge {
  const [fetchedDay, today] = [dayOf(fetchedAt), dayOf(nowAt)];
  if (newest === undefined || fetchedDay >= newest) return { day: fetchedDay, backfilled };
  return { day: today > newest ? today : newest, backfilled };
}

/** Ends every row of a port, so that what was served stays known while its calls are recomputed. */
async function endRows(
  { dailyMetrics, waitDays, alerts, alertFeed }: IngestStores,
  port: Locode,
  today: Day,
  beforeWrite: BeforeWrite,
): Promise<void> {
  const knowledge = { day: today, backfilled: true };
  const raised = await alerts.between(port);
  await beforeWrite();
  await alertFeed.update(port, [], raised);
  await alerts.replace(port, [], raised, knowledge, beforeWrite);
  await dailyMetrics.replace(port, [], await dailyMetrics.between(port), knowledge, beforeWrite);
  await waitDays.replace(port, [], await waitDays.between(port), knowledge, beforeWrite);
}

/**
 * Writes since when a port is known, and the version of the methodology, where they are new. A port without clocks is known from
 * this fetch on; one that has vintages all the same is recomputed, from today on, and the rows that it had have `ended`.
 */
async function beginKnowledge(
  stores: IngestStores,
  port: Locode,
  reached: ReachedReports | undefined,
  fetch: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<{ readonly knownOn: Day; readonly ended: boolean }> {
  const today = dayOf(fetch.nowAt);
  let knownOn = reached?.knownOn;
  let ended = false;
  if (knownOn === undefined) {
    ended = (await stores.beginnings.day(port)) !== undefined;
    if (ended) await endRows(stores, port, today, beforeWrite);
    knownOn = ended ? today : dayOf(fetch.fetchedAt);
    // Before anything else, so that a pass that dies in between does not take its own rows for those of an earlier ingest.
    await beforeWrite();
    await stores.portClocks.put(port, { knownOn });
  }
  if (reached?.methodology !== METHODOLOGY_VERSION) {
    const { day: since } = findKnowledge(fetch, knownOn);
    // The clocks have the version when these observations are applied: a pass that dies before them repeats this.
    await beforeWrite();
    await stores.beginnings.note(port, { since, version: METHODOLOGY_VERSION });
  }
  return { knownOn, ended };
}

// Issues the forecasts of a port: in the first pass of a UTC day, from the complete days before it.

/** The rows up to `originDay`. A day on which the observations broke off has no value, as in the trend. */
function rowsBefore(days: readonly DayFigures[], originDay: Day): DayFigures[] {
  const eve = addDays(originDay, -HISTORY_MAX_DAYS);
  return days.filter(({ day, partial = false }) => !partial && day <= originDay && day > eve);
}

const served = (value: number): number => round(value, FRACTION_DECIMALS);

const servedSkill = ({ horizons, ...skill }: Skill): Skill => ({
  ...skill,
  horizons: horizons.map(({ horizon, error, ratioToPersistence, ratioToMedian, coverage }) => ({
    horizon,
    error: served(error),
    ratioToPersistence: ratioToPersistence && served(ratioToPersistence),
    ratioToMedian: ratioToMedian && served(ratioToMedian),
    coverage: served(coverage),
  })),
});

interface ForecastInput {
  readonly port: Locode;
  /** Metrics of the port, oldest first, for the last `HISTORY_MAX_DAYS` days or as many as there are. */
  readonly days: readonly DayFigures[];
  /** Newest observation. */
  readonly asOfAt: Instant;
  /** The day that the newest forecasts are from; undefined before the first. */
  readonly issuedDay: Day | undefined;
  readonly fetch: Pick<AppliedFetch, 'nowAt' | 'replays'>;
}

/** Undefined where a forecast is stored: it never changes. */
async function makeForecast(
  forecasts: ForecastStore,
  metric: ForecastMetric,
  originDay: Day,
  { port, days, asOfAt, fetch }: ForecastInput,
): Promise<StoredForecast | undefined> {
  const stored = await forecasts.rowsBetween(port, metric, addDays(originDay, -HISTORY_MAX_DAYS), originDay);
  if (stored.at(-1)?.originDay === originDay) return undefined;
  const history = rowsBefore(days, originDay);
  const values = forecastValues(metric, history);
  const isReplayed = fetch.replays || dayOf(fetch.nowAt) > dayOf(asOfAt);
  const head = {
    originDay,
    asOfAt,
    historyDays: values.size,
    ...(isReplayed && { replayed: true as const }),
  };
  const none = (reason: ForecastReason): StoredForecast => ({ ...head, reason });
  if (values.size < HISTORY_MIN_DAYS) return none('short_history');
  if (!values.has(originDay)) return none('stale');
  const forecast = issueForecast(metric, history, stored.filter(isIssued));
  if (forecast === undefined) return none('short_history');
  return { ...head, days: forecast.days, skill: servedSkill(forecast.skill) };
}

/** Writes the forecasts from the last complete day, unless there are some from it. Returns the day that the newest are from. */
export async function issueForecasts(
  forecasts: ForecastStore,
  input: ForecastInput,
  beforeWrite: BeforeWrite,
): Promise<Day> {
  const { issuedDay } = input;
  const originDay = addDays(dayOf(input.asOfAt), -1);
  if (issuedDay !== undefined && originDay <= issuedDay) return issuedDay;
  const made = await Promise.all(
    FORECAST_METRICS.map(
      async (metric) => [metric, await makeForecast(forecasts, metric, originDay, input)] as const,
    ),
  );
  const written = made.flatMap(([metric, forecast]) =>
    forecast === undefined ? [] : [[metric, forecast] as const],
  );
  if (written.length > 0) {
    await beforeWrite();
    await forecasts.write(input.port, written);
  }
  return originDay;
}

/** The same from the tables alone, at the end of a back-fill. Nothing where nothing of the port has been observed. */
export async function issueFromTables(
  { dailyMetrics, forecasts, portClocks }: IngestStores,
  port: Locode,
  fetch: ForecastInput['fetch'],
  beforeWrite: BeforeWrite,
): Promise<void> {
  const reached = await portClocks.get(port);
  const asOfAt = reached?.clocks?.lastObservedAt;
  if (reached === undefined || asOfAt === undefined) return;
  const today = dayOf(asOfAt);
  const days = await dailyMetrics.between(port, { from: addDays(today, -HISTORY_MAX_DAYS), to: today });
  const input = { port, days, asOfAt, issuedDay: reached.forecastDay, fetch };
  const forecastDay = await issueForecasts(forecasts, input, beforeWrite);
  if (forecastDay === reached.forecastDay) return;
  await beforeWrite();
  await portClocks.put(port, { ...reached, forecastDay });
}

/** A day's metrics use the berthings of 28 days, of vessels that arrived up to 60 days earlier. */
const METRICS_REACH_MS = (28 + 60 + 1) * DAY_MS;

/** One write of a port: its plan, and what has to be computed again because of it. */
interface PortWrite extends PortPlan {
  readonly stores: IngestStores;
  readonly removedIds: ReadonlySet<string>;
  /** Calls of an interrupted pass: it is not known which of the rows that follow from them were written. */
  readonly unfinished: readonly PortCall[];
  readonly fromAt: Instant;
  readonly asOfAt: Instant;
  /** The day of `asOfAt`. */
  readonly today: Day;
  readonly fetch: AppliedFetch;
  readonly knowledge: Knowledge;
  readonly beforeWrite: BeforeWrite;
}

export interface AppliedReports {
  readonly state: PortState;
  /** Calls that were written or deleted. */
  readonly changed: number;
  readonly notices: readonly Notice[];
}

/**
 * Writes what a plan changes: calls, stays, day figures, waits, alerts, forecasts, the port's row with its newest figures, and
 * last the clocks. A repetition after a failure at any point gives the same tables.
 */
export async function applyPortPlan(
  stores: IngestStores,
  plan: PortPlan,
  fetch: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<AppliedReports> {
  const { port, row, reached, observations, older, changes } = plan;
  const begun = await beginKnowledge(stores, port, reached, fetch, beforeWrite);
  const state = begun.ended
    ? await readPortState(stores, port, reached?.clocks, observations[0]?.observedAt ?? fetch.fetchedAt)
    : plan.state;
  const { ledger, written, removed, changedFromAt } = changes;
  const repeated = repeatedAmong([...state.ledger.calls.values(), ...older], state.ledger, observations);
  if (changedFromAt === undefined && repeated.length === 0)
    return { state, changed: 0, notices: changes.notices };
  const unfinished = [...state.unfinished, ...unfinishedAmong(older, state.ledger), ...repeated];
  const unfinishedAts = unfinished.map(({ ataAt, firstAtaAt }) => Math.min(ataAt, firstAtaAt));
  const fromAt = earliestOf([changedFromAt ?? Number.POSITIVE_INFINITY, ...unfinishedAts]);
  const asOfAt = ledger.lastObservedAt ?? fromAt;
  const knowledge = findKnowledge(fetch, begun.knownOn);
  const write: PortWrite = {
    ...plan,
    stores,
    state,
    removedIds: new Set(removed.map(({ callId }) => callId)),
    unfinished,
    fromAt,
    asOfAt,
    today: dayOf(asOfAt),
    fetch,
    knowledge,
    beforeWrite,
  };

  await beforeWrite();
  await stores.portCalls.write(written, changes.before);
  await writeStays(write);
  const { series, waits } = await writeDays(write);
  const { alerts, raised } = await writeAlerts(write, series);
  const seriesFromDay = addDays(write.today, -SERIES_DAYS);
  const recent = [...series.values()].filter(({ day }) => day >= seriesFromDay);
  // Deleted last, so that a pass that dies before this finds these calls again, and every row that follows from them.
  await beforeWrite();
  await stores.portCalls.remove(removed);
  const input = { port, days: recent, asOfAt, issuedDay: reached?.forecastDay, fetch };
  const forecastDay =
    fetch.backfilled && !fetch.asPolled
      ? reached?.forecastDay
      : await issueForecasts(stores.forecasts, input, beforeWrite);
  const { settled } = reached ?? {};
  const figures = { ...row, ...rowFigures(ledger, asOfAt, series, settled) };
  await stores.ports.replace(port, [figures], [row], knowledge, beforeWrite);
  const knownOn = knowledge.day > begun.knownOn ? knowledge.day : begun.knownOn;
  const clocks = ledgerClocks(ledger);
  await beforeWrite();
  await stores.portClocks.put(port, {
    clocks,
    knownOn,
    forecastDay,
    settled,
    methodology: METHODOLOGY_VERSION,
  });
  return {
    state: { clocks, ledger, series: byDay(recent), waits, alerts, raised, unfinished: [] },
    changed: written.length + removed.length,
    notices: changes.notices,
  };
}

/** The first day from `day` on that a release has not brought. */
const afterSettled = ({ reached }: PortPlan, day: Day): Day => {
  const settledDay = reached?.settled?.lastDay;
  return settledDay === undefined || day > settledDay ? day : addDays(settledDay, 1);
};

/** Puts `values` in the place of those among the `known` rows of a series that `isRecomputed` names; returns all of them. */
async function replaceRows<Served extends object, Stored extends Served>(
  { port, knowledge, beforeWrite }: PortWrite,
  series: Pick<SeriesStore<Served, Stored>, 'replace'>,
  known: readonly Known<Stored>[],
  values: readonly Stored[],
  isRecomputed: (row: Known<Stored>) => boolean,
): Promise<Known<Stored>[]> {
  const rows = await series.replace(port, values, known.filter(isRecomputed), knowledge, beforeWrite);
  return [...known.filter((row) => !isRecomputed(row)), ...rows];
}

type StayWrite = Pick<
  PortWrite,
  'reached' | 'stores' | 'port' | 'changes' | 'removedIds' | 'unfinished' | 'fromAt' | 'asOfAt' | 'today'
>;

/** Stays that ended by then are those of the release that the port began with, whatever later replies say. */
const settledStaysUntil = (reached: PortPlan['reached']): Instant => {
  const { coverage = [], hasStays = false } = reached?.settled ?? {};
  return hasStays ? (coverage.at(-1)?.toAt ?? 0) : 0;
};

/** The stays of the days on which stays of changed calls ended, and of days that an interrupted pass may have left. */
async function changedStays(write: StayWrite): Promise<Map<Day, Stay[]>> {
  const { reached, stores, port, changes, removedIds, unfinished, fromAt, asOfAt, today } = write;
  const changedDays = stayEndDays(changes.states);
  const repairedDays = unfinished.length > 0 ? daysBetween(dayOf(fromAt), today) : [];
  const days = [...new Set([...changedDays, ...repairedDays])].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const ledgerFromDay = dayOf(asOfAt - LEDGER_REACH_MS + DAY_MS);
  const settledUntilAt = settledStaysUntil(reached);
  const needsStored = first < ledgerFromDay || repairedDays.length > 0 || startOfDay(first) < settledUntilAt;
  const stored = needsStored ? await stores.stayDays.between(port, first, last) : [];
  const computed = staysByDay({
    days,
    ledgerFromDay,
    ledger: changes.ledger.calls.values(),
    changed: [...unfinished, ...changes.written],
    removedIds,
    stored,
  });
  const isSettled = ({ endAt }: Stay): boolean => endAt <= settledUntilAt;
  const settled = groupBy(stored.filter(isSettled), ({ endAt }) => dayOf(endAt));
  const stays = Array.from(computed, ([day, dayStays]): [Day, Stay[]] => [
    day,
    [...(settled.get(day) ?? []), ...dayStays.filter((stay) => !isSettled(stay))],
  ]);
  const storedByDay = new Map<Day, Stay[]>(days.map((day) => [day, []]));
  for (const stay of stored) storedByDay.get(dayOf(stay.endAt))?.push(stay);
  return new Map(
    stays.filter(
      ([day, dayStays]) => changedDays.has(day) || !sameStays(dayStays, storedByDay.get(day) ?? []),
    ),
  );
}

async function writeStays(write: PortWrite): Promise<void> {
  const days = await changedStays(write);
  if (days.size === 0) return;
  await write.beforeWrite();
  await write.stores.stayDays.write(write.port, days);
}

/**
 * Why the tables would not take a plan; undefined when they would. Calls, the stays of a day and the clocks are measured, which grow
 * with a reply; all other rows have figures alone.
 */
export async function planFault(stores: IngestStores, plan: PortPlan): Promise<string | undefined> {
  const { port, reached, changes } = plan;
  const { ledger, written, removed, changedFromAt: fromAt } = changes;
  if (fromAt === undefined) return undefined;
  const asOfAt = ledger.lastObservedAt ?? fromAt;
  const removedIds = new Set(removed.map(({ callId }) => callId));
  const today = dayOf(asOfAt);
  const stays = await changedStays({
    reached,
    stores,
    port,
    changes,
    removedIds,
    unfinished: [],
    fromAt,
    asOfAt,
    today,
  });
  return (
    stores.portCalls.faultOf(written) ??
    stores.stayDays.faultOf(port, stays) ??
    stores.portClocks.faultOf(port, { knownOn: today, ...reached, clocks: ledgerClocks(ledger) })
  );
}

/** Writes the days whose metrics or waits changed; returns both with them in it. */
async function writeDays(write: PortWrite): Promise<Pick<PortState, 'series' | 'waits'>> {
  const { changes, fromAt, asOfAt } = write;
  const { coverage } = changes.ledger;
  // Before anything is covered there is no day.
  const firstDay = afterSettled(write, dayOf(Math.max(fromAt, coverage[0]?.fromAt ?? asOfAt + DAY_MS)));
  const index = new CallIndex(await callsSince(write, firstDay), asOfAt, coverage[0]?.fromAt);
  const series = await writeMetrics(write, firstDay, index);
  const waits = await writeWaits(write, afterSettled(write, firstWaitDay(firstDay, coverage)), index);
  return { series, waits };
}

async function writeMetrics(
  write: PortWrite,
  firstDay: Day,
  index: CallIndex,
): Promise<Map<Day, Known<DayFigures>>> {
  const { stores, port, state, changes, today } = write;
  const seriesFromDay = addDays(today, -SERIES_DAYS);
  const usualFromDay = addDays(firstDay, -USUAL_MEMORY_DAYS);
  const memoryFromDay = memoryStart(firstDay);
  const pastFromDay = usualFromDay < memoryFromDay ? usualFromDay : memoryFromDay;
  const past =
    pastFromDay < seriesFromDay
      ? await stores.dailyMetrics.between(port, { from: pastFromDay, to: addDays(seriesFromDay, -1) })
      : [];
  const known = [...past, ...state.series.values()].filter(({ day }) => day <= today);
  const earlier = known.filter(({ day }) => day >= usualFromDay && day < firstDay);
  const metrics = dayFiguresOf(daysBetween(firstDay, today), index, changes.ledger.coverage, earlier);
  return byDay(await replaceRows(write, stores.dailyMetrics, known, metrics, ({ day }) => day >= firstDay));
}

async function writeWaits(
  write: PortWrite,
  firstDay: Day,
  index: CallIndex,
): Promise<Map<Day, Known<WaitDayPart>>> {
  const { stores, port, state, changes, today } = write;
  const keptFromDay = addDays(today, -LEDGER_DAYS);
  const past =
    firstDay < keptFromDay
      ? await stores.waitDays.between(port, { from: firstDay, to: addDays(keptFromDay, -1) })
      : [];
  const isRecomputed = ({ day }: WaitDayPart): boolean => day >= firstDay && day <= today;
  const waits = waitDays(daysBetween(firstDay, today), index, changes.ledger.coverage);
  const known = [...past, ...state.waits.values()];
  const rows = await replaceRows(write, stores.waitDays, known, waits, isRecomputed);
  return byDay(rows.filter(({ day }) => day >= keptFromDay));
}

/** The calls that the metrics from `firstDay` on depend on: the ledger's, and stored ones where it does not reach back. */
async function callsSince(
  { stores, port, changes, removedIds, today, allCalls }: PortWrite,
  firstDay: Day,
): Promise<readonly PortCall[]> {
  if (allCalls !== undefined) return allCalls;
  const recent = [...changes.ledger.calls.values()];
  if (firstDay >= addDays(today, -LEDGER_DAYS)) return recent;
  const stored = await stores.portCalls.since(port, startOfDay(firstDay) - METRICS_REACH_MS);
  const older = stored.filter(({ callId }) => !removedIds.has(callId));
  return [...new Map([...older, ...recent].map((call) => [call.callId, call])).values()];
}

/**
 * Recomputes the alerts from the quarter of the first changed day on, or of the running day while nothing before it changed, and
 * writes the difference, and what it adds to the episodes as they were raised; returns both as a state has them.
 */
async function writeAlerts(
  write: PortWrite,
  series: ReadonlyMap<Day, DayFigures>,
): Promise<Pick<PortState, 'alerts' | 'raised'>> {
  const { stores, port, state, fromAt, asOfAt, today, beforeWrite } = write;
  const unsettledDay = unsettledSince(state.alerts, today);
  const changedDay = dayOf(fromAt) < unsettledDay ? dayOf(fromAt) : unsettledDay;
  const rows = [...series.values()];
  const fromDay = changedDay < today ? periodStart(changedDay) : today;
  const found =
    changedDay < today
      ? alertsSince(rows, asOfAt, changedDay)
      : evaluateAlerts(rows, { asOfAt, fromDay: today });
  const keptFromDay = addDays(today, -MAX_PERIOD_DAYS);
  const past =
    fromDay < keptFromDay
      ? await stores.alerts.between(port, alertRange(startOfDay(fromDay), startOfDay(keptFromDay)))
      : [];
  const known = [...past, ...state.alerts];
  const recomputedFromDay = afterSettled(write, fromDay);
  const isRecomputed = ({ asOfAt: at }: Alert): boolean => at > startOfDay(recomputedFromDay);
  const alerts = found.filter(isRecomputed);
  await beforeWrite();
  await stores.alertFeed.update(port, alerts, known.filter(isRecomputed));
  const stored = await replaceRows(write, stores.alerts, known, alerts, isRecomputed);
  return {
    alerts: stored.filter((alert) => alert.asOfAt > startOfDay(keptFromDay)),
    raised: await writeRaised(write, { alerts, fromDay: recomputedFromDay, series: rows }),
  };
}

/** Adds the alerts of this pass to their episodes. */
async function writeRaised(
  { stores, port, state, asOfAt, today, fetch, beforeWrite }: PortWrite,
  found: Pick<Followed, 'alerts' | 'fromDay' | 'series'>,
): Promise<readonly RaisedAlert[]> {
  const { fetchedAt, nowAt, replays, backfilled } = fetch;
  const knownFromDay = addDays(today, -SERIES_DAYS);
  const raised =
    found.fromDay < knownFromDay ? await stores.raisedAlerts.between(port, found.fromDay) : state.raised;
  const replayed = replays || backfilled || nowAt - fetchedAt > DAY_MS;
  const { rows, changed } = followAlerts(raised, { ...found, asOfAt, knownAt: fetchedAt, replayed });
  if (changed.length > 0) {
    await beforeWrite();
    await stores.raisedAlerts.write(port, changed);
  }
  return rows.filter((row) => firstStepDay(row) >= knownFromDay);
}
