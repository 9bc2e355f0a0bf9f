/** What the reports of one fetch change at a port, written in a safe order. */
import { LEDGER_REACH_MS, ledgerClocks } from '../calls/ledger.ts';
import type { Notice, PortReport } from '../calls/observation.ts';
import type { PortCall, Stay } from '../calls/port-call.ts';
import { alertsSince, MAX_PERIOD_DAYS, memoryStart, periodStart } from '../metrics/alert-periods.ts';
import { evaluateAlerts } from '../metrics/alerts.ts';
import { CallIndex } from '../metrics/call-index.ts';
import { dailyMetricsOf, USUAL_DAYS } from '../metrics/daily.ts';
import { type Alert, type DailyMetrics, METHODOLOGY_VERSION } from '../metrics/figures.ts';
import { type Followed, firstStepDay, followAlerts, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { firstWaitDay, waitDays } from '../metrics/wait-days.ts';
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
import type { Knowledge, Known } from '../store/series.ts';
import type { WaitDayPart } from '../store/wait-days.ts';
import type { BeforeWrite, IngestStores } from './dependencies.ts';
import { issueForecasts, type PassTimes } from './forecasts.ts';
import { type PortChanges, portChanges, sameStays, stayEndDays, staysByDay } from './port-changes.ts';
import {
  afterSettled,
  byDay,
  LEDGER_DAYS,
  olderCalls,
  type PortState,
  repeatedAmong,
  rowFigures,
  SERIES_DAYS,
  unfinishedAmong,
} from './port-state.ts';

/** A day's metrics use the berthings of 28 days, of vessels that arrived up to 60 days earlier. */
const METRICS_REACH_MS = (28 + 60 + 1) * DAY_MS;

/** One write of a port: what changed, and what has to be computed again because of it. */
interface PortWrite {
  readonly stores: IngestStores;
  readonly state: PortState;
  readonly changes: PortChanges;
  readonly removedIds: ReadonlySet<string>;
  /** Calls of an interrupted pass: it is not known which of the rows that follow from them were written. */
  readonly unfinished: readonly PortCall[];
  readonly fromAt: Instant;
  readonly asOfAt: Instant;
  readonly knowledge: Knowledge;
  readonly times: PassTimes;
  readonly beforeWrite: BeforeWrite;
}

export interface AppliedReports {
  readonly state: PortState;
  /** Calls that were written or deleted. */
  readonly changed: number;
  readonly notices: readonly Notice[];
}

/** What the reports of one fetch change at a port, before anything is written. */
export interface PortPlan {
  readonly state: PortState;
  /** In order of time. */
  readonly reports: readonly PortReport[];
  /** Stored calls that the ledger no longer has and that the reports may change. */
  readonly older: readonly PortCall[];
  readonly changes: PortChanges;
}

/** Reads what the reports may change, and writes nothing. */
export async function planPortReports(
  stores: IngestStores,
  state: PortState,
  reports: readonly PortReport[],
): Promise<PortPlan> {
  const older = await olderCalls(stores, state, reports);
  return { state, reports, older, changes: portChanges(state.ledger, reports, older) };
}

/**
 * Writes what a plan changes: calls, stays, daily metrics, waits, alerts, forecasts, the port's row with its newest figures, and
 * last the clocks. A repetition after a failure at any point gives the same tables.
 */
export async function applyPortPlan(
  stores: IngestStores,
  { state, reports, older, changes }: PortPlan,
  knowledge: Knowledge,
  times: PassTimes,
  beforeWrite: BeforeWrite,
): Promise<AppliedReports> {
  const { port } = state.row;
  const { ledger, written, removed, changedFromAt } = changes;
  const repeated = repeatedAmong([...state.ledger.calls.values(), ...older], state.ledger, reports);
  if (changedFromAt === undefined && repeated.length === 0)
    return { state, changed: 0, notices: changes.notices };
  const unfinished = [...state.unfinished, ...unfinishedAmong(older, state.ledger), ...repeated];
  const unfinishedAts = unfinished.map(({ ataAt, firstAtaAt }) => Math.min(ataAt, firstAtaAt));
  const fromAt = earliestOf([changedFromAt ?? Number.POSITIVE_INFINITY, ...unfinishedAts]);
  const asOfAt = ledger.lastObservedAt ?? fromAt;
  const removedIds = new Set(removed.map(({ callId }) => callId));
  const write: PortWrite = {
    stores,
    state,
    changes,
    removedIds,
    unfinished,
    fromAt,
    asOfAt,
    knowledge,
    times,
    beforeWrite,
  };

  await beforeWrite();
  await stores.portCalls.write(written, changes.before);
  await writeStays(write);
  const { series, waits } = await writeDays(write);
  const { alerts, raised } = await writeAlerts(write, series);
  const seriesFromDay = addDays(dayOf(asOfAt), -SERIES_DAYS);
  const recent = [...series.values()].filter(({ day }) => day >= seriesFromDay);
  // Deleted last, so that a pass that dies before this finds these calls again, and every row that follows from them.
  await beforeWrite();
  await stores.portCalls.remove(removed);
  // What a back-fill applies is long past: it issues forecasts at its end.
  const input = { port, days: recent, asOfAt, issuedDay: state.forecastDay, times };
  const forecastDay = knowledge.backfilled
    ? state.forecastDay
    : await issueForecasts(stores.forecasts, input, beforeWrite);
  const figures = { ...state.row, ...rowFigures(ledger, asOfAt, series, state.settled) };
  const [row = state.row] = await stores.ports.replace(port, [figures], [state.row], knowledge, beforeWrite);
  const knownOn = knowledge.day > state.knownOn ? knowledge.day : state.knownOn;
  const reached = { clocks: ledgerClocks(ledger), knownOn, forecastDay, settled: state.settled };
  await beforeWrite();
  await stores.portClocks.put(port, { ...reached, methodology: METHODOLOGY_VERSION });
  return {
    state: { row, ...reached, ledger, series: byDay(recent), waits, alerts, raised, unfinished: [] },
    changed: written.length + removed.length,
    notices: changes.notices,
  };
}

/** Writes the days on which stays of changed calls ended, and repairs the days that an interrupted pass may have left. */
async function writeStays(write: PortWrite): Promise<void> {
  const { stores, state, changes, removedIds, unfinished, fromAt, asOfAt, beforeWrite } = write;
  const { port } = state.row;
  const changedDays = stayEndDays(changes.states);
  const repairedDays = unfinished.length > 0 ? daysBetween(dayOf(fromAt), dayOf(asOfAt)) : [];
  const days = [...new Set([...changedDays, ...repairedDays])].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return;
  const ledgerFromDay = dayOf(asOfAt - LEDGER_REACH_MS + DAY_MS);
  const needsStored = first < ledgerFromDay || repairedDays.length > 0;
  const stored = needsStored ? await stores.stayDays.between(port, first, last) : [];
  const stays = staysByDay({
    days,
    ledgerFromDay,
    ledger: changes.ledger.calls.values(),
    changed: [...unfinished, ...changes.written],
    removedIds,
    stored,
  });
  const storedByDay = new Map<Day, Stay[]>(days.map((day) => [day, []]));
  for (const stay of stored) storedByDay.get(dayOf(stay.endAt))?.push(stay);
  const toWrite = [...stays].filter(
    ([day, dayStays]) => changedDays.has(day) || !sameStays(dayStays, storedByDay.get(day) ?? []),
  );
  await beforeWrite();
  await stores.stayDays.write(port, new Map(toWrite));
}

/** Writes the days whose metrics or waits changed; returns both with them in it. */
async function writeDays(write: PortWrite): Promise<Pick<PortState, 'series' | 'waits'>> {
  const { state, changes, fromAt, asOfAt } = write;
  const { coverage } = changes.ledger;
  // Before anything is covered there is no day.
  const firstDay = afterSettled(state, dayOf(Math.max(fromAt, coverage[0]?.fromAt ?? asOfAt + DAY_MS)));
  const index = new CallIndex(await callsSince(write, firstDay), asOfAt, coverage[0]?.fromAt);
  const series = await writeMetrics(write, firstDay, index);
  const waits = await writeWaits(write, afterSettled(state, firstWaitDay(firstDay, coverage)), index);
  return { series, waits };
}

async function writeMetrics(
  { stores, state, changes, asOfAt, knowledge, beforeWrite }: PortWrite,
  firstDay: Day,
  index: CallIndex,
): Promise<Map<Day, Known<DailyMetrics>>> {
  const { port } = state.row;
  const { coverage } = changes.ledger;
  const today = dayOf(asOfAt);
  const seriesFromDay = addDays(today, -SERIES_DAYS);
  const usualFromDay = addDays(firstDay, -USUAL_DAYS);
  const memoryFromDay = memoryStart(firstDay);
  const pastFromDay = usualFromDay < memoryFromDay ? usualFromDay : memoryFromDay;
  const past =
    pastFromDay < seriesFromDay
      ? await stores.dailyMetrics.between(port, { from: pastFromDay, to: addDays(seriesFromDay, -1) })
      : [];
  const known = [...past, ...state.series.values()].filter(({ day }) => day <= today);
  const earlier = known.filter(({ day }) => day >= usualFromDay && day < firstDay);
  const metrics = dailyMetricsOf(daysBetween(firstDay, today), index, coverage, earlier);
  const stored = known.filter(({ day }) => day >= firstDay);
  const rows = await stores.dailyMetrics.replace(port, metrics, stored, knowledge, beforeWrite);
  return byDay([...known.filter(({ day }) => day < firstDay), ...rows]);
}

async function writeWaits(
  { stores, state, changes, asOfAt, knowledge, beforeWrite }: PortWrite,
  firstDay: Day,
  index: CallIndex,
): Promise<Map<Day, Known<WaitDayPart>>> {
  const { port } = state.row;
  const today = dayOf(asOfAt);
  const keptFromDay = addDays(today, -LEDGER_DAYS);
  const past =
    firstDay < keptFromDay
      ? await stores.waitDays.between(port, { from: firstDay, to: addDays(keptFromDay, -1) })
      : [];
  const known = [...past, ...state.waits.values()];
  const isRecomputed = ({ day }: WaitDayPart): boolean => day >= firstDay && day <= today;
  const waits = waitDays(daysBetween(firstDay, today), index, changes.ledger.coverage);
  const stored = known.filter(isRecomputed);
  const rows = await stores.waitDays.replace(port, waits, stored, knowledge, beforeWrite);
  const kept = [...known.filter((row) => !isRecomputed(row)), ...rows];
  return byDay(kept.filter(({ day }) => day >= keptFromDay));
}

/** The calls that the metrics from `firstDay` on depend on: the ledger's, and stored ones where it does not reach back. */
async function callsSince(
  { stores, state, changes, removedIds, asOfAt }: PortWrite,
  firstDay: Day,
): Promise<PortCall[]> {
  const recent = [...changes.ledger.calls.values()];
  if (firstDay >= addDays(dayOf(asOfAt), -LEDGER_DAYS)) return recent;
  const stored = await stores.portCalls.since(state.row.port, startOfDay(firstDay) - METRICS_REACH_MS);
  const older = stored.filter(({ callId }) => !removedIds.has(callId));
  return [...new Map([...older, ...recent].map((call) => [call.callId, call])).values()];
}

/**
 * Recomputes the alerts from the quarter of the first changed day on, or of the running day while nothing before it changed, and
 * writes the difference, and what it adds to the episodes as they were raised; returns both as a state has them.
 */
async function writeAlerts(
  write: PortWrite,
  series: ReadonlyMap<Day, DailyMetrics>,
): Promise<Pick<PortState, 'alerts' | 'raised'>> {
  const { stores, state, fromAt, asOfAt, knowledge, beforeWrite } = write;
  const { port } = state.row;
  const today = dayOf(asOfAt);
  const changedDay = dayOf(fromAt);
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
  const toldFromDay = afterSettled(state, fromDay);
  const isRecomputed = ({ asOfAt: at }: Alert): boolean => at > startOfDay(toldFromDay);
  const alerts = found.filter(isRecomputed);
  const stored = known.filter(isRecomputed);
  await beforeWrite();
  await stores.alertFeed.update(port, alerts, stored);
  const written = await stores.alerts.replace(port, alerts, stored, knowledge, beforeWrite);
  const kept = [...known.filter((alert) => !isRecomputed(alert)), ...written];
  return {
    alerts: kept.filter((alert) => alert.asOfAt > startOfDay(keptFromDay)),
    raised: await writeRaised(write, { alerts, fromDay: toldFromDay, series: rows }),
  };
}

/** Adds the alerts of this pass to their episodes. */
async function writeRaised(
  { stores, state, asOfAt, knowledge, times, beforeWrite }: PortWrite,
  found: Pick<Followed, 'alerts' | 'fromDay' | 'series'>,
): Promise<readonly RaisedAlert[]> {
  const { port } = state.row;
  const { fetchedAt, nowAt, replays } = times;
  const knownFromDay = addDays(dayOf(asOfAt), -SERIES_DAYS);
  const raised =
    found.fromDay < knownFromDay ? await stores.raisedAlerts.between(port, found.fromDay) : state.raised;
  const replayed = replays || knowledge.backfilled || nowAt - fetchedAt > DAY_MS;
  const { rows, changed } = followAlerts(raised, { ...found, asOfAt, knownAt: fetchedAt, replayed });
  if (changed.length > 0) {
    await beforeWrite();
    await stores.raisedAlerts.write(port, changed);
  }
  return rows.filter((row) => firstStepDay(row) >= knownFromDay);
}
