/** The state between two polls: the engine's vessels, the published call records, and how each port is heard. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PublishedRecord, PublishedRecords } from '../../ais/call-records.ts';
import type { Vessel } from '../../ais/engine.ts';
import { readState, UnusableState, writeState } from '../../ais/engine-state.ts';
import type { Hearings } from './hearing.ts';

export interface PollState {
  readonly vessels: Map<number, Vessel>;
  readonly published: PublishedRecords;
  readonly hearings: Hearings;
  /** Version of the places table that the calls were made with. */
  readonly places: string;
}

/** Increased when the format of the state changes. */
const FORMAT = 2;

/** Gzip at its fastest level, because the state is written with every poll. */
export function writePollState({ vessels, published, hearings, places }: PollState): Uint8Array {
  const records = [...published.values()].map((one) => [
    one.port,
    one.callId,
    one.vesselId,
    one.traffic,
    one.ended,
    one.digest,
  ]);
  const head = JSON.stringify({ format: FORMAT, places, hearings, published: records });
  return gzipSync(`${head}\n${writeState(vessels)}`, { level: 1 });
}

type PublishedRow = [string, string, string, PublishedRecord['traffic'], number, string];

/** Throws `UnusableState` when the bytes are damaged, or were made by another engine version or with other places. */
export function readPollState(bytes: Uint8Array, places: string): PollState {
  let text: string;
  try {
    text = gunzipSync(bytes).toString('utf8');
  } catch (error) {
    throw new UnusableState('the state does not decompress', { cause: error });
  }
  const end = text.indexOf('\n');
  let head: { format?: unknown; places?: unknown; hearings?: Hearings; published?: readonly PublishedRow[] };
  try {
    head = JSON.parse(text.slice(0, end));
  } catch (error) {
    throw new UnusableState('the state does not parse', { cause: error });
  }
  if (
    head.format !== FORMAT ||
    head.places !== places ||
    head.published === undefined ||
    head.hearings === undefined
  )
    throw new UnusableState(
      `the state is of format ${String(head.format)} and places ${String(head.places)}`,
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
    places,
  };
}
