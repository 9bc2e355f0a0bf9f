/** The state between two steps over positions: the engine's vessels, the published call records, and what a port usually has. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Notice } from '../calls/observation.ts';
import type { Locode } from '../reference/locode.ts';
import type { Approach, Area, PortBox } from '../reference/port-boxes.ts';
import type { Vessel } from './engine.ts';
import { readState, UnusableState, writeState } from './engine-state.ts';
import { fixedDegrees, metresBetween } from './geometry.ts';
import type { EngineParameters } from './parameters.ts';
import { type AnchorageArea, MAX_PORT_METRES, type PortPoint } from './port-areas.ts';
import { type Receptions, receptionShape } from './reception.ts';
import { type PublishedRecords, publishedShape, recordKey } from './vessel-calls.ts';

// The inputs of the calls of a state, port by port, so that a change at one port leaves the state of the others.

/** The areas in which positions are read and judged. */
export interface StepAreas {
  readonly parameters: EngineParameters;
  readonly boxes: readonly PortBox[];
  readonly approaches: readonly Approach[];
  /** A stay inside one is a wait; none when absent. */
  readonly anchorageAreas?: readonly AnchorageArea[] | undefined;
}

const pinsShape = z.object({
  /** Digest of the parameters, which vessels depend on. A state made with others cannot be used. */
  engine: z.string(),
  /** Bounds by name of the port or approach: what is usual was learned within them. */
  areas: z.record(z.string(), z.string()),
  /** By port, digest of what decides which stays belong to it. If it changes, calls still in the state are corrected. */
  ports: z.record(z.string(), z.string()),
  /** Digest of the anchorage areas, in which stays are waits. Absent in states of earlier versions. */
  anchorages: z.string().optional(),
});
export type Pins = z.infer<typeof pinsShape>;

const contentDigest = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 12);

const bounds = ({ south, west, north, east }: Area): string => contentDigest([south, west, north, east]);

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
    .map(({ kind, ports, ...area }) => [kind, ports, bounds(area)]);
  return contentDigest([near.map(({ row }) => row).sort(), roads]);
}

/** The pins of areas whose stays are assigned by `points`. What the code decides by is in the engine's version. */
export function pinAreas(
  { parameters, boxes, approaches, anchorageAreas = [] }: StepAreas,
  points: readonly PortPoint[],
): Pins {
  const fixed = points.map(({ locode, latitude, longitude }) => ({
    locode,
    latitude: fixedDegrees(latitude),
    longitude: fixedDegrees(longitude),
    row: [locode, latitude, longitude],
  }));
  const counted = boxes.flatMap((box) => box.ports.map((port) => ({ port, box })));
  return {
    engine: contentDigest(parameters),
    areas: Object.fromEntries([
      ...counted.map(({ port, box }) => [port, bounds(box)]),
      ...approaches.map((approach) => [approach.name, bounds(approach)]),
    ]),
    ports: Object.fromEntries(counted.map(({ port }) => [port, portDigest(port, approaches, fixed)])),
    anchorages: contentDigest(anchorageAreas.map(({ corners }) => corners)),
  };
}

/** The ports that `now` has otherwise than `before`: added, removed, or with other stays. */
const changedPorts = (before: Pins['ports'], now: Pins['ports']): Locode[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((port) => before[port] !== now[port])
    .sort();

export interface PositionState {
  readonly vessels: Map<number, Vessel>;
  readonly published: PublishedRecords;
  /** How each port or approach is received, by its name. */
  readonly receptions: Receptions;
}

/** The first line of a state; the engine's vessels follow. */
const headShape = z.object({
  pins: pinsShape,
  receptions: z.record(z.string(), receptionShape),
  published: z.array(publishedShape),
});

export function stateText({ vessels, published, receptions }: PositionState, pins: Pins): string {
  const head = { pins, receptions, published: [...published.values()] };
  return `${JSON.stringify(head)}\n${writeState(vessels)}`;
}

/** Gzip at its fastest level, because every step writes a state. */
export const writePositionState = (text: string): Uint8Array => gzipSync(text, { level: 1 });

function unpacked<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnusableState(`the state does not ${what}`, { cause: error });
  }
}

/** A state and the inputs of its calls. Throws `UnusableState`: damaged, of another engine, or of other parameters. */
function readPositionState(
  bytes: Uint8Array,
  engine: string,
): { readonly state: PositionState; readonly made: Pins } {
  const text = unpacked('decompress', () => gunzipSync(bytes).toString('utf8'));
  const end = text.indexOf('\n');
  const vessels = readState(text.slice(end + 1));
  const { pins, published, ...head } = unpacked('parse', () =>
    headShape.parse(JSON.parse(text.slice(0, end))),
  );
  if (pins.engine !== engine)
    throw new UnusableState(`the state is of parameters ${pins.engine}, these are parameters ${engine}`);
  const byKey = new Map(published.map((record) => [recordKey(record.port, record.callId), record]));
  return { state: { vessels, published: byKey, ...head }, made: pins };
}

/**
 * The state without what is usual in bounds no longer read, and without calls of ports no longer counted. Vessels
 * depend on no port.
 */
function withPins({ vessels, published, receptions }: PositionState, made: Pins, pins: Pins): PositionState {
  const isSameArea = (name: string): boolean =>
    pins.areas[name] !== undefined && made.areas[name] === pins.areas[name];
  return {
    vessels,
    published: new Map([...published].filter(([, { port }]) => pins.ports[port] !== undefined)),
    receptions: Object.fromEntries(Object.entries(receptions).filter(([name]) => isSameArea(name))),
  };
}

function changeNotices(made: Pins, pins: Pins): Notice[] {
  const notices: Notice[] = [];
  const ports = changedPorts(made.ports, pins.ports);
  if (ports.length > 0)
    notices.push({
      reason: 'ports-changed',
      detail: `${ports.join(', ')}: calls still in the state are corrected, those of other ports stay`,
    });
  if (made.anchorages !== undefined && made.anchorages !== pins.anchorages)
    notices.push({
      reason: 'anchorages-changed',
      detail: 'other anchorage areas decide which stays are waits: calls still in the state are corrected',
    });
  return notices;
}

/** The state of the step before, and notices about it. Empty where there is no state, or, with the reason, where it cannot be used. */
export function stateBefore(
  bytes: Uint8Array | undefined,
  pins: Pins,
): { readonly state: PositionState; readonly notices: Notice[] } {
  const fresh = { vessels: new Map(), published: new Map(), receptions: {} };
  if (bytes === undefined) return { state: fresh, notices: [] };
  try {
    const { state, made } = readPositionState(bytes, pins.engine);
    return { state: withPins(state, made, pins), notices: changeNotices(made, pins) };
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error;
    return { state: fresh, notices: [{ reason: 'state-reset', detail: error.message }] };
  }
}
