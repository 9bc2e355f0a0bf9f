/** The counts of a reply that the judgement needs, from its observations and the changes that they would make, and the verdict. Pure. */
import type {
  CallRecord,
  CallsObservation,
  Observation,
  PollObservation,
  PortObservation,
  TradeObservation,
  TradeValue,
  VesselInPort,
} from '../calls/observation.ts';
import { isOnePlace, isOpen, type Leg, type PortCall, recordIds } from '../calls/port-call.ts';
import { type HsCode, hsLevel, type Locode } from '../reference/codes.ts';
import { groupBy, median, sum } from '../reference/statistics.ts';
import {
  addMonths,
  DAY_MS,
  earliestStated,
  HOUR_MS,
  type Instant,
  type Interval,
  type Month,
} from '../reference/time.ts';
import type { SourceStatus } from '../store/source-status.ts';
import {
  judge,
  type MonthCounts,
  type PortCounts,
  type ValueCounts,
  type Verdict,
} from '../upstream/judgement.ts';
import type { ListCount, ParsedFetch, SourceDeclaration } from '../upstream/source.ts';
import { type PortChanges, type PortPlan, type PortState, recordsOf } from './port-state.ts';

// How a reply compares with the known calls of one port: the counts that the judgement reads.

/** What the comparison reads of a plan. */
export type PlannedObservations = Pick<PortPlan, 'port' | 'older' | 'observations' | 'changes'> & {
  readonly state: Pick<PortState, 'ledger'>;
};

/** All counts of a port but that of its calls at other ports, which are known when all ports have been compared. */
export type OwnCounts = Omit<PortCounts, 'elsewhere'>;

/** Times further apart than this are of different voyages. */
const MAX_SHIFT_HOURS = 24;

/** Records are entered late, and reach a feed late; lists of the vessels in port are not. */
const LATE_MS = { record: DAY_MS, row: 3 * HOUR_MS, change: HOUR_MS };

/** A row of a poll is on its list by then. */
const LISTED_MS = HOUR_MS;

const vesselIds = ({ vesselId, otherIds = [] }: PortCall): string[] => [vesselId, ...otherIds];

function groupByVessel(calls: readonly PortCall[]): Map<string, PortCall[]> {
  const byVessel = new Map<string, PortCall[]>();
  for (const call of calls)
    for (const id of vesselIds(call)) byVessel.set(id, [...(byVessel.get(id) ?? []), call]);
  return byVessel;
}

/** The known calls as their records state them, each under every id that the source has recorded it under. */
const byRecordId = (calls: readonly PortCall[]): Map<string, PortCall> =>
  new Map(calls.flatMap((call) => (call.recorded ?? [call]).map((record) => [record.callId, record])));

// Known calls that a row restates: by how much their times differ, and whether vessel and expected time do.

interface Comparison {
  /** Undefined where no time can be compared. */
  readonly movedMs: number | undefined;
  readonly isRenamed: boolean;
  /** Undefined where no expected time can be compared. */
  readonly isExpectedOtherwise?: boolean | undefined;
}

const statedAta = ({ ataAt, ataInferred }: PortCall): Instant | undefined =>
  ataInferred ? undefined : ataAt;

/** The difference that all times have in common; 0 where they differ otherwise, undefined where there is no time. */
function commonShift(
  pairs: readonly (readonly [Instant | undefined, Instant | undefined])[],
): number | undefined {
  const shifts = pairs.flatMap(([was, is]) => (was === undefined || is === undefined ? [] : [is - was]));
  const [first] = shifts;
  return first !== undefined && shifts.some((shift) => shift !== first) ? 0 : first;
}

const isRenamed = (
  row: Pick<CallRecord, 'vesselId' | 'traffic' | 'vesselClass'> | VesselInPort,
  call: PortCall,
): boolean =>
  !vesselIds(call).includes(row.vesselId) ||
  ('imo' in row && row.imo !== undefined && call.imo !== undefined && row.imo !== call.imo) ||
  (row.traffic ?? 'cargo') !== call.traffic ||
  row.vesselClass !== call.vesselClass;

