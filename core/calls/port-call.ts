/** The port call: one vessel's visit to one port, with its legs, its identity and its closed stays. */
import { createHash } from 'node:crypto';
import type { Locode } from '../reference/codes.ts';
import {
  DAY_MS,
  type Day,
  endOfDay,
  formatInstant,
  HOUR_MS,
  type Instant,
  type Interval,
  startOfDay,
} from '../reference/time.ts';
import type { CallRecord, Notice, Traffic, VesselClass, Zone } from './observation.ts';

export interface Position {
  readonly zone: Zone;
  readonly place: string;
}

/** One place within a call. Legs of a call follow one another and never overlap; only the last may be open. */
export interface Leg extends Position {
  readonly startAt: Instant;
  /** Absent while the vessel is still there. */
  readonly endAt?: Instant;
  /** The leg was inferred from ATA and ATD; no poll saw it. */
  readonly inferred?: true;
  /** The leg began in a gap between polls that is not covered: `startAt` is the end of that gap. */
  readonly startUnknown?: true;
  /** The leg ended in a gap between polls that is not covered: `endAt` is the end of that gap. */
  readonly endUnknown?: true;
}

export interface PortCall {
  /** Stable for one call: replaying the same observations gives the same id. */
  readonly callId: string;
  readonly port: Locode;
  /** The id under which the source first listed the vessel; equal for all calls of one vessel. */
  readonly vesselId: string;
  /** IMO number, where the source has stated it. */
  readonly imo?: string;
  /** Further ids under which the source has listed the vessel: its call signs after a change of flag. */
  readonly otherIds?: readonly string[];
  readonly traffic: Traffic;
  readonly vesselClass?: VesselClass;
  readonly ataAt: Instant;
  /** No source stated the ATA: `ataAt` is the latest possible one, and no arrival is counted. */
  readonly ataInferred?: true;
  /** When the vessel left its last berth or anchorage. A `moving` leg may follow while it is in port waters. */
  readonly atdAt?: Instant;
  /** The ATD was inferred from the vessel's absence; an ATD that the source states replaces it. */
  readonly atdInferred?: true;
  /** Oldest first. */
  readonly legs: readonly Leg[];
  /** False where the wait before the first berth could not be observed: the call counts in no wait figure. */
  readonly waitKnown: boolean;
  /** ATA as first reported. It is part of the row's key, so it stays when the source corrects the ATA. */
  readonly firstAtaAt: Instant;
  /** `observedAt` of the observation that last changed this call. */
  readonly changedAt: Instant;
  /** For calls made from records: the stamp of the record that this call shows. */
  readonly recordedAt?: Instant;
  /** For calls made from records: the time by which the source lists the record. */
  readonly listedAt?: Instant;
  /** Newest first: the records from which this call was made, where its legs do not say all that they state. */
  readonly records?: readonly CallRecord[];
  /** The vessel arrived in another port of the source at this time, after the last event of this call. */
  readonly elsewhereAt?: Instant;
  /** The calls as their records state them, when this one is merged from several or closed by a later arrival. */
  readonly recorded?: readonly PortCall[];
}

/** The ids under which the source records the call: several where it is merged. */
export const recordIds = ({ callId, recorded = [] }: PortCall): readonly string[] => [
  ...new Set([callId, ...recorded.map((call) => call.callId)]),
];

/** A vessel in port for longer than this is laid up and not counted. */
export const LAID_UP_MS = 60 * DAY_MS;

const ID_LENGTH = 16;

/** Id of a call, from the first time that was reported for it: its ATA, or its ATD when no ATA is known. */
export function makeCallId(
  port: Locode,
  vesselId: string,
  first: { readonly event: 'ata' | 'atd'; readonly at: Instant },
): string {
  const identity = [port, vesselId, first.event, formatInstant(first.at)].join('|');
  return createHash('sha256').update(identity).digest('hex').slice(0, ID_LENGTH);
}

/** When the vessel left port waters; undefined while it is in port. Never before its ATD, often later. */
export function leftAt(call: PortCall): Instant | undefined {
  const last = call.legs.at(-1);
  if (last === undefined) return call.atdAt;
  if (last.endAt === undefined) return undefined;
  return call.atdAt === undefined ? undefined : Math.max(last.endAt, call.atdAt);
}

/** The ATD, unless it fell in a gap between polls that is not covered. */
export const knownDepartureAt = (call: PortCall): Instant | undefined =>
  call.atdInferred && (call.legs.at(-1)?.endUnknown ?? call.recorded !== undefined) ? undefined : call.atdAt;

