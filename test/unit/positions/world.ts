/** A small generated world for tests, and paths of a single vessel. */
import { Engine, type EngineOptions, writeState } from '../../../core/positions/engine.ts';
import { blankFix, type Fix, UNKNOWN } from '../../../core/positions/fix.ts';
import { fixedDegrees } from '../../../core/positions/geometry.ts';
import { DAY_MS } from '../../../core/reference/time.ts';
import { toFix } from '../../worlds/traffic/engine-run.ts';
import { roadsteadWorld } from '../../worlds/traffic/roadstead-world.ts';
import type { GeneratedFix, World, WorldOptions } from '../../worlds/traffic/world-types.ts';

export const START = Date.UTC(2026, 0, 5);
export const DAYS = 2;
export const END = START + DAYS * DAY_MS;

export const smallWorld = (options: Partial<WorldOptions> = {}): World =>
  roadsteadWorld({
    seed: 7,
    startAt: START,
    days: DAYS,
    vessels: 60,
    fixSeconds: 60,
    hard: false,
    ...options,
  });

export const LOS_ANGELES = { locode: 'USLAX', latitude: 33.73, longitude: -118.26 };
export const LONG_BEACH = { locode: 'USLGB', latitude: 33.75, longitude: -118.2 };

/** The engine after `fixes`, everything that waits read. */
export function engineAfter(fixes: Iterable<Fix>, options: EngineOptions = {}): Engine {
  const engine = new Engine(options);
  for (const fix of fixes) engine.push(fix);
  engine.flush();
  return engine;
}

/** The state after `fixes`: equal states are equal texts. */
export const stateAfter = (fixes: readonly GeneratedFix[]): string =>
  writeState(engineAfter(fixes.map((fix) => toFix(fix))).vessels);

/** One fix of a made-up cargo vessel near Los Angeles. */
export const fixAt = (minutes: number, changes: Partial<Fix> = {}): Fix => ({
  ...blankFix(),
  mmsi: 205_000_001,
  time: START / 1000 + minutes * 60,
  latitude: fixedDegrees(33.7),
  longitude: fixedDegrees(-118.2),
  speed: 0,
  heading: UNKNOWN,
  vesselType: 70,
  ...changes,
});
