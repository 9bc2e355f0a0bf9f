/** Judges whether the vessels of a poll or a day can be those known before it, by their places, headings, types and IMO numbers. */
import type { Refusal } from '../upstream/source.ts';
import type { Vessel } from './engine.ts';
import { type Fix, isImpossible, UNKNOWN, vesselClass } from './fix.ts';
import { KNOT, metresBetween } from './geometry.ts';
import { headingOf, isFirm, meanPosition, type Track } from './stops.ts';

/**
 * Positions are compared when they are at most this far apart. A false poll that was accepted contradicts the true ones after it for no
 * longer, so they are accepted again within 40 minutes.
 */
const COMPARED_SECONDS = 40 * 60;
/** Metres that a position may be off, and knots that the vessel may have sailed beyond the faster of its two stated speeds. */
const PLACE_METRES = 500;
const SPEED_CHANGE = 3;
/** Knots of a vessel that does not state its speed. */
const MAX_KNOTS = 40;
/** A vessel this near to the mean position of its berth is still moored. */
const MOORED_METRES = 100;
/** Degrees: a moored vessel does not turn. */
const TURNED_DEGREES = 30;

/**
 * Shares of the compared vessels that may contradict the polls before. Real rows of New York as polls: of an hour at most 3.4 % of a poll
 * were elsewhere and 10 % had turned, and no vessel had another type or IMO number; of a week none of 27,155 positions was elsewhere.
 */
const LIMITS = { elsewhere: 0.25, turned: 0.25, others: 0.25, impossible: 0.25, missing: 0.5 } as const;
/** Fewer contradictions are not judged. */
const MIN_CONTRADICTIONS = 3;
/** With this many rows, chance does not explain one place for all of them, or one vessel for half of them. */
const MANY_ROWS = 10;

/** Numbers of vessels that contradict the polls before, and of those compared. */
interface Tally {
  contradicted: number;
  compared: number;
}

function count(tally: Tally, isContradicted: boolean): void {
  tally.compared += 1;
  if (isContradicted) tally.contradicted += 1;
}

const isRecent = (track: Track, time: number): boolean =>
  time > track.time && time - track.time <= COMPARED_SECONDS;

/** Whether the vessel of the track can have sailed to the fix. */
function isReached({ time, latitude, longitude, speed }: Track, fix: Fix): boolean {
  const isStated = speed !== UNKNOWN && fix.speed !== UNKNOWN;
  const knots = isStated ? Math.min(MAX_KNOTS, Math.max(speed, fix.speed) / 10 + SPEED_CHANGE) : MAX_KNOTS;
  const metres = metresBetween(latitude, longitude, fix.latitude, fix.longitude);
  return metres <= PLACE_METRES + knots * KNOT * (fix.time - time);
}

/** Returns how far a vessel that is still moored has turned since its stop began, in degrees; undefined if that is unknown. */
function turnedDegrees({ open }: Track, fix: Fix): number | undefined {
  if (open === undefined || !isFirm(open.spread) || fix.heading < 0 || fix.heading >= 360) return undefined;
  const mean = meanPosition(open.spread);
  if (metresBetween(mean.latitude, mean.longitude, fix.latitude, fix.longitude) > MOORED_METRES)
    return undefined;
  const kept = headingOf(open.spread);
  return kept === undefined ? undefined : Math.abs(((fix.heading - kept + 540) % 360) - 180);
}

/** Whether the fix states another class or IMO number than the vessel's; undefined if there is nothing to compare. */
function isOther(vessel: Vessel, fix: Fix): boolean | undefined {
  const stated = vesselClass(fix.vesselType);
  const hasClass = stated !== 'unknown' && vessel.class !== 'unknown';
  const hasImo = fix.imo !== 0 && vessel.imo !== 0;
  if (!hasClass && !hasImo) return undefined;
  return (hasClass && stated !== vessel.class) || (hasImo && fix.imo !== vessel.imo);
}

const isBeyond = ({ contradicted, compared }: Tally, limit: number): boolean =>
  contradicted >= MIN_CONTRADICTIONS && contradicted > limit * compared;

const words = ({ contradicted, compared }: Tally): string => `${contradicted} of ${compared}`;

/** Compares one position of each vessel with what is known of the vessel. */
export class KnownVessels {
  private readonly elsewhere: Tally = { contradicted: 0, compared: 0 };
  private readonly turned: Tally = { contradicted: 0, compared: 0 };
  private readonly others: Tally = { contradicted: 0, compared: 0 };

  take(fix: Fix, vessel: Vessel | undefined): void {
    if (vessel === undefined) return;
    const other = isOther(vessel, fix);
    if (other !== undefined) count(this.others, other);
    const recent = vessel.tracks.filter((track) => isRecent(track, fix.time));
    if (recent.length === 0) return;
    count(this.elsewhere, !recent.some((track) => isReached(track, fix)));
    const turned = recent.map((track) => turnedDegrees(track, fix)).find((degrees) => degrees !== undefined);
    if (turned !== undefined) count(this.turned, turned > TURNED_DEGREES);
  }

  /** Returns why the positions cannot be true; undefined if they can. */
  fault(): Refusal | undefined {
    const { elsewhere, turned, others } = this;
    if (isBeyond(elsewhere, LIMITS.elsewhere))
      return {
        reason: 'moved-vessels',
        detail: `${words(elsewhere)} vessels are where they cannot have sailed`,
      };
    if (isBeyond(turned, LIMITS.turned))
      return { reason: 'turned-vessels', detail: `${words(turned)} moored vessels have turned` };
    if (isBeyond(others, LIMITS.others))
      return { reason: 'other-vessels', detail: `${words(others)} vessels have another type or IMO number` };
    return undefined;
  }
}

