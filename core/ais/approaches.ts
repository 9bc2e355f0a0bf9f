/**
 * Roadsteads and terminals that lie away from the point of their port. Each is reviewed by hand, with its reason and the
 * public document that describes it; the bounds are drawn around it generously.
 */
import type { Locode } from '../reference/locode.ts';
import type { Port } from '../reference/ports.ts';
import areas from './approaches.json' with { type: 'json' };
import { type NearestPort, nearestPort, type PortPoint } from './nearest-port.ts';
import { type Area, assignablePorts, isInside, type PortBox } from './port-boxes.ts';

/** Bounds in degrees. */
export interface Approach extends Area {
  readonly name: string;
  /** `roadstead`: vessels wait there for berths of the ports. `terminals`: berths of the one port. */
  readonly kind: 'roadstead' | 'terminals';
  /** The one that most vessels wait for comes first. */
  readonly ports: readonly Locode[];
  readonly reason: string;
  readonly source: string;
}

const APPROACHES = areas as readonly Approach[];

/** The approaches of some of the ports. */
export function approachesOf(ports: readonly Locode[]): Approach[] {
  const wanted = new Set(ports);
  return APPROACHES.map((approach) => ({
    ...approach,
    ports: approach.ports.filter((port) => wanted.has(port)),
  })).filter((approach) => approach.ports.length > 0);
}

/** The ports that a vessel at a position in 1e-5 degrees may wait for because it lies in a roadstead of theirs. */
export const portsBehind = (
  approaches: readonly Approach[],
  latitude: number,
  longitude: number,
): readonly Locode[] =>
  approaches.find(({ kind, ...area }) => kind === 'roadstead' && isInside(area, { latitude, longitude }))
    ?.ports ?? [];

/** The middle of each approach with terminals, as a second position of its port. */
const terminalPoints = (approaches: readonly Approach[]): PortPoint[] =>
  approaches.flatMap(({ kind, ports: [locode], south, west, north, east }) =>
    kind === 'terminals' && locode !== undefined
      ? [{ locode, latitude: (south + north) / 2, longitude: (west + east) / 2 }]
      : [],
  );

/** The approaches that the ports of stays depend on: those of the ports in the boxes, and of their neighbours. */
export const approachesAround = (boxes: readonly PortBox[]): Approach[] =>
  approachesOf(boxes.flatMap(({ ports, neighbours }) => [...ports, ...neighbours]));

/** Finds the port of a stay in or near the boxes. */
export const stayPorts = (reference: readonly Port[], boxes: readonly PortBox[]): NearestPort =>
  nearestPort([...assignablePorts(reference, boxes), ...terminalPoints(approachesAround(boxes))]);
