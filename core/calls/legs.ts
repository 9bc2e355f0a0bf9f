/** Operations on positions and legs: naming, ending, cutting and moving, so that no two legs ever overlap. */
import type { Instant } from '../reference/time.ts';
import type { Leg, Position } from './port-call.ts';

/** Stands between a wider place and an exact one within it: `KWAI CHUNG > BERTH 7` lies in `KWAI CHUNG`. */
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

/** `leg` ended at `endAt`, or at its start when that is later. */
export const ended = (leg: Leg, endAt: Instant): Leg => ({ ...leg, endAt: Math.max(leg.startAt, endAt) });

/** `leg` without its end. */
export function reopened(leg: Leg): Leg {
  const { endAt: _, ...open } = leg;
  return open;
}

const hasLength = (leg: Leg): boolean => leg.endAt === undefined || leg.endAt > leg.startAt;

/** The part of the legs before `at`, all closed. */
export const legsBefore = (legs: readonly Leg[], at: Instant): Leg[] =>
  legs.map((leg) => (leg.endAt !== undefined && leg.endAt <= at ? leg : ended(leg, at))).filter(hasLength);

/** The part of the legs from `at` on. */
export const legsFrom = (legs: readonly Leg[], at: Instant): Leg[] =>
  legs
    .filter((leg) => leg.endAt === undefined || leg.endAt > at)
    .map((leg) => (leg.startAt >= at ? leg : { ...leg, startAt: at }));

/** The legs with the vessel moved to `position` at `at`, where it stays. */
export const withMove = (legs: readonly Leg[], position: Position, at: Instant): Leg[] => {
  const { zone, place } = position;
  const startAt = Math.max(at, legs.at(-1)?.startAt ?? at);
  return [...legsBefore(legs, startAt), { zone, place, startAt }];
};