/** Whether the newest observation lists the vessel in port, even if it has already left its berth. */
export const isOpen = (call: PortCall): boolean => leftAt(call) === undefined;

const LEG_FIELDS = ['zone', 'place', 'startAt', 'endAt', 'inferred', 'startUnknown', 'endUnknown'] as const;

const isSameLeg = (a: Leg, b: Leg | undefined): boolean =>
  b !== undefined && LEG_FIELDS.every((field) => a[field] === b[field]);

const content = (records: readonly CallRecord[] | undefined): string | undefined =>
  JSON.stringify(records?.map(({ recordedAt: _, ...record }) => record));

/** Fields that are compared as they are; lists are not, and neither is the bookkeeping. */
const PLAIN_FIELDS = [
  'callId',
  'port',
  'vesselId',
  'imo',
  'traffic',
  'vesselClass',
  'ataAt',
  'ataInferred',
  'atdAt',
  'atdInferred',
  'firstAtaAt',
  'waitKnown',
  'listedAt',
  'elsewhereAt',
] as const satisfies readonly (keyof PortCall)[];

/** Equality that ignores the bookkeeping fields `changedAt` and `recordedAt`. */
export const isSameCall = (a: PortCall, b: PortCall): boolean =>
  PLAIN_FIELDS.every((field) => a[field] === b[field]) &&
  a.otherIds?.join() === b.otherIds?.join() &&
  isSameList(a.recorded, b.recorded) &&
  content(a.records) === content(b.records) &&
  a.legs.length === b.legs.length &&
  a.legs.every((leg, index) => isSameLeg(leg, b.legs[index]));

const isSameList = (a: readonly PortCall[] = [], b: readonly PortCall[] = []): boolean =>
  a.length === b.length &&
  a.every((call, index) => {
    const other = b[index];
    return other !== undefined && isSameCall(call, other);
  });

/** `wait` at an anchorage, `berth` at a berth. */
export const STAY_KINDS = ['wait', 'berth'] as const;
export type StayKind = (typeof STAY_KINDS)[number];

/** A closed stay, `[startAt, endAt)`; stays of one call never overlap. */
export interface Stay {
  readonly callId: string;
  readonly kind: StayKind;
  readonly startAt: Instant;
  readonly endAt: Instant;
}

/**
 * The ended legs at anchorages and berths, oldest first; not those that began or ended at an unknown time or when the
 * vessel was laid up, nor those of a call that counts nowhere.
 */
export function closedStays(call: PortCall): Stay[] {
  const { callId, ataAt } = call;
  if (call.traffic === 'ferry') return [];
  return call.legs.flatMap(({ zone, startAt, endAt, startUnknown, endUnknown }) => {
    if (zone === 'moving' || endAt === undefined || endAt <= startAt) return [];
    if (startUnknown || endUnknown || endAt - ataAt > LAID_UP_MS) return [];
    return [{ callId, kind: zone === 'anchorage' ? 'wait' : 'berth', startAt, endAt }];
  });
}

// Operations on positions and legs: naming, ending, cutting and moving, so that no two legs ever overlap.

/** Separates a wider place from an exact one within it: `KWAI CHUNG > BERTH 7` lies in `KWAI CHUNG`. */
export const WITHIN = ' > ';

const contains = (wider: string, exact: string): boolean => exact.startsWith(wider + WITHIN);

/** Whether both names can mean one place: they are equal, or one is more exact than the other. */
export const isOnePlace = (a: string, b: string): boolean => a === b || contains(a, b) || contains(b, a);

const moreExact = (a: string, b: string): string => (contains(a, b) ? b : a);

/** Whether a vessel on `leg` that is now reported at `position` has stayed where it was. */
export const isSamePosition = (leg: Position, position: Position): boolean =>
  leg.zone === position.zone && (leg.zone === 'moving' || isOnePlace(leg.place, position.place));

export const named = (leg: Leg, position: Position): Leg =>
  leg.zone === 'moving' || moreExact(leg.place, position.place) === leg.place
    ? leg
    : { ...leg, place: position.place };

export function reopened(leg: Leg): Leg {
  const { endAt: _, endUnknown: __, ...open } = leg;
  return open;
}

/** `leg` ended at `endAt`, or at its start when that is later. */
export const ended = (leg: Leg, endAt: Instant): Leg => ({
  ...reopened(leg),
  endAt: Math.max(leg.startAt, endAt),
});

/** A time at which a vessel moved or left; `unknown` when it is only the end of a gap that is not covered. */
export interface ChangeTime {
  readonly at: Instant;
  readonly unknown: boolean;
}

