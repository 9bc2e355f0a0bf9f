/** Writes what the reports of one fetch change at a port, in a safe order. */
import { LEDGER_REACH_MS, ledgerClocks } from '../calls/ledger.ts';
import type { Notice } from '../calls/observation.ts';
import type { PortCall, Stay } from '../calls/port-call.ts';
import {
  alertsSince,
  evaluateAlerts,
  MAX_PERIOD_DAYS,
  memoryStart,
  periodStart,
  unsettledSince,
} from '../metrics/alerts.ts';
import { CallIndex } from '../metrics/call-index.ts';
import { dailyMetricsOf, USUAL_DAYS } from '../metrics/daily.ts';
import { type Alert, type DailyMetrics, METHODOLOGY_VERSION } from '../metrics/figures.ts';
import { type Followed, firstStepDay, followAlerts, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { firstWaitDay, waitDays } from '../metrics/wait-days.ts';
import { groupBy } from '../reference/grouping.ts';
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
import type { Knowledge, Known, SeriesStore } from '../store/series.ts';
import type { WaitDayPart } from '../store/wait-days.ts';
import type { BeforeWrite, IngestStores } from './dependencies.ts';
import { issueForecasts } from './forecasts.ts';
import { sameStays, stayEndDays, staysByDay } from './port-changes.ts';
import { type AppliedFetch, beginKnowledge, findKnowledge } from './port-knowledge.ts';
import type { PortPlan } from './port-plan.ts';
import {
  byDay,
  LEDGER_DAYS,
  type PortState,
  readPortState,
  repeatedAmong,
  rowFigures,
  SERIES_DAYS,
  unfinishedAmong,
} from './port-state.ts';

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
 * Writes what a plan changes: calls, stays, daily metrics, waits, alerts, forecasts, the port's row with its newest figures, and
 * last the clocks. A repetition after a failure at any point gives the same tables.
 */
export async function applyPortPlan(
  stores: IngestStores,
  plan: PortPlan,
  fetch: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<AppliedReports> {
  const { port, row, reached, reports, older, changes } = plan;
  const begun = await beginKnowledge(stores, port, reached, fetch, beforeWrite);
  const state = begun.ended
    ? await readPortState(stores, port, reached?.clocks, reports[0]?.observedAt ?? fetch.fetchedAt)
    : plan.state;
  const { ledger, written, removed, changedFromAt } = changes;
  const repeated = repeatedAmong([...state.ledger.calls.values(), ...older], state.ledger, reports);
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
): Promise<Map<Day, Known<DailyMetrics>>> {
  const { stores, port, state, changes, today } = write;
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
  const metrics = dailyMetricsOf(daysBetween(firstDay, today), index, changes.ledger.coverage, earlier);
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
  series: ReadonlyMap<Day, DailyMetrics>,
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