function compareRecord(record: CallRecord, call: PortCall): Comparison {
  const stops = record.stops.map(({ zone, place, ataAt }) => {
    const legs = call.legs.filter((leg) => leg.zone === zone);
    const leg =
      legs.find((candidate) => candidate.place === place) ?? (legs.length === 1 ? legs[0] : undefined);
    return [leg?.startAt, ataAt] as const;
  });
  return {
    movedMs: commonShift([
      [statedAta(call), record.ataAt],
      [call.atdInferred ? undefined : call.atdAt, record.atdAt],
      ...stops,
    ]),
    isRenamed: !record.cancelled && isRenamed(record, call),
    isExpectedOtherwise:
      record.listedAt === undefined || call.listedAt === undefined
        ? undefined
        : record.listedAt !== call.listedAt,
  };
}

/** Each vessel is compared with its latest call. */
function comparedRows(
  { inPort = [], arrived = [] }: PollObservation,
  byVessel: ReadonlyMap<string, readonly PortCall[]>,
): Comparison[] {
  const rows = new Map([...arrived, ...inPort].map((row) => [row.vesselId, row]));
  return [...rows.values()].flatMap((row) => {
    const calls = byVessel.get(row.vesselId) ?? [];
    return calls
      .toSorted((a, b) => a.ataAt - b.ataAt)
      .slice(-1)
      .map((call) => ({
        movedMs: commonShift([[statedAta(call), row.ataAt]]),
        isRenamed: isRenamed(row, call),
      }));
  });
}

/** The whole hours by which most of the times moved, and how many did. */
function commonHours(compared: readonly Comparison[]): Pick<PortCounts, 'moved' | 'movedHours'> {
  const counts = new Map<number, number>();
  for (const { movedMs = 0 } of compared) {
    const hours = movedMs / HOUR_MS;
    if (hours === 0 || !Number.isInteger(hours) || Math.abs(hours) > MAX_SHIFT_HOURS) continue;
    counts.set(hours, (counts.get(hours) ?? 0) + 1);
  }
  const [movedHours, moved] = [...counts].reduce(
    (most, entry) => (entry[1] > most[1] ? entry : most),
    [0, 0],
  );
  return { moved, movedHours };
}

// Known calls that the reply should mention, and those of them that it ends without a departure, or lacks.

/** Whether the observations report on a call: a full list reports every open call, a change feed only the calls it names. */
const speaksOf = (
  call: PortCall,
  observations: readonly PortObservation[],
  named: ReadonlySet<string>,
): boolean =>
  observations.some((observation) =>
    observation.kind === 'poll'
      ? observation.inPort !== undefined
      : isWithin(call, observation) || recordIds(call).some((id) => named.has(id)),
  );

const isWithin = ({ listedAt }: PortCall, { complete }: CallsObservation): boolean =>
  complete !== undefined && listedAt !== undefined && listedAt >= complete.fromAt && listedAt < complete.toAt;

/** The first and the last day of a window may be cut by the clock of the source. */
const arrivedIn = ({ ataAt, ataInferred }: PortCall, { fromAt, toAt }: Interval): boolean =>
  !ataInferred && ataAt >= fromAt + DAY_MS && ataAt < toAt;

/** Known calls that arrived in the window of a reply; those of them that it lacks, or whose departure it no longer states. */
function windowCounts(
  known: readonly PortCall[],
  observations: readonly PortObservation[],
  named: ReadonlySet<string>,
): Pick<PortCounts, 'open' | 'withdrawn'> {
  const windows = observations.flatMap((observation) =>
    observation.kind === 'poll' ? [] : (observation.window ?? []),
  );
  const due = known.filter((call) => windows.some((window) => arrivedIn(call, window)));
  const missing = due.filter((call) => !recordIds(call).some((id) => named.has(id)));
  const left = new Set(
    recordsOf(observations).flatMap(({ callId, atdAt }) => (atdAt === undefined ? [] : [callId])),
  );
  const stillHere = due.filter(
    (call) => call.atdAt !== undefined && !call.atdInferred && !recordIds(call).some((id) => left.has(id)),
  );
  return { open: due.length, withdrawn: Math.max(missing.length, stillHere.length) };
}

