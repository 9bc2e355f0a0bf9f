/** Turns a poll of positions and the state of the previous poll into call records and the next state. */
import {
  changedRecords,
  type PublishedRecord,
  type PublishedRecords,
  recordsOf,
} from '../../ais/call-records.ts';
import { createEngine } from '../../ais/engine.ts';
import { UnusableState } from '../../ais/engine-state.ts';
import { nearestPort } from '../../ais/nearest-port.ts';
import { POLL_PARAMETERS } from '../../ais/parameters.ts';
import { learnedPlaces, NO_PLACES } from '../../ais/places.ts';
import type { StayParts } from '../../ais/stays.ts';
import type { CallBatch, CallRecord } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import { PORTS } from '../../reference/ports.ts';
import type { Instant } from '../../reference/time.ts';
import { type ArchivedFetch, type PositionStep, type Refusal, RefusedReply } from '../source.ts';
import { type Hearings, hear } from './hearing.ts';
import { CLOCK_SECONDS, readPoll } from './poll.ts';
import { type PollState, readPollState, writePollState } from './poll-state.ts';
import { assignablePorts, PORT_BOXES } from './ports.ts';

/** The file that a step makes and `parse` reads. */
export const CALLS_FILE = 'calls.json';

/** The result of one poll. */
export interface StepReply {
  /** Why the whole poll is left out. */
  readonly refused?: Refusal;
  readonly batches: readonly CallBatch[];
  readonly refusals: readonly Refusal[];
}

const PLACES = NO_PLACES;

const PARTS: StayParts = {
  parameters: POLL_PARAMETERS,
  places: learnedPlaces(PLACES),
  ports: nearestPort(assignablePorts(PORTS, PORT_BOXES)),
};

const emptyState = (): PollState => ({
  vessels: new Map(),
  published: new Map(),
  hearings: {},
  places: PLACES.version,
});

/** The previous state, or an empty one with a refusal when it cannot be used. */
function stateBefore(bytes: Uint8Array | undefined): { state: PollState; refusals: Refusal[] } {
  if (bytes === undefined) return { state: emptyState(), refusals: [] };
  try {
    return { state: readPollState(bytes, PLACES.version), refusals: [] };
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error;
    return { state: emptyState(), refusals: [{ reason: 'state-reset', detail: error.message }] };
  }
}

const stepOf = (reply: StepReply, state: PollState): PositionStep => ({
  calls: new Map([[CALLS_FILE, new TextEncoder().encode(`${JSON.stringify(reply)}\n`)]]),
  state: writePollState(state),
});

/** Records of the ports that the poll covers come from `now`, those of all other ports from `before`. */
function publishedAfter(
  before: PublishedRecords,
  now: PublishedRecords,
  covered: ReadonlyMap<Locode, Instant>,
): PublishedRecords {
  const isCovered = ([, { port }]: [string, PublishedRecord]): boolean => covered.has(port);
  const entries = [...[...before].filter((one) => !isCovered(one)), ...[...now].filter(isCovered)];
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function batchesOf(
  changed: readonly { readonly port: Locode; readonly record: CallRecord }[],
  covered: ReadonlyMap<Locode, Instant>,
  polledAt: Instant,
): CallBatch[] {
  return [...covered]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([port, coveredFromAt]) => ({
      kind: 'call-batch',
      port,
      observedAt: polledAt,
      coveredFromAt,
      records: changed.filter((one) => one.port === port).map(({ record }) => record),
    }));
}

/** Pure: the same poll and state give the same bytes. */
export function stepPoll(fetched: ArchivedFetch, stateBytes: Uint8Array | undefined): PositionStep {
  const { state, refusals } = stateBefore(stateBytes);
  const { fetchedAt } = fetched;
  let poll: ReturnType<typeof readPoll>;
  try {
    poll = readPoll(fetched, PORT_BOXES);
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    const refused = { reason: error.reason, detail: error.message };
    return stepOf({ refused, batches: [], refusals }, state);
  }
  const time = fetchedAt / 1000;
  const engine = createEngine({
    parameters: POLL_PARAMETERS,
    latest: time + CLOCK_SECONDS,
    vessels: state.vessels,
  });
  for (const fix of poll.fixes) engine.push(fix);
  engine.forget(time);
  const all = [...refusals, ...poll.refusals];
  if (poll.silence !== undefined) return stepOf({ refused: poll.silence, batches: [], refusals: all }, state);

  const { hearings, covered } = hear(state.hearings, PORT_BOXES, poll.heard, fetchedAt);
  const records = [...engine.vessels.values()].flatMap((vessel) => recordsOf(vessel, time, PARTS));
  const step = changedRecords(state.published, records, time, POLL_PARAMETERS);
  const reply = {
    batches: batchesOf(step.changed, covered, fetchedAt),
    refusals: [...all, ...unknownTypes(engine)],
  };
  const published = publishedAfter(state.published, step.published, covered);
  return stepOf(reply, { ...state, published, hearings: hearings satisfies Hearings });
}

/** Stopped vessels of unknown type, which count nowhere. */
function unknownTypes({ vessels }: ReturnType<typeof createEngine>): Refusal[] {
  const isStopped = [...vessels.values()].filter(
    (vessel) => vessel.class === 'unknown' && vessel.tracks.some(({ open }) => open?.confirmed === true),
  );
  if (isStopped.length === 0) return [];
  return [
    { reason: 'unknown-type', detail: `${isStopped.length} stopped vessels of unknown type count nowhere` },
  ];
}
