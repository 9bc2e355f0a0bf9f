/** A recorded table of calls as a service would have served it: read day by day, in memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallTables } from '../../core/ingest/call-tables.ts';
import { latestOf } from '../../core/reference/time.ts';
import { readCallTable } from '../../core/sources/call-tables/table.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import type { IngestTableId } from '../../core/store/tables.ts';
import { ingestOver } from '../../test/builders/ingest-over.ts';
import { memorySteps } from '../../test/builders/memory-ingest.ts';
import type { MemoryTable } from '../../test/builders/memory-table.ts';
import { readGivenTable } from '../../tools/ingest/call-tables.ts';

/** @param file without its extension: FILE.csv, and FILE.json about it. Its fetch is at its latest time. */
export async function applyTable(file: string, tables: Record<IngestTableId, MemoryTable>): Promise<void> {
  const given = { calls: `${file}.csv`, about: `${file}.json`, leaveOut: false, asPolls: 'daily' } as const;
  const { bytes, about } = await readGivenTable(given, Date.now());
  const { ports } = await readCallTable(bytes, { timeZone: about.timeZone, nowAt: Date.now() });
  const stops = ports.flatMap(({ calls }) => calls.flatMap((call) => call.stops));
  const nowAt = latestOf(stops.flatMap(({ ataAt = 0, atdAt = ataAt }) => [ataAt, atdAt]));
  const folder = await mkdtemp(join(tmpdir(), 'given-table-'));
  try {
    const archive = createFolderArchive(folder);
    const places = { tables, archive, steps: memorySteps(), close: async () => undefined };
    await createCallTables(ingestOver(places, { nowAt }).dependencies()).accept(bytes, about);
  } finally {
    await rm(folder, { recursive: true });
  }
}
