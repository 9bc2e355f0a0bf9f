/** Operations on the legs of a call: cutting, closing and ending them without ever letting two overlap. */
import type { Instant } from '../reference/time.ts';
import type { Zone } from './observation.ts';
import { isOnePlace, moreExact } from './place.ts';
import type { Leg } from './port-call.ts';

/** Where a vessel is, or was last. */
export interface Position {
  readonly zone: Zone;
  readonly place: string;
}

/** Whether a vessel on `leg` that is now told to be at `position` has stayed where it was. */
export const isSamePosition = (leg: Position, position: Position): boolean =>
  leg.zone === position.zone && (leg.zone === 'moving' || isOnePlace(leg.place, position.place));

/** `leg` under the more exact of its names. */
export const named = (leg: Leg, position: Position): Leg =>
  leg.zone === 'moving' || moreExact(leg.place, position.place) === leg.place
    ? leg
    : { ...leg, place: position.place };

/** `leg` ended at `endAt`, at its start when that is later. */
export const ended = (leg: Leg, endAt: Instant): Leg => ({ ...leg, endAt: Math.max(leg.startAt, endAt) });

/** `leg` going on. */
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

/** The legs with the vessel gone to `position` at `at`, and staying. */
export const withMove = (legs: readonly Leg[], position: Position, at: Instant): Leg[] => {
  const { zone, place } = position;
  const startAt = Math.max(at, legs.at(-1)?.startAt ?? at);
  return [...legsBefore(legs, startAt), { zone, place, startAt }];
};
