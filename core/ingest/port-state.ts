/** The state of one port, read from its tables once, and kept from one pass to the next. */

import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CallRecord, Notice, PortObservation } from '../calls/observation.ts';
import {
  type Coverage,
  closedStays,
  LAID_UP_MS,
  LEDGER_REACH_MS,
  type Ledger,
  ledgerClocks,
  NO_CLOCKS,
  openLedger,
  type PortCall,
  type PortClocks,
  recordIds,
  type Stay,
} from '../calls/port-call.ts';
import { applyObservation } from '../calls/reconstruct.ts';
import { ALERT_MEMORY_DAYS, MAX_PERIOD_DAYS } from '../metrics/alerts.ts';
import { stoppedSince } from '../metrics/closures.ts';
import type { Alert, DayFigures, Snapshot } from '../metrics/figures.ts';
import type { RaisedAlert } from '../metrics/raised-alerts.ts';
import { recentFigures, snapshotAt } from '../metrics/snapshot.ts';
import type { Locode } from '../reference/codes.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  earliestOf,
  earliestStated,
  endOfDay,
  type Instant,
  latestOf,
  startOfDay,
} from '../reference/time.ts';
import { alertRange } from '../store/alerts.ts';
import type { WaitDayPart } from '../store/day-series.ts';
import { type PortRow, packRecent, type ReachedReports, type SettledDays } from '../store/ports.ts';
import type { Known } from '../store/series.ts';
import type { IngestStores } from './dependencies.ts';

// What the observations of one fetch change at a port, and from when; computed before anything is written.

export interface PortChanges {
  readonly ledger: Ledger;
  /** Calls to write, as they are now. */
  readonly written: readonly PortCall[];
  /** Calls whose rows are to be deleted, as they were. */
  readonly removed: readonly PortCall[];
  /** Every state that the changed calls had before and have now. */
  readonly states: readonly PortCall[];
  /** Those that they had before. */
  readonly before: readonly PortCall[];
  readonly notices: readonly Notice[];
  /** Metrics may differ from this instant on; undefined when the observations contain nothing new. */
  readonly changedFromAt: Instant | undefined;
}

/**
 * Applies observations in their order.
 * @param older stored calls that the ledger no longer has: those of the records, and those that may overlap with them
 */
export function portChanges(
  before: Ledger,
  observations: readonly PortObservation[],
  older: readonly PortCall[] = [],
): PortChanges {
  const past = new Map(older.map((call) => [call.callId, call]));
  const initial = new Map([...past, ...before.calls]);
  const latest = new Map<string, PortCall | undefined>();
  const notices: Notice[] = [];
  let ledger = before;
  for (const observation of observations) {
    const known = past.size === 0 ? ledger : { ...ledger, calls: new Map([...past, ...ledger.calls]) };
    const { changed, removed, ...applied } = applyObservation(known, observation);
    ledger = applied.ledger;
    for (const notice of applied.notices) notices.push(notice);
    for (const call of changed) latest.set(call.callId, call);
    for (const { callId } of removed) latest.set(callId, undefined);
    if (past.size === 0) continue;
    for (const call of changed) past.set(call.callId, call);
    for (const { callId } of removed) past.delete(callId);
  }
  const pairs = [...latest].map(([callId, is]) => ({ was: initial.get(callId), is }));
  return changesBetween(before, ledger, pairs, notices);
}

/** The changes from one ledger to another, given the calls in which they differ. */
export function changesBetween(
  before: Ledger,
  ledger: Ledger,
  pairs: readonly { readonly was: PortCall | undefined; readonly is: PortCall | undefined }[],
  notices: readonly Notice[] = [],
): PortChanges {
  const states = pairs.flatMap(({ was, is }) => [was, is]).filter((call) => call !== undefined);
  const isUnchanged = states.length === 0 && isDeepStrictEqual(ledgerClocks(ledger), ledgerClocks(before));
  return {
    ledger,
    written: pairs.map(({ is }) => is).filter((call) => call !== undefined),
    removed: pairs.flatMap(({ was, is }) => (was !== undefined && is === undefined ? [was] : [])),
    states,
    before: pairs.flatMap(({ was }) => was ?? []),
    notices,
    changedFromAt: isUnchanged
      ? undefined
      : Math.min(
          earliestOf(pairs.map(({ was, is }) => firstDifferenceAt(was, is))),
          firstCoverageDifferenceAt(before.coverage, ledger.coverage),
          earliestStated([before.lastObservedAt, ledger.lastObservedAt]) ?? Number.POSITIVE_INFINITY,
        ),
  };
}

export const recordsOf = (observations: readonly PortObservation[]): CallRecord[] =>
  observations.flatMap((observation) => (observation.kind === 'call-batch' ? observation.records : []));

