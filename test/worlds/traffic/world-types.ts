/**
 * The interface between a generator of AIS traffic and the studies. A second generator plugs in by exporting one function of the
 * type `GenerateWorld`; it needs nothing else of ours, and nothing of `core/positions`.
 *
 * A world is made from one seed, is the same every time, and consists of
 * - the ports, as a port list has them: a code and one position each;
 * - the truth: every stay of every vessel that counts, with the port that it belongs to;
 * - the fixes as a receiver network would publish them, faults included, in the order of publication.
 */

/** One published position report. Fields that the transmitter or the network does not state are undefined. */
export interface GeneratedFix {
  readonly mmsi: number;
  /** Milliseconds since the epoch, on a whole second. */
  readonly at: number;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Knots. */
  readonly speed: number | undefined;
  /** Degrees. */
  readonly heading: number | undefined;
  /** AIS navigation status, 0 to 15. */
  readonly status: number | undefined;
  /** AIS vessel type: 70 to 89 count as cargo vessels. */
  readonly vesselType: number | undefined;
}

/** One true stay of a cargo vessel. */
export interface TrueStay {
  readonly mmsi: number;
  /** Tells apart vessels that transmit the same MMSI. */
  readonly vessel: string;
  readonly kind: 'wait' | 'berth';
  /** Milliseconds. A stay that began before the first fix or ended after the last is clipped to them. */
  readonly startAt: number;
  readonly endAt: number;
  /** Code of the port; for a wait, of the port whose berth it was for. */
  readonly port: string;
  /** The vessel shares its MMSI with another: such stays are scored apart. */
  readonly shared: boolean;
}

export interface WorldPort {
  readonly locode: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface World {
  readonly ports: readonly WorldPort[];
  readonly truth: readonly TrueStay[];
  readonly fixes: Iterable<GeneratedFix>;
}

export interface WorldOptions {
  readonly seed: number;
  /** First instant and length of the traffic. */
  readonly startAt: number;
  readonly days: number;
  /** Cargo vessels; other craft come on top. */
  readonly vessels: number;
  /** Seconds between two fixes of one vessel under good reception. */
  readonly fixSeconds: number;
  /** Narrow swings, more jitter, more stuck statuses and gaps. */
  readonly hard: boolean;
  /** Vessels adrift make up to two knots, some hold their ground under little way, and anchors drag. */
  readonly rough?: boolean;
}

export type GenerateWorld = (options: WorldOptions) => World;
