/** Areas around ports: where positions are requested or archived, and which ports stays in them are assigned to. */
import type { Locode } from '../reference/locode.ts';
import type { Port } from '../reference/ports.ts';
import { DEGREE } from './fix.ts';

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

/** A vessel at the border of a box may be a little outside. */
export const BORDER_DEGREES = 0.05;

/** Whether a position in 1e-5 degrees lies in the area, or at most `margin` degrees outside of it. */
export const isInside = (
  { south, west, north, east }: Area,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  margin = 0,
): boolean =>
  latitude >= (south - margin) * DEGREE &&
  latitude <= (north + margin) * DEGREE &&
  longitude >= (west - margin) * DEGREE &&
  longitude <= (east + margin) * DEGREE;

/**
 * The ports that stays are assigned to. Inside the boxes only those that are counted, and their neighbours: a terminal
 * with a code of its own (Europoort) counts for the port that it is a part of.
 */
export function assignablePorts(reference: readonly Port[], boxes: readonly PortBox[]): Port[] {
  const counted = new Set(boxes.flatMap(({ ports, neighbours }) => [...ports, ...neighbours]));
  const isBoxed = ({ latitude, longitude }: Port): boolean =>
    boxes.some(
      ({ south, west, north, east }) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  return reference.filter((port) => counted.has(port.locode) || !isBoxed(port));
}