/** Ids of records whose call the ledger lacks: it is new, or left the ledger long ago. */
export function unknownIds(ledger: Ledger, observations: readonly PortObservation[]): string[] {
  const known = new Set([...ledger.calls.values()].flatMap(recordIds));
  const ids = recordsOf(observations).map(({ callId }) => callId);
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/**
 * The first ATA from which the stored calls are needed too, because a record that the ledger no longer has may overlap with another call of its
 * vessel; undefined where none does. A call that lasted longer than a laid-up vessel's counts nowhere.
 * @param known calls that the ledger lacks and that are found by their ids
 */
export function overlappedSince(
  ledger: Ledger,
  observations: readonly PortObservation[],
  known: readonly PortCall[],
): Instant | undefined {
  const merging = observations.filter(
    (observation) => observation.kind === 'call-batch' && observation.arrivalsElsewhere !== undefined,
  );
  const ids = new Set([...ledger.calls.values(), ...known].flatMap(recordIds));
  const since = earliestOf(
    recordsOf(merging)
      .filter(({ callId }) => !ids.has(callId))
      .map(({ ataAt, atdAt, stops }) =>
        earliest(ataAt, atdAt, ...stops.flatMap((stop) => [stop.ataAt, stop.atdAt])),
      ),
  );
  const newestAt = Math.max(
    ledger.lastObservedAt ?? 0,
    latestOf(observations.map(({ observedAt }) => observedAt)),
  );
  return since < newestAt - LEDGER_REACH_MS ? since - LAID_UP_MS : undefined;
}

/** The earliest of the instants that are stated; infinite when none is. */
const earliest = (...instants: readonly (Instant | undefined)[]): Instant =>
  earliestStated(instants) ?? Number.POSITIVE_INFINITY;

const callStart = (call: PortCall): Instant => earliest(call.ataAt, call.legs[0]?.startAt);

/** Fields that change a figure. */
const CALL_FIELDS = ['vesselId', 'ataAt', 'waitKnown', 'traffic', 'vesselClass'] as const;
const LEG_FIELDS = ['zone', 'startAt', 'endAt', 'startUnknown', 'endUnknown'] as const;

/** The first instant at which two states of one call differ; a call that is new or removed differs from its start. */
export function firstDifferenceAt(before: PortCall | undefined, after: PortCall | undefined): Instant {
  if (before === undefined || after === undefined || CALL_FIELDS.some((name) => before[name] !== after[name]))
    return earliest(before && callStart(before), after && callStart(after));
  const longer = before.legs.length > after.legs.length ? before.legs : after.legs;
  const at = longer.findIndex((_, i) =>
    LEG_FIELDS.some((name) => before.legs[i]?.[name] !== after.legs[i]?.[name]),
  );
  const [was, is] = [before.legs[at], after.legs[at]];
  const onlyEndDiffers = was?.zone === is?.zone && was?.startAt === is?.startAt;
  const legAt = onlyEndDiffers ? earliest(was?.endAt, is?.endAt) : earliest(was?.startAt, is?.startAt);
  const atdAt = before.atdAt === after.atdAt ? undefined : earliest(before.atdAt, after.atdAt);
  return earliest(legAt, atdAt);
}

/** The first instant that only one of the two covers; infinite when there is none. */
export function firstCoverageDifferenceAt(before: Coverage, after: Coverage): Instant {
  for (let i = 0; i < Math.max(before.length, after.length); i += 1) {
    const [was, is] = [before[i], after[i]];
    if (was === undefined || is === undefined) return (was ?? is)?.fromAt ?? Number.POSITIVE_INFINITY;
    if (was.fromAt !== is.fromAt) return Math.min(was.fromAt, is.fromAt);
    if (was.toAt !== is.toAt) return Math.min(was.toAt, is.toAt);
  }
  return Number.POSITIVE_INFINITY;
}

/** UTC days on which a closed stay of any of `calls` ended. */
export const stayEndDays = (calls: Iterable<PortCall>): Set<Day> =>
  new Set([...calls].flatMap((call) => closedStays(call).map(({ endAt }) => dayOf(endAt))));

export interface StayDays {
  /** Days to compute. */
  readonly days: Iterable<Day>;
  /** The ledger has every stay that ended on or after this day. */
  readonly ledgerFromDay: Day;
  readonly ledger: Iterable<PortCall>;
  /** Changed calls as they are now, in the ledger or not. */
  readonly changed: readonly PortCall[];
  readonly removedIds: ReadonlySet<string>;
  /** Stays of the earlier days as the table has them. */
  readonly stored: Iterable<Stay>;
}

/** All stays of each day: from `ledgerFromDay` on the ledger's, before that the stored ones updated by the changed calls. */
export function staysByDay(input: StayDays): Map<Day, Stay[]> {
  const { ledgerFromDay, changed, removedIds } = input;
  const byDay = new Map<Day, Stay[]>(Array.from(input.days, (day) => [day, []]));
  const changedIds = new Set([...removedIds, ...changed.map(({ callId }) => callId)]);
  for (const stay of input.stored) {
    const day = dayOf(stay.endAt);
    if (day < ledgerFromDay && !changedIds.has(stay.callId)) byDay.get(day)?.push(stay);
  }
  const calls = new Map([...changed, ...input.ledger].map((call) => [call.callId, call]));
  const days = [...byDay.keys()];
  const [fromAt, toAt] = [earliestOf(days.map(startOfDay)), latestOf(days.map(endOfDay))];
  for (const call of calls.values()) {
    if (removedIds.has(call.callId)) continue;
    for (const stay of closedStays(call)) {
      if (stay.endAt < fromAt || stay.endAt >= toAt) continue;
      const day = dayOf(stay.endAt);
      if (day >= ledgerFromDay || changedIds.has(call.callId)) byDay.get(day)?.push(stay);
    }
  }
  return byDay;
}

/** Whether two lists have the same stays, in any order. */
export function sameStays(a: readonly Stay[], b: readonly Stay[]): boolean {
  const texts = (stays: readonly Stay[]): string[] =>
    stays.map(({ callId, kind, startAt, endAt }) => `${startAt} ${endAt} ${kind} ${callId}`).sort();
  return isDeepStrictEqual(texts(a), texts(b));
}

/** Days of metrics from which the alerts of the running quarter are made. */
export const SERIES_DAYS = MAX_PERIOD_DAYS + ALERT_MEMORY_DAYS;
/** A day's metrics look back over at most 28 days of berthings, and the ledger reaches back 35. */
export const LEDGER_DAYS = 7;

export interface PortState {
  /** As stored after the newest observation; undefined before the first. */
  readonly clocks: PortClocks | undefined;
  readonly ledger: Ledger;
  /** Metrics by day, of the last `SERIES_DAYS` days, oldest first. */
  readonly series: ReadonlyMap<Day, Known<DayFigures>>;
  /** Waits by day, of the last `LEDGER_DAYS` days. */
  readonly waits: ReadonlyMap<Day, Known<WaitDayPart>>;
  /** Alerts of the last `MAX_PERIOD_DAYS` days. */
  readonly alerts: readonly Known<Alert>[];
  /** Episodes of alerts that began in the last `SERIES_DAYS` days. */
  readonly raised: readonly RaisedAlert[];
  /** Calls that an interrupted pass may have written without the rows that follow from them. */
  readonly unfinished: readonly PortCall[];
}

/** Packed bytes of one process. A port beyond them is read from the tables with every pass. */
const MAX_BYTES = 300 * 2 ** 20;

/** The states of ports between passes, packed to a tenth: a process knows many ports and works on a few at a time. */
export class PortStates {
  private readonly packed = new Map<Locode, Buffer>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  get(port: Locode): PortState | undefined {
    const packed = this.packed.get(port);
    return packed && (deserialize(inflateRawSync(packed)) as PortState);
  }

  has(port: Locode): boolean {
    return this.packed.has(port);
  }

  /** When the cache is full, skips this port rather than evict another: passes ask for all ports in turn. */
  set(port: Locode, state: PortState): void {
    const packed = deflateRawSync(serialize(state), { level: 1 });
    this.bytes -= this.packed.get(port)?.length ?? 0;
    this.packed.delete(port);
    if (this.bytes + packed.length > this.maxBytes) return;
    this.packed.set(port, packed);
    this.bytes += packed.length;
  }

  clear(): void {
    this.packed.clear();
    this.bytes = 0;
  }
}

/** Calls are written before the clocks, so calls that are newer than the clocks may be of an interrupted pass. */
export const unfinishedAmong = (calls: readonly PortCall[], { lastObservedAt }: PortClocks): PortCall[] =>
  calls.filter(({ changedAt }) => changedAt >= (lastObservedAt ?? Number.NEGATIVE_INFINITY));

/** Returns the calls already changed by observations older than the clocks: the pass that applied them may have been interrupted. */
export function repeatedAmong(
  calls: Iterable<PortCall>,
  { lastObservedAt = Number.NEGATIVE_INFINITY }: PortClocks,
  observations: readonly PortObservation[],
): PortCall[] {
  const late = new Set(observations.map(({ observedAt }) => observedAt).filter((at) => at < lastObservedAt));
  return late.size === 0 ? [] : [...calls].filter(({ changedAt }) => late.has(changedAt));
}

/** Reads the stored calls that the ledger no longer has and that the observations may change. */
export async function olderCalls(
  { portCalls }: IngestStores,
  port: Locode,
  ledger: Ledger,
  observations: readonly PortObservation[],
): Promise<readonly PortCall[]> {
  const known = await portCalls.byId(port, unknownIds(ledger, observations));
  // An interrupted pass may have merged a call, and not deleted the row of the one that it was merged with.
  const unfinished = new Set([
    ...unfinishedAmong(known, ledger),
    ...repeatedAmong(known, ledger, observations),
  ]);
  const finished = known.filter((call) => !unfinished.has(call));
  const sinceAt = overlappedSince(ledger, observations, finished);
  if (sinceAt === undefined) return known;
  const around = await portCalls.since(port, sinceAt);
  return [...new Map([...around, ...known].map((call) => [call.callId, call])).values()];
}

/** Reads the port's tables as of its clocks and as of `asOfAt`, the time of the reports that will be applied. */
export async function readPortState(
  stores: IngestStores,
  port: Locode,
  stored: PortClocks | undefined,
  asOfAt: Instant,
): Promise<PortState> {
  const clocks = stored ?? NO_CLOCKS;
  const { lastObservedAt = asOfAt } = clocks;
  // After a long outage the ledger is as of its last observation, and reaches back from there.
  const sinceAt = Math.min(asOfAt, lastObservedAt) - LEDGER_REACH_MS;
  const newestAt = Math.max(asOfAt, lastObservedAt);
  const today = dayOf(newestAt);
  const [recent, long, series, waits, alerts, raised] = await Promise.all([
    stores.portCalls.since(port, sinceAt),
    stores.portCalls.byKey(port, clocks.longStays),
    stores.dailyMetrics.between(port, { from: addDays(today, -SERIES_DAYS), to: today }),
    stores.waitDays.between(port, { from: addDays(today, -LEDGER_DAYS), to: today }),
    stores.alerts.between(port, alertRange(startOfDay(addDays(today, -MAX_PERIOD_DAYS)), newestAt + DAY_MS)),
    stores.raisedAlerts.between(port, addDays(today, -SERIES_DAYS)),
  ]);
  const calls = [...long, ...recent];
  return {
    clocks: stored,
    ledger: openLedger(clocks, calls),
    series: byDay(series),
    waits: byDay(waits),
    alerts,
    raised,
    unfinished: unfinishedAmong(calls, clocks),
  };
}

export const byDay = <T extends { readonly day: Day }>(rows: readonly T[]): Map<Day, T> =>
  new Map(rows.map((row) => [row.day, row]));

/** The figures of a port's own row as of `asOfAt`, the newest observation. `series`: metrics by day, up to its day. */
export function rowFigures(
  ledger: Ledger,
  asOfAt: Instant,
  series: ReadonlyMap<Day, DayFigures>,
  settled?: SettledDays,
): Pick<PortRow, 'firstDay' | 'lastDay' | 'snapshot' | 'recent'> {
  const { coverage } = ledger;
  const calls = [...ledger.calls.values()];
  const stoppedSinceAt = stoppedSince([...series.values()], asOfAt);
  const snapshot: Snapshot = {
    ...snapshotAt({ asOfAt, calls, coverage, running: series.get(dayOf(asOfAt)) }),
    ...(stoppedSinceAt !== undefined && { stoppedSinceAt }),
  };
  return {
    ...coveredDays([...(settled?.coverage ?? []), ...coverage]),
    snapshot,
    recent: packRecent(recentFigures({ snapshot, calls, coverage, series })),
  };
}

/** First and last UTC day of the coverage; empty before anything is covered. */
function coveredDays(coverage: Coverage): Pick<PortRow, 'firstDay' | 'lastDay'> {
  const [first, last] = [coverage[0], coverage.at(-1)];
  if (first === undefined || last === undefined) return {};
  // Day files end at midnight, which begins a day without coverage.
  return { firstDay: dayOf(first.fromAt), lastDay: dayOf(Math.max(last.fromAt, last.toAt - 1)) };
}

// The plan of a fetch: the state of a port, the calls that its observations may change, and the changes.

export interface PortPlan {
  readonly port: Locode;
  readonly row: Known<PortRow>;
  /** How far the port has been read; undefined before its first observation. */
  readonly reached: ReachedReports | undefined;
  readonly state: PortState;
  /** In order of time. */
  readonly observations: readonly PortObservation[];
  /** Stored calls that the ledger no longer has and that the observations may change. */
  readonly older: readonly PortCall[];
  readonly changes: PortChanges;
  /** Every call of the port after the changes, where the plan has them: none is read from the tables then. */
  readonly allCalls?: readonly PortCall[];
}

/** Reads what the observations may change, and writes nothing. */
export async function planObservations(
  stores: IngestStores,
  stored: Pick<PortPlan, 'row' | 'reached' | 'state'>,
  observations: readonly PortObservation[],
): Promise<PortPlan> {
  const { port } = stored.row;
  const { ledger } = stored.state;
  const older = await olderCalls(stores, port, ledger, observations);
  return { ...stored, port, observations, older, changes: portChanges(ledger, observations, older) };
}