export const endedBy = (leg: Leg, { at, unknown }: ChangeTime): Leg =>
  unknown ? { ...ended(leg, at), endUnknown: true } : ended(leg, at);

const hasLength = (leg: Leg): boolean => leg.endAt === undefined || leg.endAt > leg.startAt;

/** The part of the legs before `at`, all closed. */
export const legsBefore = (legs: readonly Leg[], at: Instant): Leg[] =>
  legs.map((leg) => (leg.endAt !== undefined && leg.endAt <= at ? leg : ended(leg, at))).filter(hasLength);

export const legsFrom = (legs: readonly Leg[], at: Instant): Leg[] =>
  legs
    .filter((leg) => leg.endAt === undefined || leg.endAt > at)
    .map((leg) => (leg.startAt >= at ? leg : startedAt(leg, at)));

export function startedAt(leg: Leg, startAt: Instant): Leg {
  const { startUnknown: _, ...known } = leg;
  return { ...known, startAt };
}

/** The legs with the vessel moved to `position` by a change, and staying there. */
export function withMove(legs: readonly Leg[], position: Position, { at, unknown }: ChangeTime): Leg[] {
  const { zone, place } = position;
  const last = legs.at(-1);
  const startAt = Math.max(at, last?.startAt ?? at);
  const isOpen = last !== undefined && last.endAt === undefined;
  const left = isOpen ? [...legs.slice(0, -1), endedBy(last, { at: startAt, unknown })] : legs;
  return [...legsBefore(left, startAt), { zone, place, startAt, startUnknown: unknown || undefined }];
}

// Coverage: the spans for which the service knows what happened in a port.

/** A gap between two polls longer than this is not covered. */
export const MAX_POLL_GAP_MS = 4 * HOUR_MS;
/** A day with less coverage has no wait and no score. */
export const MIN_DAY_COVERAGE = 0.8;

/** Covered spans of one port, oldest first, disjoint. */
export type Coverage = readonly Interval[];

/** Adds a span, joining those that touch or overlap. */
export function addCoverage(coverage: Coverage, span: Interval): Coverage {
  const apart = coverage.filter((run) => run.toAt < span.fromAt || run.fromAt > span.toAt);
  const joined = coverage.filter((run) => !apart.includes(run));
  const merged = {
    fromAt: Math.min(span.fromAt, ...joined.map((run) => run.fromAt)),
    toAt: Math.max(span.toAt, ...joined.map((run) => run.toAt)),
  };
  return [...apart, merged].sort((a, b) => a.fromAt - b.fromAt);
}

/** `span` without `holes`, oldest first. */
export const withoutHoles = (span: Interval, holes: readonly Interval[]): readonly Interval[] =>
  holes.reduce<readonly Interval[]>(
    (parts, hole) =>
      parts.flatMap((part) =>
        [
          { fromAt: part.fromAt, toAt: Math.min(part.toAt, hole.fromAt) },
          { fromAt: Math.max(part.fromAt, hole.toAt), toAt: part.toAt },
        ].filter(({ fromAt, toAt }) => fromAt < toAt),
      ),
    [span],
  );

/** Adds a poll at `observedAt`: it covers back to the poll before it when that one is near enough. */
export function addPollCoverage(coverage: Coverage, observedAt: Instant): Coverage {
  const last = coverage.at(-1);
  const near = last !== undefined && observedAt - last.toAt <= MAX_POLL_GAP_MS;
  return addCoverage(coverage, { fromAt: near ? last.toAt : observedAt, toAt: observedAt });
}

/** Share of `span` that is covered, 0 to 1; the span must not be empty. */
export function coveredShare(coverage: Coverage, { fromAt, toAt }: Interval): number {
  const coveredMs = coverage.reduce(
    (sum, run) => sum + Math.max(0, Math.min(run.toAt, toAt) - Math.max(run.fromAt, fromAt)),
    0,
  );
  return coveredMs / (toAt - fromAt);
}

/** Share of `day` that is covered, 0 to 1; a day still running, or the very first, counts only its part so far. */
export function dayCoverage(coverage: Coverage, day: Day, asOfAt: Instant): number {
  const firstEver = coverage[0]?.fromAt;
  if (firstEver === undefined || endOfDay(day) <= firstEver) return 0;
  const fromAt = Math.max(startOfDay(day), firstEver);
  const toAt = Math.min(endOfDay(day), asOfAt);
  if (toAt <= fromAt) return coverage.some((run) => run.fromAt <= toAt && toAt <= run.toAt) ? 1 : 0;
  return coveredShare(coverage, { fromAt, toAt });
}

