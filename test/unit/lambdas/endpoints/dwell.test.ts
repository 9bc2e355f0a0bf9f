/** Dwell: what a stay looks like on the wire. */
import { expect, it } from '@jest/globals';
import { SECOND_MS } from '../../../../core/reference/time.ts';
import { createStayDayStore } from '../../../../core/store/day-series.ts';
import { memoryTables } from '../../../builders/memory-table.ts';
import { readHandlers } from '../../../builders/read-handlers.ts';

const BEGAN_AT = Date.parse('2026-01-05T00:00:00Z');

async function hoursOf(seconds: number): Promise<number | undefined> {
  const tables = memoryTables(['stayDays', 'ports']);
  const endAt = BEGAN_AT + seconds * SECOND_MS;
  const stay = { callId: 'c', kind: 'wait' as const, startAt: BEGAN_AT, endAt };
  await createStayDayStore(tables.stayDays).write('HKHKG', new Map([['2026-01-05', [stay]]]));
  const { dwell } = readHandlers(tables, () => Date.parse('2026-01-20T00:00:00Z'));
  const { body } = await dwell({ path: { UNLOCODE: 'HKHKG' }, query: { window: '30d' } });
  return JSON.parse(body)[0]?.hours;
}

it('rounds hours as every other figure, half away from zero', async () => {
  // 3,618 s are 1.005 h, which a double represents as slightly less.
  expect(await Promise.all([0, 17, 18, 3_618, 7_218].map(hoursOf))).toEqual([0, 0, 0.01, 1.01, 2.01]);
});
