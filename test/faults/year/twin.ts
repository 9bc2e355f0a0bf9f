/** The undisturbed run beside the simulated year: one process, no faults, the same fetches from the same archive. */

import { INGEST_TABLES } from '../../../core/ingest/dependencies.ts';
import { HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import type { Source } from '../../../core/sources/source.ts';
import type { IngestTableId } from '../../builders/ingest.ts';
import { type MemoryTable, memoryTables } from '../../builders/memory-table.ts';
import { dumpOf } from '../../builders/table-dump.ts';
import { expectEqualRows } from '../fault-run.ts';
import { ServiceProcess, type YearArchive } from './process.ts';
import { promise } from './promises.ts';
import type { Upstream } from './upstream.ts';

export class Twin {
  readonly tables: Record<IngestTableId, MemoryTable> = memoryTables(INGEST_TABLES);
  readonly #process: ServiceProcess;
  readonly #observedAts = new Map<string, Instant[]>();
  readonly #asOf = new Map<string, Instant>();
  #nowAt = 0;

  constructor(archive: YearArchive) {
    const machine = { tables: this.tables, archive, now: () => this.#nowAt, isStoreDown: () => false };
    this.#process = new ServiceProcess(machine, 'twin');
  }

  /** Times at which the port was observed by a reply that was taken, oldest first. */
  observedAts(port: string): readonly Instant[] {
    return this.#observedAts.get(port) ?? [];
  }

  /** Applies the archived fetches of the source up to `untilAt`. */
  async follow({ source, shown }: Upstream, untilAt: Instant, nowAt: Instant): Promise<void> {
    this.#nowAt = nowAt;
    const outcome = await this.#process.pass(this.#watched(source, shown), { ask: false, untilAt });
    promise(!(outcome instanceof Error) && outcome.state === 'ok', 'the undisturbed run failed:', outcome);
  }

  /** The source, its good replies noted as they are taken: an older one than the last is not. */
  #watched(source: Source, shown: Upstream['shown']): Source {
    const { id } = source.declaration;
    return {
      ...source,
      parse: (fetched) => {
        const parsed = source.parse(fetched);
        if (parsed.asOfAt < (this.#asOf.get(id) ?? 0)) return parsed;
        this.#asOf.set(id, parsed.asOfAt);
        for (const report of parsed.reports) {
          if (report.kind === 'trade') continue;
          const times = this.#observedAts.get(report.port) ?? [];
          this.#observedAts.set(report.port, times);
          const last = times.at(-1) ?? 0;
          // Records cover the whole span since the last reply; a poll only its own time, if it has the list.
          if (report.kind === 'call-batch')
            for (let at = Math.max(report.coveredFromAt, last); at < report.observedAt; at += HOUR_MS)
              times.push(at);
          const isObserved = shown.get(report.port)?.get(report.observedAt) !== undefined;
          if (isObserved && report.observedAt > last) times.push(report.observedAt);
        }
        return parsed;
      },
    };
  }

  /** Compares every row of both runs; of a source's status only the applied fetches. */
  async expectSame(what: string, tables: Record<IngestTableId, MemoryTable>): Promise<number> {
    let rows = 0;
    for (const id of INGEST_TABLES) {
      if (id === 'sourceStatus') continue;
      const [mine, theirs] = [[...this.tables[id].texts()], [...tables[id].texts()]];
      rows += mine.length;
      if (mine.length === theirs.length && mine.every((text, i) => text === theirs[i])) continue;
      expectEqualRows(what, await dumpOf({ [id]: tables[id] }), await dumpOf({ [id]: this.tables[id] }));
    }
    return rows;
  }
}
