/** The first generator: eight US ports, two of them three miles apart, and the faults that receivers and crews add. */
import {
  exponential,
  type RandomStream,
  randomStream,
  standardNormal,
  uniform,
} from '../../../core/sources/sample-simulator/source.ts';
import { harbourOf, type Phase, voyage } from './voyages.ts';
import type { GeneratedFix, TrueStay, World, WorldOptions, WorldPort } from './world-types.ts';

const HOUR_MS = 3_600_000;
const METRES_A_DEGREE = 111_195;

/** Ports at their positions in the port reference, and the bearing to seaward in degrees. */
const HARBOURS: readonly (WorldPort & { readonly seaward: number })[] = [
  { locode: 'USLAX', latitude: 33.75, longitude: -118.25, seaward: 180 },
  { locode: 'USLGB', latitude: 33.7667, longitude: -118.1833, seaward: 170 },
  { locode: 'USOAK', latitude: 37.8167, longitude: -122.3333, seaward: 250 },
  { locode: 'USSEA', latitude: 47.6, longitude: -122.3333, seaward: 320 },
  { locode: 'USHOU', latitude: 29.75, longitude: -95.2833, seaward: 150 },
  { locode: 'USNYC', latitude: 40.7, longitude: -74.0167, seaward: 170 },
  { locode: 'USSAV', latitude: 32.0833, longitude: -81.0833, seaward: 110 },
  { locode: 'USORF', latitude: 36.85, longitude: -76.3, seaward: 80 },
];

/** What goes wrong with one vessel's reports, drawn once. */
interface Habits {
  readonly type: number;
  readonly jitterMetres: number;
  /** The status that it transmits whatever it does; undefined when it keeps it up to date. */
  readonly stuckStatus: number | undefined;
  /** A crew changes the status this late. */
  readonly statusLagMs: number;
  readonly statesHeading: boolean;
  readonly gaps: readonly (readonly [number, number])[];
  /** Seconds after the full step at which it is received. */
  readonly offset: number;
}

interface Actor {
  readonly mmsi: number;
  readonly name: string;
  readonly shared: boolean;
  readonly phases: readonly Phase[];
  readonly habits: Habits;
  readonly random: RandomStream;
  phase: number;
}

function gapsOf(random: RandomStream, { startAt, days, hard }: WorldOptions): (readonly [number, number])[] {
  if (random() >= (hard ? 0.7 : 0.35)) return [];
  const count = 1 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => {
    const from = startAt + random() * days * 24 * HOUR_MS;
    return [from, from + exponential(random, 1.2) * HOUR_MS] as const;
  });
}

function habitsOf(random: RandomStream, options: WorldOptions): Habits {
  const { hard, fixSeconds } = options;
  return {
    type: random() < 0.7 ? 70 + Math.floor(random() * 10) : 80 + Math.floor(random() * 10),
    jitterMetres: hard ? 12 : 5,
    stuckStatus: random() < (hard ? 0.35 : 0.2) ? [0, 1, 5, 15][Math.floor(random() * 4)] : undefined,
    statusLagMs: random() * 0.7 * HOUR_MS,
    statesHeading: random() > 0.03,
    gaps: gapsOf(random, options),
    offset: Math.floor(random() * fixSeconds),
  };
}

const SHARED_SHARE = 0.018;
const CRAFT_TYPES = [30, 31, 36, 37, 52, 60, 61, 69];

function phaseAt(actor: Actor, time: number): Phase | undefined {
  while ((actor.phases[actor.phase]?.endAt ?? Number.POSITIVE_INFINITY) <= time) actor.phase += 1;
  const phase = actor.phases[actor.phase];
  return phase === undefined || time < phase.startAt ? undefined : phase;
}

function offset(latitude: number, longitude: number, east: number, north: number): [number, number] {
  const width = METRES_A_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return [latitude + north / METRES_A_DEGREE, longitude + east / width];
}

/** The published fix of the vessel at one instant; none in a gap or out of reach. */
function report(actor: Actor, at: number): GeneratedFix | undefined {
  const { habits, random, mmsi } = actor;
  const phase = phaseAt(actor, at);
  if (phase === undefined || phase.kind === 'away') return undefined;
  if (habits.gaps.some(([from, to]) => from <= at && at < to)) return undefined;
  const motion = phase.at(at);
  const isLate = at - phase.startAt < habits.statusLagMs;
  const before = actor.phases[actor.phase - 1];
  const due = isLate && before !== undefined ? before.at(before.endAt - 1).status : motion.status;
  const yaw = phase.kind === 'berth' ? 0.7 : 6;
  let [latitude, longitude] = offset(
    motion.latitude,
    motion.longitude,
    standardNormal(random) * habits.jitterMetres,
    standardNormal(random) * habits.jitterMetres,
  );
  let speed: number | undefined = Math.max(0, motion.speed + standardNormal(random) * 0.08);
  const fault = random();
  if (fault < 0.0002) {
    [latitude, longitude] = offset(
      latitude,
      longitude,
      uniform(random, -400_000, 400_000),
      uniform(random, 2e4, 2e5),
    );
  } else if (fault < 0.0004) latitude = 91;
  else if (fault < 0.003) speed = undefined;
  else if (fault < 0.008 && phase.kind === 'anchor') speed = uniform(random, 1.1, 1.9);
  const heading = Math.floor((motion.heading + standardNormal(random) * yaw + 720) % 360);
  return {
    mmsi,
    at,
    latitude: Number(latitude.toFixed(5)),
    longitude: Number(longitude.toFixed(5)),
    speed: speed === undefined ? undefined : Number(speed.toFixed(1)),
    heading: habits.statesHeading ? heading : undefined,
    status: habits.stuckStatus ?? due,
    vesselType: habits.type,
  };
}

