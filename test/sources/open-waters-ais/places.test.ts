/** Polls read with one table of places and then with another: nothing is lost, and what is still known is corrected. */
import { expect, it } from '@jest/globals';
import { fixedDegrees } from '../../../core/positions/geometry.ts';
import { indexPlaces, type Places } from '../../../core/positions/places.ts';
import { CALLS_FILE, pollReader } from '../../../core/positions/poll-step.ts';
import type { StepReply } from '../../../core/positions/step-reply.ts';
import { MINUTE_MS } from '../../../core/reference/time.ts';
import { OPEN_WATERS_FEED } from '../../../core/sources/open-waters-ais/source.ts';
import type { ArchivedFetch } from '../../../core/upstream/source.ts';
import { learnPlaces } from '../../../studies/places/learn-places.ts';
import { NO_PLACES } from '../../../studies/places/place-file.ts';
import { collection, files } from '../../builders/geojson-feed.ts';
import { canaries, feature, POLLED_AT } from './polls.ts';

/** Off Los Angeles, outside every anchorage area. */
const [LATITUDE, LONGITUDE] = [33.6, -118.2];
const POLLS = 20;

const poll = (index: number): ArchivedFetch => {
  const fetchedAt = POLLED_AT + index * 5 * MINUTE_MS;
  const vessel = feature(fetchedAt, { latitude: LATITUDE, longitude: LONGITUDE, heading: 90 });
  const text = collection([vessel, ...canaries(fetchedAt)]);
  return { fetchedAt, files: files({ 'vessels-1.geojson': text }) };
};

const before = indexPlaces(NO_PLACES);
const after = indexPlaces(
  learnPlaces(
    [1, 2, 3].map((mmsi) => ({
      mmsi,
      latitude: fixedDegrees(LATITUDE),
      longitude: fixedDegrees(LONGITUDE),
      kind: 'wait' as const,
    })),
  ),
);

/** Replies and state of the polls `from` up to `to`. */
function walk(from: number, to: number, places: Places, state?: Uint8Array) {
  const { step: stepPoll } = pollReader({ ...OPEN_WATERS_FEED, places });
  let last = state;
  const replies: StepReply[] = [];
  for (let index = from; index < to; index += 1) {
    const step = stepPoll(poll(index), last);
    last = step.state;
    replies.push(JSON.parse(new TextDecoder().decode(step.calls.get(CALLS_FILE))));
  }
  return { state: last, replies };
}

const recordsIn = (replies: readonly StepReply[]) =>
  replies.flatMap(({ batches }) => batches.flatMap(({ records }) => records));

it('a change of places corrects the calls that are still in the state, and says so once', () => {
  const old = walk(0, POLLS, before);
  const [known] = recordsIn(old.replies).slice(-1);
  expect(known?.stops.map(({ zone }) => zone)).toEqual(['berth']);
  const { replies } = walk(POLLS, POLLS + 3, after, old.state);
  expect(replies.map(({ notices }) => notices)).toEqual([
    [
      {
        reason: 'places-changed',
        detail: expect.stringMatching(`${before.version} until now, ${after.version} from here on`),
      },
    ],
    [],
    [],
  ]);
  const [changed, ...more] = recordsIn(replies);
  expect(changed).toMatchObject({ callId: known?.callId, vesselId: known?.vesselId });
  expect(changed?.stops).toEqual([{ ...known?.stops[0], zone: 'anchorage' }]);
  expect(more).toEqual([]);
});

it('the same places give the same bytes from the same polls', () => {
  const [once, again] = [walk(0, POLLS, after), walk(0, POLLS, after)];
  expect(again.state).toEqual(once.state);
  expect(again.replies).toEqual(once.replies);
});

it('from an empty state the new places hold from the first poll on', () => {
  const { replies } = walk(0, POLLS, after);
  const zones = recordsIn(replies).flatMap(({ stops }) => stops.map(({ zone }) => zone));
  expect(new Set(zones)).toEqual(new Set(['anchorage']));
});
