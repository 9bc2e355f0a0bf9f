/** The state between two steps over positions: the engine's vessels, the published call records, and what a port usually has. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PublishedRecord, PublishedRecords } from '../../ais/call-records.ts';
import type { Vessel } from '../../ais/engine.ts';
import { readState, UnusableState, writeState } from '../../ais/engine-state.ts';
import type { EngineParameters } from '../../ais/parameters.ts';
import type { Places } from '../../ais/places.ts';
import type { Area, PortPoint } from '../../ais/port-areas.ts';
import type { Notice } from '../../calls/observation.ts';
import { PORTS } from '../../reference/ports.ts';

export interface PositionState<Receptions> {
  readonly vessels: Map<number, Vessel>;
  readonly published: PublishedRecords;
  /** How each port is received; plain data. */
  readonly receptions: Receptions;
}

/** Increased when the format of the state changes. */
const FORMAT = 5;

/** What calls were made with besides the engine. */
export interface Pins {
  /** Digest of the parameters, the areas and the positions of the ports. A state made with others cannot be used. */
  readonly engine: string;
  /** Version of the places. They only label stays, so a state made with others is used, and its calls are corrected. */
  readonly places: string;
}

/** What the engine decides by that is in the code itself, such as the spread of a berth, has the version of the engine. */
export function pinsOf(
  parameters: EngineParameters,
  areas: readonly Area[],
  { version }: Places,
  reference: readonly PortPoint[] = PORTS,
): Pins {
  const ports = reference.map(({ locode, latitude, longitude }) => [locode, latitude, longitude]);
  const text = JSON.stringify([parameters, areas, ports]);
  return { engine: createHash('sha256').update(text).digest('base64url').slice(0, 16), places: version };
}

export function stateText<Receptions>(state: PositionState<Receptions>, pins: Pins): string {
  const published = [...state.published.values()].map((one) => [
    one.port,
    one.callId,
    one.vesselId,
    one.traffic,
    one.ended,
    one.digest,
  ]);
  const head = JSON.stringify({ format: FORMAT, pins, receptions: state.receptions, published });
  return `${head}\n${writeState(state.vessels)}`;
}

/** Gzip at its fastest level, because a state is written with every step. */
export const writePositionState = (text: string): Uint8Array => gzipSync(text, { level: 1 });

type PublishedRow = [string, string, string, PublishedRecord['traffic'], number, string];

interface Head<Receptions> {
  readonly format?: unknown;
  readonly pins?: Partial<Pins>;
  readonly receptions?: Receptions;
  readonly published?: readonly PublishedRow[];
}

interface ReadState<Receptions> {
  readonly state: PositionState<Receptions>;
  /** Version of the places that its calls were made with. */
  readonly places: string | undefined;
}

/** Throws `UnusableState` when the bytes are damaged, or were made by another engine version or with other pins. */
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
  if (
    head.format !== FORMAT ||
    head.pins?.engine !== pins.engine ||
    head.published === undefined ||
    head.receptions === undefined
  )
    throw new UnusableState(
      `the state is of format ${String(head.format)}, parameters and boxes ${String(head.pins?.engine)}; ` +
        `this is format ${FORMAT}, parameters and boxes ${pins.engine}`,
    );
  const published = head.published.map(
    ([port, callId, vesselId, traffic, ended, digest]): [string, PublishedRecord] => [
      `${port} ${callId}`,
      { port, callId, vesselId, traffic, ended, digest },
    ],
  );
  const vessels = readState(text.slice(end + 1));
  return {
    state: { vessels, published: new Map(published), receptions: head.receptions },
    places: head.pins.places,
  };
}

/**
 * The state of the step before, and notices about it. `empty` where there is no state, or, with the
 * reason, where it cannot be used.
 */
export function stateBefore<Receptions>(
  bytes: Uint8Array | undefined,
  pins: Pins,
  empty: Receptions,
): { readonly state: PositionState<Receptions>; readonly notices: readonly Notice[] } {
  const fresh = { vessels: new Map(), published: new Map(), receptions: empty };
  if (bytes === undefined) return { state: fresh, notices: [] };
  try {
    const { state, places } = readPositionState<Receptions>(bytes, pins);
    if (places === pins.places) return { state, notices: [] };
    const detail = `version ${String(places)} until now, ${pins.places} from here on: calls still in the state are corrected`;
    return { state, notices: [{ reason: 'places-changed', detail }] };
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error;
    return { state: fresh, notices: [{ reason: 'state-reset', detail: error.message }] };
  }
}
