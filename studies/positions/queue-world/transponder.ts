/**
 * The received reports of one vessel. A class A transponder reports every few seconds under way and every three minutes at
 * anchor or moored (ITU-R M.1371); the network publishes at most one report in `fixSeconds`. The errors of the
 * position are a slow walk and a white part; then come the faults.
 */
import type { GeneratedFix } from '../../../test/worlds/traffic/world-types.ts';
import { Dice } from './dice.ts';
import { type Roadstead, toGeo } from './geography.ts';
import { KNOT, type Pose } from './motion.ts';
import type { Chapter, Vessel } from './vessel.ts';

/** A fix with the second at which the network publishes it. */
export interface Report {
  readonly publishedAt: number;
  readonly fix: GeneratedFix;
}

interface Span {
  readonly fromAt: number;
  readonly toAt: number;
}

export interface Reception {
  readonly seed: number;
  readonly startAt: number;
  readonly endAt: number;
  readonly fixSeconds: number;
  readonly hard: boolean;
  /** Spans in which the shore station of a roadstead is down. */
  readonly outages: ReadonlyMap<Roadstead, readonly Span[]>;
}

/** Seconds for which a slow walk of the position error remembers itself. */
const WALK_SECONDS = 1200;
/** Beyond the shore stations only a passing satellite receives a vessel, once in so many seconds. */
const SKY_SECONDS = 3600;
const SKY_STEP = 120;
/** A position is broadcast in units of 1/10,000 minute. */
const UNITS_A_DEGREE = 600_000;

/** Seconds between two reports of a class A transponder. */
function reportingInterval(knots: number, status: number | undefined): number {
  if ((status === 1 || status === 5) && knots < 3) return 180;
  return knots > 23 ? 2 : knots > 14 ? 6 : 10;
}

export class Transponder {
  /** Spans in which nothing is received of the vessel. */
  readonly gaps: readonly Span[];
  readonly #vessel: Vessel;
  readonly #reception: Reception;
  readonly #name: string;

