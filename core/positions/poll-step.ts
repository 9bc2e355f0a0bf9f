/** Turns a poll of positions and the state of the previous poll into call records and the next state. */

import { PORTS, type Port } from '../reference/ports.ts';
import type { Instant } from '../reference/time.ts';
import { Refusals } from '../upstream/refusals.ts';
import { type ArchivedFetch, type ParsedFetch, type PositionStep, RefusedReply } from '../upstream/source.ts';
import { Engine } from './engine.ts';
import { POLL_PARAMETERS } from './parameters.ts';
import { CLOCK_SECONDS, type Poll, type PollFeed, readPositions } from './poll-read.ts';
import {
  outagesIn,
  type ReceptionStep,
  type Receptions,
  receivePoll,
  withoutSilentApproaches,
} from './reception.ts';
import { recordChanges, type StepParts, stepCounts, stepParts } from './step.ts';
import { callBatches, readCalls, type StepReply, writeCalls } from './step-reply.ts';
import { type PositionState, stateBefore, stateText, writePositionState } from './step-state.ts';
import { pollFault } from './vessel-plausibility.ts';

/** The file that a step makes and `parse` reads. */
export const CALLS_FILE = 'calls.json';

/** The ports that a poll covers. A silent poll covers none, and does not change what is usual. */
export function receivedIn(
  feed: PollFeed,
  { received, silence }: Poll,
  before: Receptions,
  polledAt: Instant,
): ReceptionStep {
  if (silence !== undefined) return { receptions: before, covered: new Map() };
  const { boxes, approaches = [] } = feed;
  // An approach is received under its own name.
  const areas = [...boxes, ...approaches.map(({ name }) => ({ ports: [name] }))];
  const { receptions, covered } = receivePoll(before, areas, received, polledAt);
  return { receptions, covered: withoutSilentApproaches(covered, receptions, approaches) };
}

/** Pure: the same poll and state give the same bytes. */
function stepPoll(
  feed: PollFeed,
  { pins, stays, isOutside }: StepParts,
  fetched: ArchivedFetch,
  stateBytes: Uint8Array | undefined,
): PositionStep {
  const { state, notices } = stateBefore(stateBytes, pins);
  const made = (reply: StepReply, next: PositionState): PositionStep => ({
    calls: new Map([[CALLS_FILE, writeCalls(reply)]]),
    state: writePositionState(stateText(next, pins)),
  });
  const { fetchedAt } = fetched;
  let poll: Poll;
  try {
    poll = readPositions(feed, fetched);
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    const refused = { reason: error.reason, detail: error.message };
    return made({ refused, batches: [], refusals: [], notices }, state);
  }
  const time = fetchedAt / 1000;
  const read = { lists: [poll.list], notices: [...notices, ...poll.notices] };
  const refused = poll.silence ?? pollFault(poll.fixes, state.vessels);
  if (refused !== undefined)
    return made({ refused, batches: [], refusals: [], ...read, counts: poll.counts }, state);
  const { receptions, covered } = receivedIn(feed, poll, state.receptions, fetchedAt);
  const outages = outagesIn(feed.boxes, receptions, fetchedAt);
  const engine = new Engine({
    parameters: POLL_PARAMETERS,
    latest: time + CLOCK_SECONDS,
    polledAt: time,
    vessels: state.vessels,
    outages,
    isOutside,
  });
  for (const fix of poll.fixes) engine.push(fix);
  const { changed, published } = recordChanges(engine, { ...stays, outages }, time, covered, state.published);
  const counts = { ...stepCounts(engine), ...poll.counts };
  const reply = { batches: callBatches(changed, covered, fetchedAt), refusals: [], ...read, counts };
  return made(reply, { ...state, published, receptions });
}

/** How a source of polls reads its fetches. */
export function pollReader(feed: PollFeed, reference: readonly Port[] = PORTS) {
  // Made with the first step: most processes that load a source never step.
  let parts: StepParts | undefined;
  const { boxes, approaches = [], anchorageAreas } = feed;
  return {
    feed,
    step(fetched: ArchivedFetch, state: Uint8Array | undefined): PositionStep {
      parts ??= stepParts({ parameters: POLL_PARAMETERS, boxes, approaches, anchorageAreas }, reference);
      return stepPoll(feed, parts, fetched, state);
    },
    /** Reads the calls that the step has made. Throws `RefusedReply` with the reason for which it refused the poll. */
    parse({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
      const reply = readCalls(files, CALLS_FILE, feed.declaration.maxReplyBytes);
      const { batches, refusals, lists = [], notices, counts } = reply;
      return {
        asOfAt: fetchedAt,
        reports: batches,
        refusals: new Refusals(...refusals),
        lists,
        notices,
        counts,
      };
    },
  };
}
export type PollReader = ReturnType<typeof pollReader>;
