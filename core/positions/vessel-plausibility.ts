/** Whether the vessels of a poll or a day can be those known before it: their places, the headings of moored ones, and who they are. */
import type { Refusal } from '../upstream/refusals.ts';
import type { Vessel } from './engine.ts';
import { type Fix, isImpossible, UNKNOWN } from './fix.ts';
import { KNOT, metresBetween } from './geometry.ts';
import { headingOf, meanPosition } from './spread.ts';
import { isFirm } from './stops.ts';
import type { Track } from './tracks.ts';
import { vesselClass } from './vessel-class.ts';

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
/** With fewer contradictions nothing is said. */
const MIN_CONTRADICTIONS = 3;
/** Number of rows from which chance does not explain one place for all, or one vessel for half of them. */
const MANY_ROWS = 10;

/** Vessels that contradict the polls before, and those compared. */
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

/** Degrees between the heading of a vessel that is still moored and that of its stay; undefined where it cannot be compared. */
function turnedDegrees({ open }: Track, fix: Fix): number | undefined {
  if (open === undefined || !isFirm(open.spread) || fix.heading < 0 || fix.heading >= 360) return undefined;
  const mean = meanPosition(open.spread);
  if (metresBetween(mean.latitude, mean.longitude, fix.latitude, fix.longitude) > MOORED_METRES)
    return undefined;
  const kept = headingOf(open.spread);
  return kept === undefined ? undefined : Math.abs(((fix.heading - kept + 540) % 360) - 180);
}

/** Whether the fix states another class or another IMO number than is known of the vessel; undefined where it states neither. */
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

  /** Why the positions cannot be true; undefined when they can. */
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

/** Why the rows of a poll cannot be true whatever was known before. */
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

/** Why a poll cannot be true, given the vessels of the polls before it; undefined when it can. */
export function pollFault(fixes: readonly Fix[], vessels: ReadonlyMap<number, Vessel>): Refusal | undefined {
  const known = new KnownVessels();
  for (const fix of fixes) known.take(fix, vessels.get(fix.mmsi));
  return faultWithin(fixes) ?? known.fault();
}

/**
 * The vessels that lie at a berth or at anchor at `time`, in Unix seconds. A day that lacks most of them at ports that are received is that
 * of other vessels.
 */
export const stoppedVessels = (
  vessels: Iterable<Vessel>,
  time: number,
  isReceived: (track: Track) => boolean,
) =>
  [...vessels].filter(({ tracks }) =>
    tracks.some((track) => track.open?.confirmed === true && isRecent(track, time) && isReceived(track)),
  );

/** Says why a day is refused in which `missing` of `stopped` vessels have no row; undefined for a plausible day. */
export const missingFault = (missing: number, stopped: number): Refusal | undefined =>
  isBeyond({ contradicted: missing, compared: stopped }, LIMITS.missing)
    ? { reason: 'missing-vessels', detail: `${missing} of ${stopped} stopped vessels have no row` }
    : undefined;