  constructor(vessel: Vessel, reception: Reception) {
    this.#vessel = vessel;
    this.#reception = reception;
    this.#name = vessel.name;
    const { seed, startAt, endAt, hard } = reception;
    const dice = new Dice(seed, 'gaps', this.#name);
    const count = dice.chance(hard ? 0.7 : 0.35) ? dice.whole(1, 3) : 0;
    this.gaps = Array.from({ length: count }, () => {
      const fromAt = dice.between(startAt, endAt);
      return { fromAt, toAt: fromAt + Math.min(9 * 3600, dice.logNormal(2100, 0.9)) };
    });
  }

  /** The part of the window in which the vessel can have been received: without gaps at its two ends. */
  receivedWindow(): Span {
    let { startAt: fromAt, endAt: toAt } = this.#reception;
    for (const gap of this.gaps) {
      if (gap.fromAt <= fromAt && gap.toAt > fromAt) fromAt = gap.toAt;
      if (gap.toAt >= toAt && gap.fromAt < toAt) toAt = gap.fromAt;
    }
    return { fromAt, toAt };
  }

  /** The statuses that the officers set: late, sometimes for hours, or never. */
  #statuses(dice: Dice): { fromAt: number; status: number }[] {
    if (dice.chance(this.#reception.hard ? 0.35 : 0.2)) {
      return [{ fromAt: 0, status: dice.pick([0, 0, 0, 1, 5, 5, 15]) }];
    }
    return this.#vessel.chapters.map(({ activity, status }, i) => ({
      fromAt: i === 0 ? 0 : activity.fromAt + dice.exponential(dice.chance(0.12) ? 7200 : 400),
      status,
    }));
  }

  #endOfSilence(t: number, roadstead: Roadstead | undefined): number | undefined {
    const silent = (span: Span) => span.fromAt <= t && t < span.toAt;
    const gap = this.gaps.find(silent);
    if (gap) return gap.toAt;
    return roadstead && this.#reception.outages.get(roadstead)?.find(silent)?.toAt;
  }

  /** All reports of the vessel in the window, by time of transmission. */
  *reports(): Generator<Report> {
    const { seed, startAt, endAt, fixSeconds, hard } = this.#reception;
    const vessel = this.#vessel;
    const dice = new Dice(seed, 'reports', this.#name);
    const statuses = this.#statuses(dice);
    const walk = hard ? 7 : 3.5;
    const white = hard ? 4 : 1.5;
    const noHeading = dice.chance(0.1);
    const stuckHeading = dice.chance(0.012) ? dice.whole(0, 359) : undefined;
    const gyro = dice.normal() * 1.2;
    const noSpeed = dice.chance(0.006);
    const typeKnownAt = startAt + (dice.chance(0.12) ? dice.exponential(600) : 0);
    let east = walk * dice.normal();
    let north = walk * dice.normal();
    let chapter = 0;
    let status = 0;
    let t = startAt + dice.between(0, fixSeconds);
    let previous = Math.floor(t);
    while (t < endAt) {
      while (chapter < vessel.chapters.length - 1 && (vessel.chapters[chapter] as Chapter).activity.toAt <= t)
        chapter++;
      const here = vessel.chapters[chapter];
      if (here === undefined || here.activity.toAt <= t) return;
      if (here.activity.fromAt > t) {
        t = here.activity.fromAt;
        continue;
      }
      const silentUntil = this.#endOfSilence(t, here.roadstead);
      if (silentUntil !== undefined) {
        t = silentUntil + dice.between(0, 10);
        continue;
      }
      const second = Math.floor(t);
      const pose = here.activity.pose(second);
      const isNear = here.roadstead && Math.hypot(pose.x, pose.y) <= here.roadstead.stationRange;
      if (!isNear && !dice.chance(SKY_STEP / SKY_SECONDS)) {
        t += SKY_STEP;
        continue;
      }
      if (dice.chance(0.03)) t += 2 * fixSeconds;
      while (status < statuses.length - 1 && (statuses[status + 1] as { fromAt: number }).fromAt <= second)
        status++;
      const stated = statuses[status]?.status;
      const before = here.activity.pose(second - 4);
      const knots = Math.hypot(pose.x - before.x, pose.y - before.y) / 4 / KNOT;
      const kept = Math.exp(-Math.max(0, second - previous) / WALK_SECONDS);
      const fresh = walk * Math.sqrt(1 - kept * kept);
      east = east * kept + fresh * dice.normal();
      north = north * kept + fresh * dice.normal();
      previous = second;
      const measured: Pose = {
        x: pose.x + east + white * dice.normal(),
        y: pose.y + north + white * dice.normal(),
        heading: pose.heading,
      };
      const degrees = Math.round((pose.heading * 180) / Math.PI + gyro + dice.normal() * 0.5);
      const position = toGeo(here.origin, measured);
      const fix: GeneratedFix = {
        mmsi: vessel.mmsi,
        at: second * 1000,
        latitude: Math.round(position.latitude * 1e5) / 1e5,
        longitude: Math.round(position.longitude * 1e5) / 1e5,
        speed: noSpeed ? undefined : Math.round(Math.abs(knots + dice.normal() * 0.07) * 10) / 10,
        heading: noHeading ? undefined : (stuckHeading ?? ((degrees % 360) + 360) % 360),
        status: stated === 15 ? undefined : stated,
        vesselType: second < typeKnownAt ? undefined : vessel.vesselType,
      };
      yield* faulty(fix, second, dice);
      t +=
        Math.max(fixSeconds, reportingInterval(knots, stated)) + dice.between(0, Math.min(8, fixSeconds / 4));
    }
  }
}

/** A fix as the network publishes it: perhaps damaged, twice or late. */
function* faulty(fix: GeneratedFix, second: number, dice: Dice): Generator<Report> {
  const publishedAt = second + dice.between(0, 2);
  const lot = dice.next();
  if (lot < 0.0002) yield { publishedAt, fix: damaged(fix, dice) };
  else if (lot < 0.0004) {
    yield {
      publishedAt,
      fix: { ...fix, latitude: 91, longitude: 181, speed: undefined, heading: undefined },
    };
  } else if (lot < 0.0015) yield { publishedAt, fix: { ...fix, speed: undefined } };
  else if (lot < 0.008) yield { publishedAt: publishedAt + dice.between(5, 600), fix };
  else yield { publishedAt, fix };
  // A second station received the same message.
  if (dice.chance(0.005)) yield { publishedAt: publishedAt + dice.between(0, 12), fix };
}

/** One bit of the position is wrong. */
function damaged(fix: GeneratedFix, dice: Dice): GeneratedFix {
  const unit = 2 ** dice.whole(12, 25) / UNITS_A_DEGREE;
  const sign = dice.chance(0.5) ? 1 : -1;
  return dice.chance(0.5)
    ? { ...fix, latitude: fix.latitude + sign * unit }
    : { ...fix, longitude: fix.longitude + sign * unit };
}
