/** How far the newest event of a reply may lie before its fetch, and before one that is known. */
import { expect, it } from '@jest/globals';
import { refuseUntimely } from '../../../core/ingest/fetch-reader.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';
import type { SourceDeclaration } from '../../../core/upstream/source.ts';

const FETCHED_AT = Date.UTC(2026, 2, 2);

/** Judges a poll with one arrival, this many hours before its fetch, where one of `knownHours` before it is known. */
function judge(hours: number, knownHours: number, silence: SourceDeclaration['silence']): void {
  const ataAt = FETCHED_AT - hours * HOUR_MS;
  const vessel = { vesselId: 'A', traffic: 'cargo', zone: 'berth', place: 'one', ataAt } as const;
  const observations = [
    { kind: 'poll', port: 'HKHKG', observedAt: FETCHED_AT, inPort: [vessel], arrived: [], departed: [] },
  ] as const;
  const status = { newestEventAt: FETCHED_AT - knownHours * HOUR_MS };
  refuseUntimely({ asOfAt: FETCHED_AT, observations }, status, FETCHED_AT, { silence });
}

it.each([
  ['the hours that its source declares', { of: 'events', maxHours: 37, backHours: 1 }, 1],
  ['six hours where its source declares none', { of: 'events', maxHours: 37 }, 6],
] as const)(
  'a reply whose newest event is older than a known one, by over %s, is stale',
  (_, silence, limit) => {
    expect(() => judge(10, 10 - limit, silence)).not.toThrow();
    expect(() => judge(10 + 0.1, 10 - limit, silence)).toThrow('is older than one of');
  },
);

it('a reply without an event for longer than its source is ever silent is stale', () => {
  const silence = { of: 'events', maxHours: 37 } as const;
  expect(() => judge(37, 40, silence)).not.toThrow();
  expect(() => judge(37.1, 40, silence)).toThrow('its newest event is 37.1 h before its fetch, at most 37');
});