/** Calls that exist no more, other than by a merger, and those that end because a list of the vessels in port lacks them. */
function withdrawnAmong(
  open: readonly PortCall[],
  observations: readonly PortObservation[],
  { written, removed }: PortChanges,
): PortCall[] {
  const removedIds = new Set(removed.map(({ callId }) => callId));
  const after = byRecordId(written);
  const isPolled = observations.some(({ kind }) => kind === 'poll');
  return open.filter((call) => {
    const states = recordIds(call).flatMap((id) => after.get(id) ?? []);
    if (removedIds.has(call.callId)) return states.length === 0;
    return isPolled && states.some((state) => !isOpen(state) && state.atdInferred);
  });
}

/** The event of a row or a call, under each name of its vessel. */
const eventKeys = (ids: readonly string[], at: Instant | undefined): string[] =>
  ids.map((id) => `${id} ${at}`);

/** Largest number of known calls that one list of a poll should have and lacks: of open calls, of recent arrivals, or of recent departures. */
function missingFrom(observations: readonly PortObservation[], known: readonly PortCall[]): number {
  const lacking = (
    calls: readonly PortCall[],
    listed: ReadonlySet<string>,
    keys: (call: PortCall) => readonly string[] = vesselIds,
  ): number => calls.filter((call) => !keys(call).some((key) => listed.has(key))).length;
  const idsOf = (rows: readonly { readonly vesselId: string }[]): string[] =>
    rows.map(({ vesselId }) => vesselId);
  const missing = observations.flatMap((observation) => {
    if (observation.kind !== 'poll') return [];
    const { inPort, arrived, departed, unreadable = [], observedAt, reachMs = 0 } = observation;
    const anywhere = new Set([
      ...[inPort, arrived, departed].flatMap((rows) => idsOf(rows ?? [])),
      ...unreadable,
    ]);
    const arrivals = new Set(arrived?.flatMap(({ vesselId, ataAt }) => eventKeys([vesselId], ataAt)));
    const departures = new Set(departed?.flatMap(({ vesselId, atdAt }) => eventKeys([vesselId], atdAt)));
    const sinceAt = observedAt - reachMs;
    const hasArrived = known.filter((call) => !call.ataInferred && call.ataAt >= sinceAt);
    const hasLeft = known.filter((call) => !call.atdInferred && (call.atdAt ?? 0) >= sinceAt);
    return [
      inPort === undefined ? 0 : lacking(known.filter(isOpen), anywhere),
      arrived === undefined
        ? 0
        : lacking(hasArrived, arrivals, (call) => eventKeys(vesselIds(call), call.ataAt)),
      departed === undefined
        ? 0
        : lacking(hasLeft, departures, (call) => eventKeys(vesselIds(call), call.atdAt)),
    ];
  });
  return Math.max(0, ...missing);
}

// What the reply says of the past: facts stated before that would differ, and calls that earlier replies should have had.

/** A later list may state a berth of the terminal that an earlier one named. */
const isSamePlace = (a: string | undefined, b: string | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && isOnePlace(a, b));

/** Whether the call after a reply lacks something that was stated of it before. */
function isRewritten(before: PortCall, after: PortCall): boolean {
  if (!before.ataInferred && after.ataAt !== before.ataAt) return true;
  if (before.atdAt !== undefined && !before.atdInferred && after.atdAt !== before.atdAt) return true;
  if (!vesselIds(after).includes(before.vesselId) || after.traffic !== before.traffic) return true;
  if (before.vesselClass !== undefined && after.vesselClass !== before.vesselClass) return true;
  const isKept = (leg: Leg): boolean =>
    after.legs.some(
      ({ startAt, zone, place }) =>
        startAt === leg.startAt && zone === leg.zone && isSamePlace(place, leg.place),
    );
  return !before.legs.every(isKept);
}

const isRelocated = (before: PortCall, after: PortCall): boolean =>
  isOpen(before) && isOpen(after) && !isSamePlace(before.legs.at(-1)?.place, after.legs.at(-1)?.place);

/** An event of a reply, and the known call that it belongs to. */
interface NamedEvent {
  readonly call: PortCall | undefined;
  /** An earlier reply should have had it. */
  readonly isPast: boolean;
}

