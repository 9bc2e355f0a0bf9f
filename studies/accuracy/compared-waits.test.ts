/** Recorded calls that are sailed as tracks come back as the waits that the record states. */
import { expect, it } from '@jest/globals';
import type { CallRecord } from '../../core/calls/observation.ts';
import { HOUR_MS } from '../../core/reference/time.ts';
import { compareWeeks } from './compared-waits-study.ts';

const MONDAY = Date.UTC(2026, 2, 2);
const HOURS = [0, 0, 0, 5, 8, 12, 18, 26, 40];

/** A call that berths some hours into the week, after a wait. */
function callOf(waitHours: number, index: number): CallRecord {
  const berthedAt = MONDAY + (12 + index * 13) * HOUR_MS;
  const anchored = { zone: 'anchorage' as const, place: '', ataAt: berthedAt - waitHours * HOUR_MS };
  return {
    callId: `call-${index}`,
    vesselId: `name:${index}`,
    traffic: 'cargo',
    recordedAt: berthedAt,
    stops: [...(waitHours > 0 ? [anchored] : []), { zone: 'berth', place: '', ataAt: berthedAt }],
    atdAt: berthedAt + 20 * HOUR_MS,
  };
}

it('waits by positions are those of the record, less the way from the roads to the quay', () => {
  const [week] = compareWeeks(HOURS.map(callOf), '2026-03-02', 1, 10);
  expect(week).toMatchObject({
    week: '2026-03-02',
    record: { berthed: 9, delayed: 6, medianHours: 15 },
    positions: { berthed: 9, delayed: 6 },
  });
  expect(week?.positions.medianHours).toBeGreaterThan(13);
  expect(week?.positions.medianHours).toBeLessThan(15);
});
