/** Turns a poll of positions and the state of the previous poll into call records and the next state. */
import { ANCHORAGE_AREAS } from '../../ais/anchorage-areas.ts';
import { changedRecords, recordsOf } from '../../ais/call-records.ts';
import { createEngine } from '../../ais/engine.ts';
import { nearestPort } from '../../ais/nearest-port.ts';
import { POLL_PARAMETERS } from '../../ais/parameters.ts';
import { readPlaces } from '../../ais/place-table.ts';
import { type Places, placesOf } from '../../ais/places.ts';
import { assignablePorts } from '../../ais/port-boxes.ts';
import type { StayParts } from '../../ais/stays.ts';
import { PORTS } from '../../reference/ports.ts';
import { batchesOf, publishedAfter, readCalls, type StepReply, writeCalls } from '../position-calls.ts';
import { stepCounts } from '../position-counts.ts';
import { type PositionState, pinsOf, stateBefore, stateText, writePositionState } from '../position-state.ts';
import { type ArchivedFetch, type ParsedFetch, type PositionStep, RefusedReply } from '../source.ts';
import { openWatersAisDeclaration as declaration } from './declaration.ts';
import { type Hearings, hear } from './hearing.ts';
import places from './places.json' with { type: 'json' };
import { CLOCK_SECONDS, readPoll } from './poll.ts';
import { PORT_BOXES } from './ports.ts';

/** The file that a step makes and `parse` reads. */
export const CALLS_FILE = 'calls.json';

const PLACES = placesOf(readPlaces(places), ANCHORAGE_AREAS);
const ASSIGNED = nearestPort(assignablePorts(PORTS, PORT_BOXES));

/** Pure: the same poll, state and places give the same bytes. */
export function stepPoll(
  fetched: ArchivedFetch,
  stateBytes: Uint8Array | undefined,
  places: Places = PLACES,
): PositionStep {
  const pins = pinsOf(POLL_PARAMETERS, PORT_BOXES, places);
  const { state, notices } = stateBefore<Hearings>(stateBytes, pins, {});
  const stepOf = (reply: StepReply, next: PositionState<Hearings>): PositionStep => ({
    calls: new Map([[CALLS_FILE, writeCalls(reply)]]),
    state: writePositionState(stateText(next, pins)),
  });
  const { fetchedAt } = fetched;
  let poll: ReturnType<typeof readPoll>;
  try {
    poll = readPoll(fetched, PORT_BOXES);
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    const refused = { reason: error.reason, detail: error.message };
    return stepOf({ refused, batches: [], refusals: [], notices }, state);
  }
  const time = fetchedAt / 1000;
  const engine = createEngine({
    parameters: POLL_PARAMETERS,
    latest: time + CLOCK_SECONDS,
    vessels: state.vessels,
  });
  for (const fix of poll.fixes) engine.push(fix);
  engine.forget(time);
  const noted = { refusals: [], notices, counts: { ...stepCounts(engine), ...poll.counts } };
  if (poll.silence !== undefined) return stepOf({ refused: poll.silence, batches: [], ...noted }, state);

  const { hearings, covered } = hear(state.hearings, PORT_BOXES, poll.heard, fetchedAt);
  const parts: StayParts = { parameters: POLL_PARAMETERS, places, ports: ASSIGNED };
  const records = [...engine.vessels.values()].flatMap((vessel) => recordsOf(vessel, time, parts));
  const step = changedRecords(state.published, records, time, POLL_PARAMETERS);
  const reply = { batches: batchesOf(step.changed, covered, fetchedAt), ...noted };
  const published = publishedAfter(state.published, step.published, covered);
  return stepOf(reply, { ...state, published, hearings });
}

/** Reads the calls that the step over a poll has made. Throws `RefusedReply` with the reason for which it refused the poll. */
export function parsePoll({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const {
    batches,
    refusals,
    notices = [],
    counts,
  } = readCalls(files, CALLS_FILE, declaration.largestReplyBytes);
  return { asOfAt: fetchedAt, reports: batches, refusals, notices, counts };
}