const LATE_SHARE = 0.005;
const DOUBLED_SHARE = 0.005;

/** The fixes of all actors step by step, some doubled, some a few seconds out of order. */
function* published(
  actors: readonly Actor[],
  options: WorldOptions,
  random: RandomStream,
): Generator<GeneratedFix> {
  const { startAt, days, fixSeconds } = options;
  const inTurn = [...actors].sort((a, b) => a.habits.offset - b.habits.offset);
  let heldBack: GeneratedFix[] = [];
  for (let step = startAt; step < startAt + days * 24 * HOUR_MS; step += fixSeconds * 1000) {
    const late = heldBack;
    heldBack = [];
    for (const actor of inTurn) {
      const fix = report(actor, step + actor.habits.offset * 1000);
      if (fix === undefined) continue;
      // Rows are held back to the next step only where another one of the same vessel cannot overtake them.
      if (random() < LATE_SHARE && actor.habits.offset < fixSeconds - 30) late.push(fix);
      else yield fix;
      if (random() < DOUBLED_SHARE) yield fix;
    }
    yield* late;
  }
  yield* heldBack;
}

function truthOf(actor: Actor, { startAt, days }: WorldOptions): TrueStay[] {
  const endAt = startAt + days * 24 * HOUR_MS;
  return actor.phases.flatMap((phase): TrueStay[] => {
    if (phase.kind === 'sail' || phase.kind === 'away') return [];
    const [from, to] = [Math.max(phase.startAt, startAt), Math.min(phase.endAt, endAt)];
    const least = phase.kind === 'berth' ? HOUR_MS : 3 * HOUR_MS;
    if (to - from < least) return [];
    return [
      {
        mmsi: actor.mmsi,
        vessel: actor.name,
        kind: phase.kind === 'berth' ? 'berth' : 'wait',
        startAt: from,
        endAt: to,
        port: phase.port.locode,
        shared: actor.shared,
      },
    ];
  });
}

/** Craft that sail about the harbours and must count nowhere. */
const CRAFT_A_VESSEL = 0.5;

export interface RoadsteadOptions extends WorldOptions {
  /** Codes of the ports that vessels sail to, two or more; all eight without it. Few ports are busy with few vessels. */
  readonly ports?: readonly string[];
}

export function roadsteadWorld(options: RoadsteadOptions): World {
  const { seed, startAt, days, vessels, ports } = options;
  const endAt = startAt + days * 24 * HOUR_MS;
  const served = HARBOURS.filter(({ locode }) => ports === undefined || ports.includes(locode));
  const harbours = served.map(({ seaward, ...port }) =>
    harbourOf(port, (seaward * Math.PI) / 180, randomStream('harbour', seed, port.locode)),
  );
  const cargo = Array.from({ length: vessels }, (_, index): Actor => {
    const random = randomStream('vessel', seed, index);
    const shared = index < Math.ceil(vessels * SHARED_SHARE) * 2;
    const begin = startAt - uniform(random, 2, 6) * 24 * HOUR_MS;
    // Both vessels of a pair keep to harbours far from one another, as real pairs mostly do.
    const own = shared
      ? harbours.filter((_harbour, at) => at < harbours.length / 2 === (index % 2 === 0))
      : harbours;
    return {
      mmsi: 205_000_000 + (shared ? Math.floor(index / 2) : index) * 37,
      name: `vessel ${index}`,
      shared,
      phases: voyage(own, begin, endAt, random, options),
      habits: habitsOf(random, options),
      random,
      phase: 0,
    };
  });
  const craft = Array.from({ length: Math.round(vessels * CRAFT_A_VESSEL) }, (_, index): Actor => {
    const random = randomStream('craft', seed, index);
    const type = CRAFT_TYPES[Math.floor(random() * CRAFT_TYPES.length)] ?? 30;
    return {
      mmsi: 367_000_000 + index * 53,
      name: `craft ${index}`,
      shared: false,
      phases: voyage(harbours, startAt - 24 * HOUR_MS, endAt, random, options),
      habits: { ...habitsOf(random, options), type },
      random,
      phase: 0,
    };
  });
  return {
    ports: served,
    truth: cargo.flatMap((actor) => truthOf(actor, options)),
    fixes: published([...cargo, ...craft], options, randomStream('publication', seed)),
  };
}
