/** The engine driven over generated fixes: what it finds, and what places it would learn from that. */
import { type AisEngine, createEngine } from '../../../core/ais/engine.ts';
import { blankFix, type Fix, fixedDegrees, UNKNOWN } from '../../../core/ais/fix.ts';
import { type ClosedStay, learnPlaces } from '../../../core/ais/learn-places.ts';
import { nearestPort } from '../../../core/ais/nearest-port.ts';
import { DEFAULT_PARAMETERS, type EngineParameters } from '../../../core/ais/parameters.ts';
import { NO_PLACES, type PlaceTable } from '../../../core/ais/place-table.ts';
import { placesOf } from '../../../core/ais/places.ts';
import { type StayParts, staysOf, type VesselStay } from '../../../core/ais/stays.ts';
import type { FoundStay } from './scoring.ts';
import type { GeneratedFix, WorldPort } from './world-types.ts';

/** Writes a generated fix into the engine's units. */
export function toFix(generated: GeneratedFix, fix: Fix = blankFix()): Fix {
  const { speed, heading, status, vesselType } = generated;
  fix.mmsi = generated.mmsi;
  fix.time = Math.round(generated.at / 1000);
  fix.latitude = fixedDegrees(generated.latitude);
  fix.longitude = fixedDegrees(generated.longitude);
  fix.speed = speed === undefined ? UNKNOWN : Math.round(speed * 10);
  fix.heading = heading ?? UNKNOWN;
  fix.status = status ?? UNKNOWN;
  fix.vesselType = vesselType ?? 0;
  fix.imo = 0;
  return fix;
}

/** Pushes every fix and reads what waits. */
export function runEngine(
  fixes: Iterable<GeneratedFix>,
  parameters: EngineParameters = DEFAULT_PARAMETERS,
): AisEngine {
  const engine = createEngine({ parameters });
  const fix = blankFix();
  for (const generated of fixes) engine.push(toFix(generated, fix));
  engine.flush();
  return engine;
}

export const stayParts = (
  ports: readonly WorldPort[],
  parameters: EngineParameters = DEFAULT_PARAMETERS,
  places: PlaceTable = NO_PLACES,
): StayParts => ({ parameters, places: placesOf(places), ports: nearestPort(ports) });

/** Stays of all cargo vessels at `endAt`; open ones end there. */
export function cargoStays(
  engine: AisEngine,
  parts: StayParts,
  endAt: number,
): (VesselStay & { mmsi: number })[] {
  return [...engine.vessels.values()]
    .filter((vessel) => vessel.class === 'cargo')
    .flatMap(({ mmsi, tracks }) =>
      tracks.flatMap((track) => staysOf(track, endAt / 1000, parts).map((stay) => ({ ...stay, mmsi }))),
    );
}

export const foundStays = (engine: AisEngine, parts: StayParts, endAt: number): FoundStay[] =>
  cargoStays(engine, parts, endAt)
    .map(({ mmsi, kind, start, end, port }) => ({
      mmsi,
      kind,
      startAt: start * 1000,
      endAt: end === undefined ? endAt : end * 1000,
      port,
    }))
    // What counts in the truth counts here: an open stay may still be too short.
    .filter(({ kind, startAt, endAt: end }) => end - startAt >= (kind === 'berth' ? 1 : 3) * 3_600_000);

/** Places learned from what the engine found by spread and heading alone. */
export function placesFrom(engine: AisEngine, parts: StayParts, endAt: number): PlaceTable {
  const closed = cargoStays(engine, parts, endAt).flatMap((stay): ClosedStay[] => {
    const { mmsi, latitude, longitude, kind, port, portKnown, end } = stay;
    if (end === undefined) return [];
    const next = kind === 'wait' && portKnown && port !== undefined ? { nextPort: port } : {};
    return [{ mmsi, latitude, longitude, kind, ...next }];
  });
  return learnPlaces(closed);
}
