/** Turns a poll of positions and the state of the previous poll into call records and the next state. */
import { changedRecords, recordsOf } from '../../ais/call-records.ts';
import { createEngine } from '../../ais/engine.ts';
import { nearestPort } from '../../ais/nearest-port.ts';
import { POLL_PARAMETERS } from '../../ais/parameters.ts';
import { learnedPlaces, NO_PLACES } from '../../ais/places.ts';
import { assignablePorts } from '../../ais/port-boxes.ts';
import type { StayParts } from '../../ais/stays.ts';
import { PORTS } from '../../reference/ports.ts';
import { batchesOf, publishedAfter, readCalls, type StepReply, writeCalls } from '../position-calls.ts';
import { type PositionState, pinsOf, stateBefore, stateText, writePositionState } from '../position-state.ts';
import {
  type ArchivedFetch,
  type ParsedFetch,
  type PositionStep,
  type Refusal,
  RefusedReply,
} from '../source.ts';
import { openWatersAisDeclaration as declaration } from './declaration.ts';
import { type Hearings, hear } from './hearing.ts';
import { CLOCK_SECONDS, readPoll } from './poll.ts';
import { PORT_BOXES } from './ports.ts';

/** The file that a step makes and `parse` reads. */
export const CALLS_FILE = 'calls.json';

const PLACES = NO_PLACES;
const PINS = pinsOf(POLL_PARAMETERS, PLACES, PORT_BOXES);

const PARTS: StayParts = {
  parameters: POLL_PARAMETERS,
  places: learnedPlaces(PLACES),
  ports: nearestPort(assignablePorts(PORTS, PORT_BOXES)),
};

const stepOf = (reply: StepReply, state: PositionState<Hearings>): PositionStep => ({
  calls: new Map([[CALLS_FILE, writeCalls(reply)]]),
  state: writePositionState(stateText(state, PINS)),
});

/** Pure: the same poll and state give the same bytes. */
export function stepPoll(fetched: ArchivedFetch, stateBytes: Uint8Array | undefined): PositionStep {
  const { state, fault } = stateBefore<Hearings>(stateBytes, PINS, {});
  const refusals: Refusal[] = fault === undefined ? [] : [{ reason: 'state-reset', detail: fault }];
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
  return stepOf(reply, { ...state, published, hearings });
}

/** Stopped vessels of unknown type, which are not counted. */
function unknownTypes({ vessels }: ReturnType<typeof createEngine>): Refusal[] {
  const isStopped = [...vessels.values()].filter(
    (vessel) => vessel.class === 'unknown' && vessel.tracks.some(({ open }) => open?.confirmed === true),
  );
  if (isStopped.length === 0) return [];
  return [
    { reason: 'unknown-type', detail: `${isStopped.length} stopped vessels of unknown type are not counted` },
  ];
}

/** Reads the calls that the step over a poll has made. Throws `RefusedReply` with the reason for which it refused the poll. */
export function parsePoll({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const { batches, refusals } = readCalls(files, CALLS_FILE, declaration.largestReplyBytes);
  return { asOfAt: fetchedAt, reports: batches, refusals };
}
