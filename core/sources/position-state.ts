/** The state between two steps over positions: the engine's vessels, the published call records, and what a port usually has. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PublishedRecord, PublishedRecords } from '../ais/call-records.ts';
import type { Vessel } from '../ais/engine.ts';
import { readState, UnusableState, writeState } from '../ais/engine-state.ts';
import type { EngineParameters } from '../ais/parameters.ts';
import type { PlaceTable } from '../ais/places.ts';
import type { PortBox } from '../ais/port-boxes.ts';

export interface PositionState<Hearings> {
  readonly vessels: Map<number, Vessel>;
  readonly published: PublishedRecords;
  /** How each port is heard; plain data. */
  readonly hearings: Hearings;
}

/** Increased when the format of the state changes. */
const FORMAT = 3;

/** What calls were made with besides the engine: parameters, places and boxes. A state made with others cannot be used. */
export function pinsOf(parameters: EngineParameters, places: PlaceTable, boxes: readonly PortBox[]): string {
  const text = JSON.stringify([parameters, boxes]);
  return `${places.version} ${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}

export function stateText<Hearings>(state: PositionState<Hearings>, pins: string): string {
  const published = [...state.published.values()].map((one) => [
    one.port,
    one.callId,
    one.vesselId,
    one.traffic,
    one.ended,
    one.digest,
  ]);
  const head = JSON.stringify({ format: FORMAT, pins, hearings: state.hearings, published });
  return `${head}\n${writeState(state.vessels)}`;
}

/** Gzip at its fastest level, because a state is written with every step. */
export const writePositionState = (text: string): Uint8Array => gzipSync(text, { level: 1 });

type PublishedRow = [string, string, string, PublishedRecord['traffic'], number, string];

/** Throws `UnusableState` when the bytes are damaged, or were made by another engine version or with other pins. */
function readPositionState<Hearings>(bytes: Uint8Array, pins: string): PositionState<Hearings> {
  let text: string;
  try {
    text = gunzipSync(bytes).toString('utf8');
  } catch (error) {
    throw new UnusableState('the state does not decompress', { cause: error });
  }
  const end = text.indexOf('\n');
  let head: { format?: unknown; pins?: unknown; hearings?: Hearings; published?: readonly PublishedRow[] };
  try {
    head = JSON.parse(text.slice(0, end));
  } catch (error) {
    throw new UnusableState('the state does not parse', { cause: error });
  }
  if (
    head.format !== FORMAT ||
    head.pins !== pins ||
    head.published === undefined ||
    head.hearings === undefined
  )
    throw new UnusableState(
      `the state is of format ${String(head.format)}, places and parameters ${String(head.pins)}; ` +
        `this is format ${FORMAT}, places and parameters ${pins}`,
    );
  const published = head.published.map(
    ([port, callId, vesselId, traffic, ended, digest]): [string, PublishedRecord] => [
      `${port} ${callId}`,
      { port, callId, vesselId, traffic, ended, digest },
    ],
  );
  return {
    vessels: readState(text.slice(end + 1)),
    published: new Map(published),
    hearings: head.hearings,
  };
}

/** The state of the step before; `empty` where there is none, or, with the reason, where it cannot be used. */
export function stateBefore<Hearings>(
  bytes: Uint8Array | undefined,
  pins: string,
  empty: Hearings,
): { readonly state: PositionState<Hearings>; readonly fault?: string } {
  const state = { vessels: new Map(), published: new Map(), hearings: empty };
  if (bytes === undefined) return { state };
  try {
    return { state: readPositionState<Hearings>(bytes, pins) };
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error;
    return { state, fault: error.message };
  }
}
