/** Dwell: what a stay looks like on the wire. */
import { expect, it } from '@jest/globals';
import { SECOND_MS } from '../../../core/reference/time.ts';
import { createDwell } from '../../../lambdas/dwell/dwell.ts';

const BEGAN_AT = Date.parse('2026-01-05T00:00:00Z');

async function hoursOf(seconds: number): Promise<number | undefined> {
  const stay = {
    callId: 'c',
    kind: 'wait' as const,
    startAt: BEGAN_AT,
    endAt: BEGAN_AT + seconds * SECOND_MS,
  };
  const stores = { stayDays: { between: async () => [stay] }, ports: { get: async () => undefined } };
  const answer = await createDwell(stores, () => Date.parse('2026-02-01T00:00:00Z'))({
    path: { UNLOCODE: 'HKHKG' },
    query: { window: 30 },
  });
  return answer[0]?.hours;
}

it('rounds hours as every other figure, half away from zero', async () => {
  // 3,618 s are 1.005 h, which a double holds as a little less.
  expect(await Promise.all([0, 17, 18, 3_618, 7_218].map(hoursOf))).toEqual([0, 0, 0.01, 1.01, 2.01]);
});
