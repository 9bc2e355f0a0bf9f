/** Areas around ports, as sources of positions declare them. */
import type { Locode } from './codes.ts';

/** Bounds in degrees. */
export interface Area {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Ports that lie close together share a box. */
export interface PortBox extends Area {
  readonly ports: readonly Locode[];
  /** Other ports in the box, of another source or of none: what lies nearest to one of them is not counted here. */
  readonly neighbours: readonly Locode[];
}

/** Roadsteads and terminals away from the point of their port, drawn generously in degrees and reviewed by hand. */
export interface Approach extends Area {
  readonly name: string;
  /** `roadstead`: vessels wait there for berths of the ports. `terminals`: berths of the one port. */
  readonly kind: 'roadstead' | 'terminals';
  /** The one that most vessels wait for comes first. */
  readonly ports: readonly Locode[];
  readonly reason: string;
  readonly source: string;
  /** UTC day on which the entry was made or checked last. */
  readonly reviewed: string;
}