/** A list should have had a call since its first event, a feed of changes since the change. */
function recordEvents(
  { records, changesFromAt }: CallsObservation,
  byRecord: ReadonlyMap<string, PortCall>,
  lastAt: Instant,
): NamedEvent[] {
  return records
    .filter(({ cancelled }) => !cancelled)
    .map(({ callId, ataAt, atdAt, stops, recordedAt }) => {
      const call = byRecord.get(callId);
      if (changesFromAt !== undefined)
        return { call, isPast: recordedAt >= changesFromAt && recordedAt < lastAt - LATE_MS.change };
      const firstAt = earliestStated([ataAt, atdAt, ...stops.map((stop) => stop.ataAt)]);
      return { call, isPast: firstAt !== undefined && firstAt < lastAt - LATE_MS.record };
    });
}

/** A row is of a known call when that has its time. */
function rowEvents(
  { inPort = [], arrived = [], departed = [] }: PollObservation,
  byVessel: ReadonlyMap<string, readonly PortCall[]>,
  lastAt: Instant,
): NamedEvent[] {
  const event = (vesselId: string, key: 'ataAt' | 'atdAt', at: Instant): NamedEvent => ({
    call: byVessel.get(vesselId)?.find((call) => call[key] === at),
    isPast: at < lastAt - LATE_MS.row,
  });
  return [
    ...[...inPort, ...arrived].map(({ vesselId, ataAt }) => event(vesselId, 'ataAt', ataAt)),
    ...departed.map(({ vesselId, atdAt }) => event(vesselId, 'atdAt', atdAt)),
  ];
}

/** Known calls whose log a window states again, and those of them that it states with fewer stops. */
function shortenedLogs(
  observations: readonly PortObservation[],
  byRecord: ReadonlyMap<string, PortCall>,
): Pick<PortCounts, 'due' | 'unsaid'> {
  const restated = recordsOf(observations).flatMap(({ callId, stops, keepsEarlier }) => {
    const call = keepsEarlier === 'log' ? byRecord.get(callId) : undefined;
    return call === undefined || call.legs.length === 0 ? [] : [{ stops, call }];
  });
  return {
    due: restated.length,
    unsaid: restated.filter(({ stops, call }) => stops.length < call.legs.length).length,
  };
}

/** Known calls that changed since the beginning of a feed of changes, and those that it lacks or has as they were before. */
function statedChanges(
  known: readonly PortCall[],
  observations: readonly PortObservation[],
): Pick<PortCounts, 'due' | 'unsaid'> {
  let [due, unsaid] = [0, 0];
  for (const observation of observations) {
    if (observation.kind === 'poll' || observation.changesFromAt === undefined) continue;
    const stated = new Map(observation.records.map(({ callId, recordedAt }) => [callId, recordedAt]));
    for (const call of known) {
      const { recordedAt = Number.NEGATIVE_INFINITY } = call;
      if (recordedAt < observation.changesFromAt) continue;
      due += 1;
      if (recordIds(call).every((id) => (stated.get(id) ?? Number.NEGATIVE_INFINITY) < recordedAt))
        unsaid += 1;
    }
  }
  return { due, unsaid };
}

/** How the observations of a port state its calls. */
function formOf(observations: readonly PortObservation[]): PortCounts['form'] {
  if (observations.every((observation) => observation.kind === 'poll' || observation.complete !== undefined))
    return 'list';
  return observations.every((observation) => observation.kind === 'call-batch' && observation.window)
    ? 'window'
    : 'feed';
}

/**
 * Counts of the list of a poll with the most late events: its events over an hour before the last accepted reply, and those of them that
 * no earlier reply had.
 */
