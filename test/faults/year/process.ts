/** A process of the service in the simulated year: passes over the shared tables and archive, until it is killed. */

import { INGEST_TABLES, ingestStores } from '../../../core/ingest/dependencies.ts';
import { createPass, type PassOutcome, type PassRequest } from '../../../core/ingest/pass.ts';
import { findPort } from '../../../core/reference/ports.ts';
import type { Instant } from '../../../core/reference/time.ts';
import type { RandomStream } from '../../../core/sources/sample-simulator/random.ts';
import type { FetchedFiles, Source } from '../../../core/sources/source.ts';
import { ArchiveFailure, type RawArchive } from '../../../core/store/raw-archive.ts';
import { faultyTable, type TableFault } from '../../builders/faulty-table.ts';
import type { IngestTableId } from '../../builders/ingest.ts';
import { memorySteps } from '../../builders/memory-ingest.ts';
import type { MemoryTable } from '../../builders/memory-table.ts';

/** A fetch as archived; undefined where the writing was cut off. */
export class YearArchive implements RawArchive {
  readonly #fetches = new Map<string, Map<Instant, FetchedFiles | undefined>>();

  #of(source: string): Map<Instant, FetchedFiles | undefined> {
    const fetches = this.#fetches.get(source) ?? new Map<Instant, FetchedFiles | undefined>();
    this.#fetches.set(source, fetches);
    return fetches;
  }

  async fetches(source: string, afterAt: Instant | undefined, untilAt: Instant): Promise<Instant[]> {
    const times = [...this.#of(source).keys()].filter((at) => at <= untilAt && at > (afterAt ?? -Infinity));
    return times.sort((a, b) => a - b);
  }

  async read(source: string, fetchedAt: Instant): Promise<FetchedFiles | undefined> {
    return this.#of(source).get(fetchedAt);
  }

  async write(source: string, fetchedAt: Instant, files: FetchedFiles | undefined): Promise<void> {
    this.#of(source).set(fetchedAt, files);
  }

  /** Clears the caches of all readers. */
  prune(source: string, untilAt: Instant): void {
    for (const at of this.#of(source).keys()) if (at <= untilAt) this.#fetches.get(source)?.delete(at);
  }
}

/** The fault of one pass, at the n-th call to the store. */
export interface Mishap {
  readonly atCall: number;
  readonly fault: TableFault;
  /** The process ends there. */
  readonly kills: boolean;
}

export type ArchiveFault = 'refused' | 'cut-off' | undefined;

export interface Machine {
  readonly tables: Readonly<Record<IngestTableId, MemoryTable>>;
  readonly archive: YearArchive;
  /** The clock of the machine, right or wrong. */
  readonly now: () => Instant;
  /** The store does not respond. */
  readonly isStoreDown: () => boolean;
}

class Killed extends Error {
  override readonly name = 'Killed';
}

export class ServiceProcess {
  mishap: Mishap | undefined;
  archiveFault: ArchiveFault;
  /** Calls take turns with those of others by this stream; none of them waits without it. */
  turns: RandomStream | undefined;
  /** Minutes by which this process' clock differs from the machine's. */
  offsetMs = 0;
  isDead = false;
  /** Faults that were met. */
  met = 0;
  readonly #pass: (source: Source, request: PassRequest) => Promise<PassOutcome>;
  #calls = 0;

  constructor(
    readonly machine: Machine,
    readonly owner: string,
  ) {
    const now = (): Instant => machine.now() + this.offsetMs;
    const wrapped = INGEST_TABLES.map((id) => {
      return [id, faultyTable(machine.tables[id], id, () => this.#beforeCall())] as const;
    });
    const noNetwork = async (): Promise<never> => {
      throw new Error('the simulated year has no network');
    };
    this.#pass = createPass({
      ...ingestStores(Object.fromEntries(wrapped) as Record<IngestTableId, MemoryTable>, now),
      archive: this.#archive(machine.archive),
      steps: memorySteps(),
      httpFor: () => ({ get: noNetwork }),
      secretFor: async () => undefined,
      findPort,
      now,
      owner,
    });
  }

  /** The outcome, or the error that ended the pass. */
  async pass(source: Source, request: PassRequest = { ask: true }): Promise<PassOutcome | Error> {
    this.#calls = 0;
    try {
      return await this.#pass(source, request);
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  async #beforeCall(): Promise<TableFault | undefined> {
    if (this.turns !== undefined) for (let i = Math.floor(this.turns() * 12); i > 0; i -= 1) await undefined;
    if (this.isDead || this.machine.isStoreDown()) return 'refused';
    this.#calls += 1;
    if (this.#calls !== this.mishap?.atCall) return undefined;
    this.met += 1;
    this.isDead = this.mishap.kills;
    return this.mishap.fault;
  }

  #archive(archive: YearArchive): RawArchive {
    const alive = (): void => {
      if (this.isDead) throw new Killed('this process has ended');
    };
    return {
      fetches: async (...asked) => {
        alive();
        return archive.fetches(...asked);
      },
      read: async (...asked) => {
        alive();
        return archive.read(...asked);
      },
      write: async (source, fetchedAt, files) => {
        alive();
        const fault = this.archiveFault;
        if (fault === 'cut-off') await archive.write(source, fetchedAt, undefined);
        if (fault !== undefined) {
          this.met += 1;
          throw new ArchiveFailure('planted');
        }
        await archive.write(source, fetchedAt, files);
      },
    };
  }
}
