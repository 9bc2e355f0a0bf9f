/** The engine over generated fixes, and the stays that it finds. */
import { Engine } from '../../../core/positions/engine.ts';
import {
  blankFix,
  DEFAULT_PARAMETERS,
  type EngineParameters,
  type Fix,
  UNKNOWN,
} from '../../../core/positions/fix.ts';
import { fixedDegrees } from '../../../core/positions/geometry.ts';
import { nearestPort } from '../../../core/positions/port-areas.ts';
import { NO_OUTAGES, type OutageSeconds } from '../../../core/positions/reception.ts';
import type { Track } from '../../../core/positions/stops.ts';
import { type StayParts, trackStays, type VesselStay } from '../../../core/positions/vessel-calls.ts';
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

/** The tracks of the cargo vessels as they stood at one time. */
interface Look {
  /** Unix seconds. */
  readonly time: number;
  readonly tracks: readonly (Track & { readonly mmsi: number })[];
}

/** A run of the engine, looked at each day and at its end: the engine forgets stops that are settled. */
export type EngineRun = readonly Look[];

const DAY_SECONDS = 86_400;

export const lookAt = (engine: Engine, time: number): Look => ({
  time,
  tracks: [...engine.vessels.values()]
    .filter((vessel) => vessel.class === 'cargo')
    .flatMap(({ mmsi, tracks }) =>
      tracks.map((track) => ({ ...track, mmsi, open: structuredClone(track.open) })),
    ),
});

/** Pushes every fix up to `endAt`, in milliseconds, and reads what waits. */
export function runEngine(
  fixes: Iterable<GeneratedFix>,
  endAt: number,
  parameters: EngineParameters = DEFAULT_PARAMETERS,
  outages: OutageSeconds = NO_OUTAGES,
): EngineRun {
  const engine = new Engine({ parameters, outages });
  const fix = blankFix();
  const looks: Look[] = [];
  const end = endAt / 1000;
  let lookTime: number | undefined;
  for (const generated of fixes) {
    const { time } = toFix(generated, fix);
    lookTime ??= time + DAY_SECONDS;
    if (time >= lookTime && lookTime < end) {
      looks.push(lookAt(engine, lookTime));
      lookTime += DAY_SECONDS;
    }
    engine.push(fix);
  }
  engine.flush();
  return [...looks, lookAt(engine, end)];
}

export const stayParts = (
  ports: readonly WorldPort[],
  parameters: EngineParameters = DEFAULT_PARAMETERS,
): StayParts => ({ parameters, ports: nearestPort(ports) });

type CargoStay = VesselStay & { readonly mmsi: number };

/** Stays of all cargo vessels at the end of the run; those that the engine has forgotten are as they were last known. */
export function cargoStays(run: EngineRun, parts: StayParts): CargoStay[] {
  const known = new Map<string, readonly CargoStay[]>();
  for (const { time, tracks } of run)
    for (const track of tracks) {
      const { mmsi, begin, stops, open } = track;
      const key = `${mmsi} ${begin}`;
      const rememberedFrom = stops[0]?.start ?? open?.start ?? time;
      const forgotten = (known.get(key) ?? []).filter(({ start }) => start < rememberedFrom);
      known.set(key, [...forgotten, ...trackStays(track, time, parts).map((stay) => ({ ...stay, mmsi }))]);
    }
  return [...known.values()].flat();
}

export const foundStays = (run: EngineRun, parts: StayParts, endAt: number): FoundStay[] =>
  cargoStays(run, parts)
    .map(({ mmsi, kind, start, end, port }) => ({
      mmsi,
      kind,
      startAt: start * 1000,
      endAt: end === undefined ? endAt : end * 1000,
      port,
    }))
    // What counts in the truth counts here: an open stay may still be too short.
    .filter(({ kind, startAt, endAt: end }) => end - startAt >= (kind === 'berth' ? 1 : 3) * 3_600_000);
