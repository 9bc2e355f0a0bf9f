/** Whether the rows of a day file agree with one another: speeds with the way between two positions, and types of one vessel. */
import { type Fix, UNKNOWN } from './fix.ts';
import { KNOT, metresBetween } from './geometry.ts';

/** Two positions of a vessel are compared when they are this many seconds apart. */
const COMPARED_SECONDS = { from: 30, to: 300 };
/** Below this, in knots, a vessel may lie still. */
const MOVING_KNOTS = 5;
/** The larger of the two speeds may differ from the other by this share. */
const MAX_DIFFERENCE = 0.5;

/**
 * Shares of the rows that state a speed, and of the vessels whose speeds are contradicted in most of their comparisons, or that have
 * several types. Two vessels that transmit one MMSI do both. Real rows: 72 % of 92 Danish ones state a speed, and all of an hour of New
 * York, in which 1.7 % of 761 speeds are contradicted, no vessel has two types, and in a week none of 140 vessels shares its place.
 */
const LIMITS = { stated: 0.2, contradicted: 0.5, retyped: 0.25, shared: 0.25 } as const;
/** With fewer vessels that can be compared nothing is said. */
const FEW_VESSELS = 10;
/** Changes of type after which a vessel has several. */
const RETYPED = 3;

interface Vessel {
  time: number;
  latitude: number;
  longitude: number;
  speed: number;
  type: number;
  compared: number;
  contradicted: number;
  retyped: number;
}

export class DayPlausibility {
  private readonly vessels = new Map<number, Vessel>();
  private rows = 0;
  private stated = 0;
  private moving = 0;
  private readonly latitudes = new Extent();
  private readonly longitudes = new Extent();

  take({ mmsi, time, latitude, longitude, speed, vesselType: type }: Fix): void {
    this.rows += 1;
    this.latitudes.take(latitude);
    this.longitudes.take(longitude);
    if (speed !== UNKNOWN) this.stated += 1;
    if (speed !== UNKNOWN && speed >= MOVING_KNOTS * 10) this.moving += 1;
    const vessel = this.vessels.get(mmsi);
    if (vessel === undefined) {
      const counts = { compared: 0, contradicted: 0, retyped: 0 };
      this.vessels.set(mmsi, { time, latitude, longitude, speed, type, ...counts });
      return;
    }
    if (type !== 0) {
      if (vessel.type !== 0 && vessel.type !== type) vessel.retyped += 1;
      vessel.type = type;
    }
    const seconds = time - vessel.time;
    if (seconds < COMPARED_SECONDS.from) return;
    if (seconds <= COMPARED_SECONDS.to && speed !== UNKNOWN && vessel.speed !== UNKNOWN) {
      const metres = metresBetween(vessel.latitude, vessel.longitude, latitude, longitude);
      compare(vessel, metres / seconds / KNOT, (speed + vessel.speed) / 20);
    }
    Object.assign(vessel, { time, latitude, longitude, speed });
  }

  /** Why the day cannot be true, as a reason and words; undefined when it can. */
  fault(): readonly [reason: string, words: string] | undefined {
    const { rows, stated } = this;
    const vessels = [...this.vessels.values()];
    const typed = vessels.filter(({ type }) => type !== 0);
    const retyped = typed.filter((vessel) => vessel.retyped >= RETYPED).length;
    const compared = vessels.filter((vessel) => vessel.compared > 0);
    const contradicted = compared.filter((vessel) => vessel.contradicted > vessel.compared / 2).length;
    if (typed.length === 0) return ['no-types', 'no row states a vessel type, so no vessel would count'];
    if (typed.length >= FEW_VESSELS && typed.every(({ type }) => type === typed[0]?.type))
      return ['no-types', `all ${typed.length} vessels have one type`];
    if (typed.length >= FEW_VESSELS && retyped > LIMITS.retyped * typed.length)
      return ['mixed-types', `${retyped} of ${typed.length} vessels have several types`];
    if (stated < LIMITS.stated * rows) return ['no-speeds', `${stated} of ${rows} rows state a speed`];
    if (vessels.length >= FEW_VESSELS && this.moving === 0)
      return ['no-speeds', `none of ${vessels.length} vessels is under way`];
    if (vessels.length >= FEW_VESSELS && (this.latitudes.isPoint || this.longitudes.isPoint))
      return ['one-place', `all ${vessels.length} vessels have one latitude or longitude`];
    const places = new Set(
      vessels.map(({ time, latitude, longitude }) => `${time} ${latitude} ${longitude}`),
    );
    const shared = vessels.length - places.size;
    if (vessels.length >= FEW_VESSELS && shared > LIMITS.shared * vessels.length)
      return [
        'shared-places',
        `${shared} of ${vessels.length} vessels are where another is at the same second`,
      ];
    if (compared.length >= FEW_VESSELS && contradicted > LIMITS.contradicted * compared.length)
      return [
        'false-speeds',
        `the speeds of ${contradicted} of ${compared.length} vessels are not those of the way sailed`,
      ];
    return undefined;
  }
}

class Extent {
  private least = Number.POSITIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;

  take(value: number): void {
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
  }

  get isPoint(): boolean {
    return this.least === this.most;
  }
}

/** Compares the speed of the way sailed with the stated one, in knots. */
function compare(vessel: Vessel, sailed: number, stated: number): void {
  const larger = Math.max(sailed, stated);
  if (larger < MOVING_KNOTS) return;
  vessel.compared += 1;
  if (Math.abs(sailed - stated) > Math.max(MOVING_KNOTS, MAX_DIFFERENCE * larger)) vessel.contradicted += 1;
}
