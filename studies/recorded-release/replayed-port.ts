/** A port as a service would have served it: its polls applied one by one, in memory, each at its own time. */
import { createPass } from '../../core/ingest/pass.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import type { Row } from '../../core/store/table.ts';
import { INGEST_TABLES, type IngestTableId } from '../../core/store/tables.ts';
import type { Source } from '../../core/upstream/source.ts';
import { ingestOver } from '../../test/builders/ingest-over.ts';
import { memorySteps } from '../../test/builders/memory-ingest.ts';
import { type MemoryTable, memoryTables } from '../../test/builders/memory-table.ts';

/** @param onPoll called after each poll, with how many are done and how many there are */
export async function replayPolls(
  source: Source,
  archive: RawArchive,
  onPoll: (done: number, total: number) => void = () => undefined,
): Promise<Record<IngestTableId, MemoryTable>> {
  const { id } = source.declaration;
  const fetches = await archive.fetches(id, undefined, Number.POSITIVE_INFINITY);
  const tables = memoryTables(INGEST_TABLES);
  const places = { tables, archive, steps: memorySteps(), close: async () => undefined };
  const ingest = ingestOver(places, { nowAt: fetches[0] ?? 0 });
  const pass = createPass({ ...ingest.dependencies(), replays: true });
  for (const [index, fetchedAt] of fetches.entries()) {
    ingest.clock.nowAt = fetchedAt;
    const { state, status, detail } = await pass(source, { ask: false, untilAt: fetchedAt });
    if (state !== 'ok' || status?.lastFetchAt !== fetchedAt)
      throw new Error(`the poll of ${new Date(fetchedAt).toISOString()} is not accepted: ${detail}`);
    onPoll(index + 1, fetches.length);
  }
  await markReplayed(tables);
  return tables;
}

/** Marks every value as computed later: none was served on its day. */
async function markReplayed(tables: Readonly<Record<IngestTableId, MemoryTable>>): Promise<void> {
  for (const table of Object.values(tables))
    for (const text of [...table.texts()]) {
      const row = JSON.parse(text) as Row;
      if ('knownOn' in row && table !== tables.portClocks) await table.put({ ...row, backfilled: true });
    }
}