/** Returns why the rows of a poll cannot be true, whatever was known before. */
function faultWithin(fixes: readonly Fix[]): Refusal | undefined {
  const distinct = new Set(
    fixes.map(({ mmsi, time, latitude, longitude }) => [mmsi, time, latitude, longitude].join()),
  );
  if (distinct.size < MANY_ROWS) return undefined;
  const vessels = new Set(fixes.map(({ mmsi }) => mmsi)).size;
  if (2 * vessels < distinct.size)
    return { reason: 'repeated-vessels', detail: `${distinct.size} positions are of ${vessels} vessels` };
  for (const field of ['latitude', 'longitude'] as const)
    if (new Set(fixes.map((fix) => fix[field])).size === 1)
      return { reason: 'one-place', detail: `all ${vessels} vessels have one ${field}` };
  const impossible = fixes.filter(isImpossible).length;
  return isBeyond({ contradicted: impossible, compared: fixes.length }, LIMITS.impossible)
    ? {
        reason: 'impossible-values',
        detail: `${impossible} of ${fixes.length} rows state an impossible speed, heading or status`,
      }
    : undefined;
}

/** Returns why a poll cannot be true, given the vessels of the polls before it; undefined if it can. */
export function pollFault(fixes: readonly Fix[], vessels: ReadonlyMap<number, Vessel>): Refusal | undefined {
  const known = new KnownVessels();
  for (const fix of fixes) known.take(fix, vessels.get(fix.mmsi));
  return faultWithin(fixes) ?? known.fault();
}

/**
 * Returns the vessels that lie at a berth or at anchor at `time`, in Unix seconds. A day without most of them, at ports that are received,
 * is a day of other vessels.
 */
export const stoppedVessels = (
  vessels: Iterable<Vessel>,
  time: number,
  isReceived: (track: Track) => boolean,
) =>
  [...vessels].filter(({ tracks }) =>
    tracks.some((track) => track.open?.confirmed === true && isRecent(track, time) && isReceived(track)),
  );

/** Returns why a day is refused if `missing` of `stopped` vessels have no row; undefined if it is not. */
export const missingFault = (missing: number, stopped: number): Refusal | undefined =>
  isBeyond({ contradicted: missing, compared: stopped }, LIMITS.missing)
    ? { reason: 'missing-vessels', detail: `${missing} of ${stopped} stopped vessels have no row` }
    : undefined;

// The rows of a day file must agree with one another: speeds with the way between two positions, and the types of one vessel.

/** Two positions of a vessel are compared when they are this many seconds apart. */
const DAY_COMPARED_SECONDS = { from: 30, to: 300 };
/** Below this, in knots, a vessel may lie still. */
const MOVING_KNOTS = 5;
/** The larger of the two speeds may differ from the other by this share. */
const MAX_DIFFERENCE = 0.5;

/**
 * Shares of the rows that state a speed, and of the vessels whose speeds are contradicted in most of their comparisons, or that have
 * several types. Two vessels that transmit one MMSI do both. Real rows: 72 % of 92 Danish ones state a speed, and all of an hour of New
 * York, in which 1.7 % of 761 speeds are contradicted, no vessel has two types, and in a week none of 140 vessels shares its place.
 */
const DAY_LIMITS = { stated: 0.2, contradicted: 0.5, retyped: 0.25, shared: 0.25 } as const;
/** Fewer vessels are not judged. */
const FEW_VESSELS = 10;
/** Changes of type after which a vessel has several. */
const RETYPED = 3;

interface DayVessel {
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
  private readonly vessels = new Map<number, DayVessel>();
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
    if (seconds < DAY_COMPARED_SECONDS.from) return;
    if (seconds <= DAY_COMPARED_SECONDS.to && speed !== UNKNOWN && vessel.speed !== UNKNOWN) {
      const metres = metresBetween(vessel.latitude, vessel.longitude, latitude, longitude);
      compare(vessel, metres / seconds / KNOT, (speed + vessel.speed) / 20);
    }
    Object.assign(vessel, { time, latitude, longitude, speed });
  }

  /** Returns why the day cannot be true, as a reason and words; undefined if it can. */
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
    if (typed.length >= FEW_VESSELS && retyped > DAY_LIMITS.retyped * typed.length)
      return ['mixed-types', `${retyped} of ${typed.length} vessels have several types`];
    if (stated < DAY_LIMITS.stated * rows) return ['no-speeds', `${stated} of ${rows} rows state a speed`];
    if (vessels.length >= FEW_VESSELS && this.moving === 0)
      return ['no-speeds', `none of ${vessels.length} vessels is under way`];
    if (vessels.length >= FEW_VESSELS && (this.latitudes.isPoint || this.longitudes.isPoint))
      return ['one-place', `all ${vessels.length} vessels have one latitude or longitude`];
    const places = new Set(
      vessels.map(({ time, latitude, longitude }) => `${time} ${latitude} ${longitude}`),
    );
    const shared = vessels.length - places.size;
    if (vessels.length >= FEW_VESSELS && shared > DAY_LIMITS.shared * vessels.length)
      return [
        'shared-places',
        `${shared} of ${vessels.length} vessels are where another is at the same second`,
      ];
    if (compared.length >= FEW_VESSELS && contradicted > DAY_LIMITS.contradicted * compared.length)
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
function compare(vessel: DayVessel, sailed: number, stated: number): void {
  const larger = Math.max(sailed, stated);
  if (larger < MOVING_KNOTS) return;
  vessel.compared += 1;
  if (Math.abs(sailed - stated) > Math.max(MOVING_KNOTS, MAX_DIFFERENCE * larger)) vessel.contradicted += 1;
}
