/** Which ports recorded replies are evidence of. */
import { expect, it } from '@jest/globals';
import type { CallsObservation, RecordedStop } from '../../../core/calls/observation.ts';
import type { ArchivedFetch, PollSource } from '../../../core/upstream/source.ts';
import { recordedPorts } from '../../../tools/coverage/evidence.ts';
import { replyFiles, SCRIPTED_PORT, scriptedSource } from '../../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 2, 2);
const reply = (minutes: number, ...stops: RecordedStop[]): ArchivedFetch => {
  const at = T0 + minutes * 60_000;
  const record = { callId: 'one', vesselId: 'one', traffic: 'cargo' as const, recordedAt: at, stops };
  const span = { observedAt: at, coveredFromAt: T0 };
  const batch: CallsObservation = { kind: 'call-batch', port: SCRIPTED_PORT, ...span, records: [record] };
  return { fetchedAt: at, files: replyFiles({ asOfAt: at, observations: [batch] }) };
};
const records = scriptedSource();
/** Each step makes the calls of its poll, and counts the polls. */
const positions: PollSource = {
  ...records,
  step: ({ files }, state) => ({ calls: files, state: new Uint8Array([(state?.[0] ?? 0) + 1]) }),
};
const stop = (more: Partial<RecordedStop> = {}): RecordedStop => ({
  zone: 'berth',
  place: 'one',
  ataAt: T0,
  ...more,
});

it('are those of any record of a list', () => {
  expect(recordedPorts(records, [reply(5, stop())])).toEqual([SCRIPTED_PORT]);
});

it('are of positions those of a stay that was seen from its beginning to its end', () => {
  const left = { atdAt: T0 + 60_000 };
  expect(recordedPorts(positions, [reply(5, stop())])).toBeUndefined();
  expect(recordedPorts(positions, [reply(5, stop({ ...left, startUnknown: true }))])).toBeUndefined();
  expect(recordedPorts(positions, [reply(5, stop({ ...left, endUnknown: true }))])).toBeUndefined();
  expect(recordedPorts(positions, [reply(5, stop()), reply(10, stop(left))])).toEqual([SCRIPTED_PORT]);
});

it('are none of replies that are refused', () => {
  const refused = { fetchedAt: T0, files: replyFiles('garbage') };
  expect(recordedPorts(records, [refused])).toBeUndefined();
  expect(recordedPorts(records, [refused, reply(5, stop())])).toEqual([SCRIPTED_PORT]);
});
