/** The port call: one vessel's visit to one port, with its legs, its identity and its closed stays. */
import { createHash } from 'node:crypto';
import type { Locode } from '../reference/locode.ts';
import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import type { CallRecord, Traffic, VesselClass, Zone } from './observation.ts';

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
  /** Stable for one call: replaying the same reports gives the same id. */
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
  /** `observedAt` of the report that last changed this call. */
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

/** Whether the newest report lists the vessel in port, even if it has already left its berth. */
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
