/** `until`: the response for a past window equals the one right after that window closed. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, endOfDay, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { type Read, type ReadReply, readHandlers } from '../builders/read-handlers.ts';

const PORT = 'USLAX';
const CLOSED_DAY = '2026-03-10';
const CLOSED_AT: Instant = endOfDay(CLOSED_DAY);
const OPERATIONS = ['trend', 'dwell', 'alerts'] as const;

let ingest: MemoryIngest;
const source = createSampleSource({ seed: 4, firstDay: async () => '2026-02-01' });

async function ask(
  operation: (typeof OPERATIONS)[number],
  query: Record<string, string>,
): Promise<ReadReply> {
  const reads = readHandlers(ingest.tables, () => ingest.clock.nowAt);
  const sent = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
  return (reads[operation] as Read)({ path: { UNLOCODE: PORT }, query: sent });
}

async function moveTo(nowAt: Instant): Promise<void> {
  ingest.clock.nowAt = nowAt;
  expect(await ingest.pass(source)).toMatchObject({ state: 'ok' });
}

const closedWindow = async (): Promise<Record<string, ReadReply>> => {
  const replies: Record<string, ReadReply> = {};
  for (const operation of OPERATIONS)
    for (const window of ['7d', '30d'])
      for (const format of ['json', 'csv'])
        replies[`${operation} ${window} ${format}`] = await ask(operation, {
          window,
          until: CLOSED_DAY,
          format,
        });
  return replies;
};

describe('a closed window', () => {
  let whenClosed: Record<string, ReadReply>;
  beforeAll(async () => {
    ingest = startMemoryIngest({ nowAt: CLOSED_AT - 12 * HOUR_MS });
    await moveTo(CLOSED_AT - 12 * HOUR_MS);
    await moveTo(CLOSED_AT);
    whenClosed = await closedWindow();
    for (const days of [1, 2, 5]) await moveTo(CLOSED_AT + days * DAY_MS);
  });

  it('is the same, byte for byte, however much later it is requested', async () => {
    const later = await closedWindow();
    expect(later).toEqual(whenClosed);
    expect(later['alerts 30d json']?.body).not.toBe('[]');
    for (const [name, { status, body }] of Object.entries(later)) {
      expect([name, status]).toEqual([name, 200]);
      if (!name.startsWith('alerts'))
        expect(body.split('\n').join(',').split(',').length).toBeGreaterThan(20);
    }
  });
});
