/** Operations on positions and legs: naming, ending, cutting and moving, so that no two legs ever overlap. */
import type { Instant } from '../reference/time.ts';
import type { Leg, Position } from './port-call.ts';

/** Separates a wider place from an exact one within it: `KWAI CHUNG > BERTH 7` lies in `KWAI CHUNG`. */
export const WITHIN = ' > ';

const contains = (wider: string, exact: string): boolean => exact.startsWith(wider + WITHIN);

/** Whether both names can mean one place: they are equal, or one is more exact than the other. */
export const isOnePlace = (a: string, b: string): boolean => a === b || contains(a, b) || contains(b, a);

/** The more exact of two names of one place. */
export const moreExact = (a: string, b: string): string => (contains(a, b) ? b : a);

/** Whether a vessel on `leg` that is now reported at `position` has stayed where it was. */
export const isSamePosition = (leg: Position, position: Position): boolean =>
  leg.zone === position.zone && (leg.zone === 'moving' || isOnePlace(leg.place, position.place));

/** `leg` under the more exact of its two names. */
export const named = (leg: Leg, position: Position): Leg =>
  leg.zone === 'moving' || moreExact(leg.place, position.place) === leg.place
    ? leg
    : { ...leg, place: position.place };

/** `leg` without its end. */
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

/** `leg` ended by a change. */
export const endedBy = (leg: Leg, { at, unknown }: ChangeTime): Leg =>
  unknown ? { ...ended(leg, at), endUnknown: true } : ended(leg, at);

const hasLength = (leg: Leg): boolean => leg.endAt === undefined || leg.endAt > leg.startAt;

/** The part of the legs before `at`, all closed. */
export const legsBefore = (legs: readonly Leg[], at: Instant): Leg[] =>
  legs.map((leg) => (leg.endAt !== undefined && leg.endAt <= at ? leg : ended(leg, at))).filter(hasLength);

/** The part of the legs from `at` on. */
export const legsFrom = (legs: readonly Leg[], at: Instant): Leg[] =>
  legs
    .filter((leg) => leg.endAt === undefined || leg.endAt > at)
    .map((leg) => (leg.startAt >= at ? leg : startedAt(leg, at)));

/** `leg` with `startAt` as its start. */
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
