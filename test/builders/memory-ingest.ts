/** An ingest in memory whose state can be saved and restored, for thousands of runs. */

import type { PositionSteps } from '../../core/ingest/positions.ts';
import type { Instant } from '../../core/reference/time.ts';
import {
  fetchesAmong,
  fetchesJudged,
  type PositionStates,
  type RawArchive,
  type StoredState,
} from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import type { HttpClient } from '../../core/upstream/http-client.ts';
import type { FetchedFiles } from '../../core/upstream/source.ts';
import { ingestOver, type TestIngest } from './ingest-over.ts';
import { memoryTables } from './memory-table.ts';

export interface MemoryIngest extends TestIngest {
  /** Saves the state of tables, archive, and calls and states of positions; the returned function restores it. */
  save(): () => void;
}

class MemoryArchive implements RawArchive {
  private readonly sources = new Map<string, Map<Instant, FetchedFiles>>();
  private notes = new Map<string, object>();

  async fetches(source: string, afterAt = Number.NEGATIVE_INFINITY, untilAt: Instant): Promise<Instant[]> {
    const times = [...(this.sources.get(source)?.keys() ?? [])];
    return times.filter((at) => at > afterAt && at <= untilAt).sort((a, b) => a - b);
  }

  async read(source: string, fetchedAt: Instant): Promise<FetchedFiles | undefined> {
    return this.sources.get(source)?.get(fetchedAt);
  }

  async write(source: string, fetchedAt: Instant, files: FetchedFiles): Promise<void> {
    this.sources.set(source, (this.sources.get(source) ?? new Map()).set(fetchedAt, files));
  }

  async readNote(source: string, name: string): Promise<unknown> {
    return this.notes.get(`${source}/${name}`);
  }

  async writeNote(source: string, name: string, content: object): Promise<void> {
    this.notes.set(`${source}/${name}`, content);
  }

  async judged(source: string, afterAt: Instant | undefined, untilAt: Instant): Promise<Instant[]> {
    const names = [...this.notes.keys()].flatMap((key) => {
      const [of, name = ''] = key.split('/');
      return of === source ? [name] : [];
    });
    return fetchesAmong(fetchesJudged(names), afterAt, untilAt);
  }

  /** Saves the fetches and their notes; the returned function restores them. */
  save(): () => void {
    const saved = [...this.sources].map(([source, fetches]) => [source, new Map(fetches)] as const);
    const notes = new Map(this.notes);
    return () => {
      this.notes = new Map(notes);
      this.sources.clear();
      for (const [source, fetches] of saved) this.sources.set(source, new Map(fetches));
    };
  }
}

/** The archive with changes of what it does. */
export const altered = (archive: RawArchive, changes: Partial<RawArchive>): RawArchive => ({
  fetches: (...range) => archive.fetches(...range),
  read: (...fetch) => archive.read(...fetch),
  write: (...fetch) => archive.write(...fetch),
  readNote: (...note) => archive.readNote(...note),
  writeNote: (...note) => archive.writeNote(...note),
  judged: (...range) => archive.judged(...range),
  ...changes,
});

/** States of position sources in memory. */
class MemoryStates implements PositionStates {
  private stored = new Map<string, StoredState>();

  async read(source: string): Promise<StoredState | undefined> {
    return this.stored.get(source);
  }

  async write(source: string, bytes: Uint8Array, version: string | undefined): Promise<boolean> {
    const before = this.stored.get(source);
    if (before?.version !== version) return false;
    this.stored.set(source, { bytes, version: String(Number(before?.version ?? 0) + 1) });
    return true;
  }

  /** Saves the states; the returned function restores them. */
  save(): () => void {
    const saved = new Map(this.stored);
    return () => {
      this.stored = new Map(saved);
    };
  }
}

export const memorySteps = (): PositionSteps & { calls: MemoryArchive; states: MemoryStates } => ({
  calls: new MemoryArchive(),
  states: new MemoryStates(),
});

export function startMemoryIngest(options: {
  nowAt: Instant;
  http?: HttpClient;
  secret?: string;
}): MemoryIngest {
  const tables = memoryTables(INGEST_TABLES);
  const archive = new MemoryArchive();
  const steps = memorySteps();
  const ingest = ingestOver({ tables, archive, steps, close: async () => {} }, options);
  return {
    ...ingest,
    save() {
      const rows = Object.values(tables).map((table) => [table, table.save()] as const);
      const restores = [archive.save(), steps.calls.save(), steps.states.save()];
      const { nowAt } = ingest.clock;
      return () => {
        for (const [table, saved] of rows) table.restore(saved);
        for (const restore of restores) restore();
        ingest.clock.nowAt = nowAt;
      };
    },
  };
}
