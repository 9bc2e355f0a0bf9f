/** What one poll leaves to the next: the engine's vessels, what was told of them, and how each port is heard. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Told, ToldRecord } from '../../ais/call-records.ts';
import type { Vessel } from '../../ais/engine.ts';
import { readState, UnusableState, writeState } from '../../ais/engine-state.ts';
import type { Hearings } from './hearing.ts';

export interface PollState {
  readonly vessels: Map<number, Vessel>;
  readonly told: Told;
  readonly hearings: Hearings;
  /** Version of the places table that the calls were made with. */
  readonly places: string;
}

/** Rises when the form of the state changes. */
const FORMAT = 1;

/** Gzip at its quickest: the state is written with every poll. */
export function writePollState({ vessels, told, hearings, places }: PollState): Uint8Array {
  const records = [...told.values()].map((one) => [
    one.port,
    one.callId,
    one.vesselId,
    one.traffic,
    one.ended,
    one.digest,
  ]);
  const head = JSON.stringify({ format: FORMAT, places, hearings, told: records });
  return gzipSync(`${head}\n${writeState(vessels)}`, { level: 1 });
}

type ToldRow = [string, string, string, ToldRecord['traffic'], number, string];

/** Throws `UnusableState` when it is damaged, or was made by another engine or with other places. */
export function readPollState(bytes: Uint8Array, places: string): PollState {
  let text: string;
  try {
    text = gunzipSync(bytes).toString('utf8');
  } catch (error) {
    throw new UnusableState('the state does not decompress', { cause: error });
  }
  const end = text.indexOf('\n');
  let head: { format?: unknown; places?: unknown; hearings?: Hearings; told?: readonly ToldRow[] };
  try {
    head = JSON.parse(text.slice(0, end));
  } catch (error) {
    throw new UnusableState('the state does not parse', { cause: error });
  }
  if (
    head.format !== FORMAT ||
    head.places !== places ||
    head.told === undefined ||
    head.hearings === undefined
  )
    throw new UnusableState(
      `the state is of format ${String(head.format)} and places ${String(head.places)}`,
    );
  const told = head.told.map(([port, callId, vesselId, traffic, ended, digest]): [string, ToldRecord] => [
    `${port} ${callId}`,
    { port, callId, vesselId, traffic, ended, digest },
  ]);
  return {
    vessels: readState(text.slice(end + 1)),
    told: new Map(told),
    hearings: head.hearings,
    places,
  };
}
