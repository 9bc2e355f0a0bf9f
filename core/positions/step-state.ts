/** The state between two steps over positions: the engine's vessels, the published call records, and what a port usually has. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Notice } from '../calls/observation.ts';
import type { Locode } from '../reference/locode.ts';
import type { ComparedCalls } from './compared-waits.ts';
import type { Vessel } from './engine.ts';
import { readState, UnusableState, writeState } from './engine-state.ts';
import { fixedDegrees, metresBetween } from './fix.ts';
import type { EngineParameters } from './parameters.ts';
import type { Places } from './places.ts';
import { type Approach, type Area, MAX_PORT_METRES, type PortBox, type PortPoint } from './port-areas.ts';
import type { PublishedRecord, PublishedRecords } from './vessel-calls.ts';

// What the calls of a state were made with, port by port, so that a change at one port leaves the state of the others.

/** The ports and areas that a source of positions reads, for pins. */
interface PinnedAreas {
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

/** What the code itself decides by, such as the spread of a berth, has the version of the engine. */
export function pinAreas(
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
    engine: contentDigest(parameters),
    areas: Object.fromEntries([
      ...counted.map(({ port, box }) => [port, bounds(box)]),
      ...approaches.map((approach) => [approach.name, bounds(approach)]),
    ]),
    ports: Object.fromEntries(counted.map(({ port }) => [port, portDigest(port, approaches, fixed)])),
    places: version,
  };
}

/** The ports that `now` has otherwise than `before`: added, removed, or with other stays. */
const changedPorts = (before: Pins['ports'], now: Pins['ports']): Locode[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((port) => before[port] !== now[port])
    .sort();

export interface PositionState<Receptions> {
  readonly vessels: Map<number, Vessel>;
  readonly published: PublishedRecords;
  /** How each port is received; plain data. */
  readonly receptions: Receptions;
  /** Calls of ports that another source serves; absent where none is compared. */
  readonly compared?: ComparedCalls | undefined;
}

/** Increased when the format of the state changes. */
const FORMAT = 6;

export function stateText<Receptions>(state: PositionState<Receptions>, pins: Pins): string {
  const published = [...state.published.values()].map((one) => [
    one.port,
    one.callId,
    one.vesselId,
    one.traffic,
    one.ended,
    one.digest,
  ]);
  const head = JSON.stringify({
    format: FORMAT,
    pins,
    receptions: state.receptions,
    compared: state.compared,
    published,
  });
  return `${head}\n${writeState(state.vessels)}`;
}

/** Gzip at its fastest level, because a state is written with every step. */
export const writePositionState = (text: string): Uint8Array => gzipSync(text, { level: 1 });

type PublishedRow = [string, string, string, PublishedRecord['traffic'], number, string];

interface Head<Receptions> {
  readonly format?: unknown;
  readonly pins?: Pins;
  readonly receptions?: Receptions;
  readonly compared?: ComparedCalls;
  readonly published?: readonly PublishedRow[];
}

interface ReadState<Receptions> {
  readonly state: PositionState<Receptions>;
  /** What its calls were made with. */
  readonly made: Pins;
}

/** Throws `UnusableState` when the bytes are damaged, or were made by another engine version or with other parameters. */
function readPositionState<Receptions>(bytes: Uint8Array, pins: Pins): ReadState<Receptions> {
  let text: string;
  try {
    text = gunzipSync(bytes).toString('utf8');
  } catch (error) {
    throw new UnusableState('the state does not decompress', { cause: error });
  }
  const end = text.indexOf('\n');
  let head: Head<Receptions>;
  try {
    head = JSON.parse(text.slice(0, end));
  } catch (error) {
    throw new UnusableState('the state does not parse', { cause: error });
  }
  const { pins: made, published: rows, receptions, compared } = head;
  if (
    head.format !== FORMAT ||
    made === undefined ||
    made.engine !== pins.engine ||
    rows === undefined ||
    receptions === undefined
  )
    throw new UnusableState(
      `the state is of format ${String(head.format)}, parameters ${String(made?.engine)}; ` +
        `this is format ${FORMAT}, parameters ${pins.engine}`,
    );
  const published = rows.map(
    ([port, callId, vesselId, traffic, ended, digest]): [string, PublishedRecord] => [
      `${port} ${callId}`,
      { port, callId, vesselId, traffic, ended, digest },
    ],
  );
  const vessels = readState(text.slice(end + 1));
  return { state: { vessels, published: new Map(published), receptions, compared }, made };
}

/**
 * The state without what other areas were needed for: what is usual in bounds that are no longer read, and the calls of
 * ports that are no longer counted. Vessels stay, wherever they are: they depend on no port.
 */
function withPins<Reception>(
  { vessels, published, receptions, compared }: PositionState<Readonly<Record<string, Reception>>>,
  made: Pins,
  pins: Pins,
): PositionState<Readonly<Record<string, Reception>>> {
  const isSameArea = (name: string): boolean =>
    pins.areas[name] !== undefined && made.areas[name] === pins.areas[name];
  return {
    vessels,
    published: new Map([...published].filter(([, { port }]) => pins.ports[port] !== undefined)),
    compared,
    receptions: Object.fromEntries(Object.entries(receptions).filter(([name]) => isSameArea(name))),
  };
}

function changeNotices(made: Pins, pins: Pins): Notice[] {
  const ports = changedPorts(made.ports, pins.ports);
  const places = made.places !== pins.places;
  return [
    ...(ports.length === 0
      ? []
      : [
          {
            reason: 'ports-changed' as const,
            detail: `${ports.join(', ')}: calls still in the state are corrected, those of other ports stay`,
          },
        ]),
    ...(places
      ? [
          {
            reason: 'places-changed' as const,
            detail: `version ${made.places} until now, ${pins.places} from here on: calls still in the state are corrected`,
          },
        ]
      : []),
  ];
}

/**
 * The state of the step before, and notices about it. Empty where there is no state, or, with the reason, where it
 * cannot be used. Receptions are by name of the port or approach.
 */
export function stateBefore<Reception>(
  bytes: Uint8Array | undefined,
  pins: Pins,
): {
  readonly state: PositionState<Readonly<Record<string, Reception>>>;
  readonly notices: readonly Notice[];
} {
  const fresh = { vessels: new Map(), published: new Map(), receptions: {} };
  if (bytes === undefined) return { state: fresh, notices: [] };
  try {
    const { state, made } = readPositionState<Readonly<Record<string, Reception>>>(bytes, pins);
    return { state: withPins(state, made, pins), notices: changeNotices(made, pins) };
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error;
    return { state: fresh, notices: [{ reason: 'state-reset', detail: error.message }] };
  }
}