function lateEvents(
  observations: readonly PortObservation[],
  byVessel: ReadonlyMap<string, readonly PortCall[]>,
  lastAt: Instant,
): Pick<PortCounts, 'listedEvents' | 'lateEvents'> {
  const lists = observations.flatMap((observation) => {
    if (observation.kind !== 'poll') return [];
    const { inPort = [], arrived = [], departed = [] } = observation;
    const hasCall = (vesselId: string, isIts: (call: PortCall) => boolean): boolean =>
      byVessel.get(vesselId)?.some(isIts) ?? false;
    const entered = [inPort, arrived].map((rows) =>
      rows.map(({ vesselId, ataAt }) => ({
        at: ataAt,
        isKnown: hasCall(vesselId, (call) => call.ataAt === ataAt || call.ataInferred === true),
      })),
    );
    // A list of departures that was missing for a time states those that were inferred meanwhile.
    const left = departed.map(({ vesselId, atdAt }) => ({
      at: atdAt,
      isKnown: hasCall(vesselId, (call) => call.atdAt === atdAt || call.atdInferred === true),
    }));
    return [...entered, left].map((rows) => {
      const past = rows.filter(({ at }) => at < lastAt - LISTED_MS);
      return { listedEvents: past.length, lateEvents: past.filter(({ isKnown }) => !isKnown).length };
    });
  });
  return lists.reduce((most, list) => (list.lateEvents > most.lateEvents ? list : most), {
    listedEvents: 0,
    lateEvents: 0,
  });
}

/** Without a span or a beginning, nothing says which calls an earlier reply should have had. */
const isJudgedForStrangers = (observations: readonly PortObservation[]): boolean =>
  formOf(observations) !== 'feed' ||
  observations.some(
    (observation) => observation.kind === 'call-batch' && observation.changesFromAt !== undefined,
  );

/** @param lastAt time of the last accepted reply; minus infinity before the first */
function ownCounts(
  { port, state: { ledger }, older, observations, changes }: PlannedObservations,
  lastAt: Instant,
): OwnCounts {
  const current = [...ledger.calls.values()];
  // What was read of older calls may have some of the ledger too.
  const known = [...new Map([...older, ...current].map((call) => [call.callId, call])).values()];
  const byVessel = groupByVessel(known);
  const records = byRecordId(known);
  const byRecord = new Map(known.flatMap((call) => recordIds(call).map((id) => [id, call])));

  const compared = observations.flatMap((observation) =>
    observation.kind === 'poll'
      ? comparedRows(observation, byVessel)
      : observation.records.flatMap((record) => {
          const call = records.get(record.callId);
          return call === undefined ? [] : [compareRecord(record, call)];
        }),
  );
  const listed = new Set(recordsOf(observations).map(({ callId }) => callId));
  const open = current.filter((call) => isOpen(call) && speaksOf(call, observations, listed));
  const withdrawn = withdrawnAmong(open, observations, changes).length;

  const events = observations.flatMap((observation) =>
    observation.kind === 'poll'
      ? rowEvents(observation, byVessel, lastAt)
      : recordEvents(observation, byRecord, lastAt),
  );
  const pairs = changes.written.flatMap((after) => {
    const before = byRecord.get(after.callId);
    return before === undefined ? [] : [[before, after] as const];
  });
  const isPolled = observations.some(({ kind }) => kind === 'poll');
  const past = events.filter(({ isPast }) => isPast && isJudgedForStrangers(observations));
  const form = formOf(observations);
  const inPort = current.filter((call) => isOpen(call) && call.traffic !== 'ferry');
  const after = byRecordId(changes.written);
  const ended = inPort.filter((call) => {
    const is = after.get(call.callId);
    return is !== undefined && !isOpen(is);
  });
  return {
    port,
    form,
    ...(form === 'window'
      ? windowCounts(known, observations, listed)
      : {
          open: open.length,
          withdrawn: Math.max(withdrawn, missingFrom(observations, known)),
        }),
    inPort: inPort.length,
    ended: ended.length,
    known: compared.filter(({ movedMs }) => movedMs !== undefined).length,
    ...commonHours(compared),
    compared: compared.length,
    renamed: compared.filter((row) => row.isRenamed).length,
    expectedAgain: compared.filter(({ isExpectedOtherwise }) => isExpectedOtherwise !== undefined).length,
    expectedOtherwise: compared.filter(({ isExpectedOtherwise }) => isExpectedOtherwise).length,
    listed: listed.size,
    named: new Set(events.flatMap(({ call }) => call?.callId ?? [])).size,
    rewritten: pairs.filter(([before, after]) => isRewritten(before, after)).length,
    relocated: isPolled ? pairs.filter(([before, after]) => isRelocated(before, after)).length : 0,
    past: past.length,
    strangers: past.filter(({ call }) => call === undefined).length,
    ...lateEvents(observations, byVessel, lastAt),
    ...(form === 'window' ? shortenedLogs(observations, byRecord) : statedChanges(known, observations)),
  };
}

