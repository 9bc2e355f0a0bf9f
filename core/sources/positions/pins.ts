/** What the calls of a state were made with, port by port, so that a change at one port leaves the state of the others. */
import { createHash } from 'node:crypto';
import { fixedDegrees, metresBetween } from '../../ais/fix.ts';
import type { EngineParameters } from '../../ais/parameters.ts';
import type { Places } from '../../ais/places.ts';
import {
  type Approach,
  type Area,
  MAX_PORT_METRES,
  type PortBox,
  type PortPoint,
} from '../../ais/port-areas.ts';
import type { Locode } from '../../reference/locode.ts';

/** The ports and areas that a source of positions reads, for pins. */
export interface PinnedAreas {
  readonly boxes: readonly PortBox[];
  readonly approaches: readonly Approach[];
  /** The positions that stays are assigned by. */
  readonly points: readonly PortPoint[];
}

export interface Pins {
  /** Digest of the parameters: vessels depend on nothing else. A state made with others cannot be used. */
  readonly engine: string;
  /** By name of the port or approach, the bounds that it is received in: what is usual there was learned in them. */
  readonly areas: Readonly<Record<string, string>>;
  /** By port, digest of what decides which stays are its own. With others the calls still in the state are corrected. */
  readonly ports: Readonly<Record<Locode, string>>;
  /** Version of the places, which label stays: calls made with others are corrected too. */
  readonly places: string;
}

const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 12);

const boundsOf = ({ south, west, north, east }: Area): string => digestOf([south, west, north, east]);

/** A stay lies within `MAX_PORT_METRES` of its port; a port that takes it over is as near to it. */
const REACH_METRES = 2 * MAX_PORT_METRES;

function portDigest(
  port: Locode,
  approaches: readonly Approach[],
  points: readonly (PortPoint & { readonly row: readonly unknown[] })[],
): string {
  const own = points.filter(({ locode }) => locode === port);
  const near = points.filter((point) =>
    own.some(
      ({ latitude, longitude }) =>
        metresBetween(latitude, longitude, point.latitude, point.longitude) <= REACH_METRES,
    ),
  );
  const roads = approaches
    .filter(({ ports }) => ports.includes(port))
    .map(({ kind, ports, ...area }) => [kind, ports, boundsOf(area)]);
  return digestOf([near.map(({ row }) => row).sort(), roads]);
}

/** What the code itself decides by, such as the spread of a berth, has the version of the engine. */
export function pinsOf(
  parameters: EngineParameters,
  { boxes, approaches, points }: PinnedAreas,
  { version }: Places,
): Pins {
  const fixed = points.map(({ locode, latitude, longitude }) => ({
    locode,
    latitude: fixedDegrees(latitude),
    longitude: fixedDegrees(longitude),
    row: [locode, latitude, longitude],
  }));
  const counted = boxes.flatMap((box) => box.ports.map((port) => ({ port, box })));
  return {
    engine: digestOf(parameters),
    areas: Object.fromEntries([
      ...counted.map(({ port, box }) => [port, boundsOf(box)]),
      ...approaches.map((approach) => [approach.name, boundsOf(approach)]),
    ]),
    ports: Object.fromEntries(counted.map(({ port }) => [port, portDigest(port, approaches, fixed)])),
    places: version,
  };
}

/** The ports that `now` has otherwise than `before`: added, removed, or with other stays. */
export const changedPorts = (before: Pins['ports'], now: Pins['ports']): Locode[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((port) => before[port] !== now[port])
    .sort();
