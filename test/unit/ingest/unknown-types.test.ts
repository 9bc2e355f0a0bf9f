/** Vessels of unknown type are counted for operators, in polls and in records. */
import { expect, it } from '@jest/globals';
import type { CallBatch, PortPoll } from '../../../core/calls/observation.ts';
import { unknownTypes } from '../../../core/ingest/unknown-types.ts';

const at = { port: 'HKHKG', observedAt: 0 };
const vessel = { vesselId: 'V', ataAt: 0, zone: 'berth', place: 'BERTH' } as const;
const poll: PortPoll = { ...at, kind: 'poll', inPort: [vessel, { ...vessel, traffic: 'unknown' }] };
const record = { callId: 'C', vesselId: 'V', recordedAt: 0, stops: [] };
const batch: CallBatch = {
  ...at,
  kind: 'call-batch',
  coveredFromAt: 0,
  records: [
    { ...record, traffic: 'unknown' },
    { ...record, traffic: 'ferry' },
  ],
};

it('counts them over the reports of a fetch', () => {
  expect(unknownTypes([poll, batch])).toEqual({ unknownTypes: 2 });
  expect(unknownTypes([{ kind: 'trade', measure: 'value', observedAt: 0, values: [] }])).toBeUndefined();
});