// Counts of published monthly values.

/** One series of a publication, and what is known of it. */
export interface PublishedSeries {
  readonly code: HsCode;
  readonly measure: string;
  readonly values: readonly TradeValue[];
  readonly known: ReadonlyMap<Month, number>;
}

/** The series of a publication. */
export function seriesOf({ measure, values }: TradeObservation): Omit<PublishedSeries, 'known'>[] {
  return [...groupBy(values, ({ code }) => code)].map(([code, of]) => ({ code, measure, values: of }));
}

/** Name of the list of one measure at one level. */
const valueList = (code: HsCode, measure: string): string => `${hsLevel(code)} ${measure}`;

/** Smaller amounts are equal by chance. */
const DISTINCT_USD = 1_000_000;

/** A code and its only part have equal values. */
const isRelated = (a: HsCode, b: HsCode): boolean => a.startsWith(b) || b.startsWith(a);

/** New values that equal, digit by digit, a known one of another month or code of the measure. */
function displacedAmong(
  changed: readonly TradeValue[],
  series: readonly PublishedSeries[],
): ReadonlySet<TradeValue> {
  const byValue = groupBy(
    changed.filter(({ value }) => value >= DISTINCT_USD),
    ({ value }) => value,
  );
  const displaced = new Set<TradeValue>();
  for (const { code, known } of series)
    for (const [month, value] of known)
      for (const twin of byValue.get(value) ?? [])
        if (twin.code === code ? twin.month !== month : !isRelated(twin.code, code)) displaced.add(twin);
  return displaced;
}

/** Months of a level that the publication adds, each against the month before it and the same month of the year before. */
function newMonths(series: readonly PublishedSeries[]): MonthCounts[] {
  const added = series.flatMap(({ values, known }) => values.filter(({ month }) => !known.has(month)));
  const months = [...new Set(added.map(({ month }) => month))].sort();
  const valuesOf = series.map(
    ({ values, known }) => new Map([...known, ...values.map(({ month, value }) => [month, value] as const)]),
  );
  return months.flatMap((month) =>
    [1, 12].map((back): MonthCounts => {
      const ratios = valuesOf.flatMap((values) => {
        const [is, was] = [values.get(month) ?? 0, values.get(addMonths(month, -back)) ?? 0];
        return Math.min(is, was) < DISTINCT_USD ? [] : [is / was];
      });
      const apart = ratios.filter((ratio) => ratio > 2 || ratio < 0.5).length;
      return { month, back, chapters: ratios.length, apart, medianRatio: median(ratios) ?? 1 };
    }),
  );
}