// The ledger of one port: its recent and open calls, and how far its observations have been read.

/** How long a call stays in the ledger after its vessel left: longer than any list or window reaches back. */
export const LEDGER_REACH_MS = 35 * DAY_MS;

export interface CallKey {
  readonly callId: string;
  readonly firstAtaAt: Instant;
}

/** State of a port between two observations; plain data, written after the calls. */
export interface PortClocks {
  readonly coverage: Coverage;
  /** `observedAt` of the newest observation applied. */
  readonly lastObservedAt?: Instant;
  /** `observedAt` of the newest poll with a usable list of the vessels in port. */
  readonly lastInPortAt?: Instant;
  /** Calls of the ledger whose first ATA is beyond the reach; each is read by its key. */
  readonly longStays: readonly CallKey[];
  /** Records withdrawn recently: the stamp of the withdrawal, by call id. */
  readonly cancelled: Readonly<Record<string, Instant>>;
}

export interface Ledger extends PortClocks {
  readonly calls: ReadonlyMap<string, PortCall>;
}

/** What an observation says of a port, before it is compared with the ledger. */
export interface Reading {
  readonly clocks: PortClocks;
  /** Calls that the observation mentions, in their new state; some may be unchanged. */
  readonly calls: readonly PortCall[];
  /** Calls that no longer exist after the observation. */
  readonly removed: readonly PortCall[];
  readonly notices: readonly Notice[];
}

export const NO_CLOCKS: PortClocks = { coverage: [], longStays: [], cancelled: {} };

/** A ledger from stored clocks and calls: those with a first ATA within the reach, and every long stay. */
export const openLedger = (clocks: PortClocks = NO_CLOCKS, calls: Iterable<PortCall> = []): Ledger => ({
  ...clocks,
  calls: new Map(Array.from(calls, (call) => [call.callId, call])),
});

export function ledgerClocks(ledger: Ledger): PortClocks {
  const { calls: _, ...clocks } = ledger;
  return clocks;
}

/** Whether `call` belongs in the ledger: its vessel is in port or left within the reach. */
export const isKept = (call: PortCall, asOfAt: Instant): boolean =>
  (leftAt(call) ?? asOfAt) >= asOfAt - LEDGER_REACH_MS;

/** The ledger of `calls` without those past the reach, and with its long stays listed. */
export function settle(clocks: PortClocks, calls: ReadonlyMap<string, PortCall>, asOfAt: Instant): Ledger {
  const kept = new Map<string, PortCall>();
  const longStays: CallKey[] = [];
  for (const call of calls.values()) {
    if (!isKept(call, asOfAt)) continue;
    kept.set(call.callId, call);
    const { callId, firstAtaAt } = call;
    if (firstAtaAt < asOfAt - LEDGER_REACH_MS) longStays.push({ callId, firstAtaAt });
  }
  longStays.sort((a, b) => a.firstAtaAt - b.firstAtaAt || (a.callId < b.callId ? -1 : 1));
  return { ...clocks, longStays, calls: kept };
}

// The wait of a call before its first berth, and whether it is one for a berth.

/** Start of the first berth leg; undefined while the vessel has not berthed. */
export const firstBerthAt = (call: PortCall): Instant | undefined =>
  call.legs.find((leg) => leg.zone === 'berth')?.startAt;

/**
 * When the vessel took its first berth, where that was seen or a record states it. Undefined also where the vessel was first
 * observed at the berth, or berthed in a gap.
 */
export function berthingAt(call: PortCall): Instant | undefined {
  const first = call.legs.find((leg) => leg.zone === 'berth');
  if (first === undefined || call.waitKnown) return first?.startAt;
  const isInSight = !first.inferred && !first.startUnknown;
  return isInSight && !(call.ataInferred && first.startAt === call.ataAt) ? first.startAt : undefined;
}

export function anchoredMsBefore(call: PortCall, untilAt: Instant): number {
  let ms = 0;
  for (const leg of call.legs) {
    if (leg.zone !== 'anchorage') continue;
    ms += Math.max(0, Math.min(leg.endAt ?? untilAt, untilAt) - leg.startAt);
  }
  return ms;
}

/**
 * A vessel that has waited longer is laid up, or ordered to wait. The longest cargo wait of six months of Kaohsiung is
 * 202 h, the largest mean of 5,217 published port-months 186 h.
 */
const MAX_BERTH_WAIT_HOURS = 25 * 24;

/** Whether a wait of this many hours, over or open, is a wait for a berth. */
export const isBerthWait = (waitHours: number): boolean => waitHours <= MAX_BERTH_WAIT_HOURS;
