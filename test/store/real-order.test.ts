/**
 * Nine real months of Kaohsiung, polled each day and read once: equal figures, and a trend that follows from its waits. TIPC states no
 * licence for its lists, so none are in the repository: REAL_POLLS names a folder with two archives, `daily` with a poll a day from
 * 1 January to 4 October 2025 of the lists as they were known then, and `batch` with one poll on the last day of all of them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addDays, dayOf } from '../../core/reference/time.ts';
import { source as tipcTaiwan } from '../../core/sources/tipc-taiwan/source.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { daysRecomputed } from '../builders/recomputed-trend.ts';
import { valuesOf } from '../builders/table-dump.ts';

const FOLDER = process.env.REAL_POLLS;
const PORT = 'TWKHH';

/** The tables after all polls of an archive. */
async function ingested(name: string): Promise<MemoryIngest> {
  const archive = createFolderArchive(join(FOLDER ?? '', name));
  const fetches = await archive.fetches(tipcTaiwan.declaration.id, undefined, Number.MAX_SAFE_INTEGER);
  expect(fetches.length).toBe(readdirSync(join(FOLDER ?? '', name, tipcTaiwan.declaration.id)).length);
  const ingest = startMemoryIngest({ nowAt: fetches[0] ?? 0 });
  for (const at of fetches) {
    ingest.clock.nowAt = at;
    await ingest.archive.write(
      tipcTaiwan.declaration.id,
      at,
      (await archive.read(tipcTaiwan.declaration.id, at)) ?? new Map(),
    );
    expect(await ingest.pass(tipcTaiwan, { ask: false })).toMatchObject({ state: 'ok', fetches: 1 });
  }
  return ingest;
}

/** The tables of figures: calls and clocks also say when each was known. */
async function figures({ tables }: MemoryIngest): Promise<Record<string, string[]>> {
  const { portCalls: _, portClocks: __, sourceStatus: ___, ...rest } = await valuesOf(tables);
  return rest;
}

(FOLDER === undefined ? describe.skip : describe)('nine real months of Kaohsiung (REAL_POLLS)', () => {
  it('give the same figures by daily polls and in one batch, and each trend row follows from the waits', async () => {
    const [daily, batch] = [await ingested('daily'), await ingested('batch')];
    expect(await figures(daily)).toEqual(await figures(batch));
    const last = dayOf(daily.clock.nowAt);
    let compared = 0;
    for (let until = last; until > '2025-02-01'; until = addDays(until, -30))
      compared += await daysRecomputed(daily, PORT, until);
    expect(compared).toBeGreaterThan(220);
  });
});
