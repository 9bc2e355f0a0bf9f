/** When a vessel came to rest and when it got under way: times between two fixes. */
import { type Fix, KNOT, metresBetween, UNKNOWN } from './fix.ts';
import type { EngineParameters } from './parameters.ts';

/** What the detector knows of the fix before. */
export interface LastFix {
  readonly time: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
}

export const midpoint = (from: number, to: number): number => Math.floor((from + to) / 2);

/**
 * When the vessel came to rest or left it, between its last fix and this one: when its speed passed `stillSpeed`, or
 * `slowSpeed` where neither fix is still. It is taken to have kept the speed of the slower fix except next to the faster
 * one, where its speed changed steadily for as long as the distance made good requires.
 */
export function borderAt(last: LastFix, fix: Fix, { slowSpeed, stillSpeed }: EngineParameters): number {
  const [fast, slow] = [Math.max(last.speed, fix.speed), Math.min(last.speed, fix.speed)];
  if (slow === UNKNOWN || slow === fast) return midpoint(last.time, fix.time);
  const border = slow <= stillSpeed ? stillSpeed : slowSpeed;
  const seconds = fix.time - last.time;
  const metres = metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude);
  // The mean speed of the change is that of the two fixes.
  const changing = (2 * (metres - (slow / 10) * KNOT * seconds)) / (((fast - slow) / 10) * KNOT);
  const share = Math.min(1, Math.max(0, (fast - border) / (fast - slow)));
  const fromFast = Math.round(Math.min(seconds, Math.max(0, changing)) * share);
  return last.speed > fix.speed ? last.time + fromFast : fix.time - fromFast;
}

/** When a stopped vessel got under way, by the first fix that shows it; the time of this fix after a silence. */
export function wayTimeOf(last: LastFix, fix: Fix, parameters: EngineParameters): number {
  if (fix.time - last.time > parameters.silenceSeconds) return fix.time;
  // Slow at both, it moved unseen in between.
  return fix.speed > parameters.slowSpeed ? borderAt(last, fix, parameters) : midpoint(last.time, fix.time);
}