/** Counts of each level of one measure. */
function countsOf(series: readonly PublishedSeries[]): ValueCounts[] {
  const listOf = ({ code, measure }: PublishedSeries): string => valueList(code, measure);
  const changedIn = ({ values, known }: PublishedSeries): TradeValue[] =>
    values.filter(({ month, value }) => known.get(month) !== value);
  const displaced = displacedAmong(series.flatMap(changedIn), series);
  const byList = [...groupBy(series, listOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byList.map(([list, listed]) => {
    const restated = listed.flatMap(({ values, known }) =>
      values.flatMap(({ month, value }) => {
        const last = known.get(month);
        return last === undefined ? [] : [[value, last] as const];
      }),
    );
    const changed = listed.flatMap(changedIn);
    return {
      list,
      months: list.startsWith('HS2 ') ? newMonths(listed) : [],
      known: restated.length,
      revised: restated.filter(([value, last]) => Math.max(value, last) > 1.1 * Math.min(value, last)).length,
      stated: sum(listed.map(({ values }) => values.length)),
      strangers: sum(listed.map(({ values, known }) => (known.size === 0 ? values.length : 0))),
      changed: changed.length,
      displaced: changed.filter((value) => displaced.has(value)).length,
    };
  });
}

export const valueCounts = (series: readonly PublishedSeries[]): ValueCounts[] =>
  [...groupBy(series, ({ measure }) => measure).values()].flatMap(countsOf);

/** Compares the ports of one reply, one after the other, and keeps counts of them alone. */
export class ReplyComparison {
  /** By call of the reply, the ports that list it or know it. */
  private readonly portsOf: ReadonlyMap<string, Set<Locode>>;
  private readonly ports: { readonly own: OwnCounts; readonly ids: ReadonlySet<string> }[] = [];

  /** @param lastAt the last accepted reply */
  constructor(
    observations: readonly Observation[],
    private readonly lastAt = Number.NEGATIVE_INFINITY,
  ) {
    const records = recordsOf(observations.filter((observation) => observation.kind !== 'trade'));
    this.portsOf = new Map(records.map(({ callId }) => [callId, new Set()]));
  }

  add(plan: PlannedObservations): void {
    const { port, state, observations } = plan;
    const records = recordsOf(observations);
    const known = [...state.ledger.calls.values()].flatMap(recordIds);
    const listed = records.flatMap(({ callId, cancelled }) => (cancelled ? [] : [callId]));
    for (const callId of [...known, ...listed]) this.portsOf.get(callId)?.add(port);
    const ids = new Set(records.map(({ callId }) => callId));
    this.ports.push({ own: ownCounts(plan, this.lastAt), ids });
  }

  /** By port. */
  counts(): PortCounts[] {
    const isElsewhere = (callId: string, port: Locode): boolean =>
      [...(this.portsOf.get(callId) ?? [])].some((other) => other !== port);
    return this.ports
      .map(({ own, ids }) => ({
        ...own,
        elsewhere: [...ids].filter((callId) => isElsewhere(callId, own.port)).length,
      }))
      .sort((a, b) => (a.port < b.port ? -1 : 1));
  }
}

/** Values by level and measure. */
const valueRows = ({ measure, values }: TradeObservation): ListCount[] =>
  [...groupBy(values, ({ code }) => valueList(code, measure))].map(([list, rows]) => ({
    list,
    rows: rows.length,
    refused: 0,
  }));

const rowsOf = (observation: Observation): ListCount[] => {
  if (observation.kind === 'trade') return [];
  const { port } = observation;
  if (observation.kind === 'poll')
    return (['inPort', 'arrived', 'departed'] as const).flatMap((list) => {
      const rows = observation[list];
      return rows === undefined ? [] : [{ list, port, rows: rows.length, refused: 0, days: 1 }];
    });
  const { records, complete } = observation;
  const days = complete && { days: (complete.toAt - complete.fromAt) / DAY_MS };
  return [{ list: 'calls', port, rows: records.length, refused: 0, ...days }];
};

/**
 * The rows of each list as the source counts them, else as its observations have them, with all refusals together; batches of changes have no
 * usual number of rows. Monthly values are counted by level and measure too.
 */
export function listCounts({ lists, observations, refusals }: ParsedFetch): readonly ListCount[] {
  const values = observations.flatMap((observation) =>
    observation.kind === 'trade' ? valueRows(observation) : [],
  );
  if (lists.length > 0) return [...lists, ...values];
  const reported = observations.flatMap(rowsOf);
  const rows = sum(reported.map((list) => list.rows)) + refusals.count;
  return [
    ...reported.filter(({ days }) => days !== undefined),
    ...values,
    { list: 'rows', rows, refused: refusals.count },
  ];
}

/** Calls that are made from positions are judged by the steps that make them: they correct and withdraw their own. */
export const isCompared = ({ kind, boxes }: SourceDeclaration): boolean =>
  boxes === undefined && kind !== 'trade';

/** The verdict on a reply that can be read. `ports`: where its source is compared. */
export function judgeReply(
  parsed: ParsedFetch,
  ports: readonly PortCounts[],
  { shown = {}, lastFetchAt }: Pick<SourceStatus, 'shown' | 'lastFetchAt'>,
  fetchedAt: Instant,
  values: readonly ValueCounts[] = [],
): Verdict {
  return judge({ lists: listCounts(parsed), ports, values }, shown, fetchedAt - (lastFetchAt ?? fetchedAt));
}
