/** Covered ports: who they are, what covers them, how far they have been observed, and the snapshot as served. */
import type { Snapshot } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import type { Row, Table } from './table.ts';

/** What is known of a port before anything has been observed. */
export interface CoveredPort {
  readonly port: Locode;
  readonly name: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly sources: readonly string[];
}

/** A port's row. `clocks` is the ingest's own memory of how far it has read; readers leave it alone. */
export interface PortRow<Clocks = unknown> extends CoveredPort {
  readonly snapshot?: Snapshot;
  readonly clocks?: Clocks;
}

export interface PortStore<Clocks = unknown> {
  /** Undefined when the port is not covered. */
  get(port: Locode, consistent?: boolean): Promise<PortRow<Clocks> | undefined>;
  all(): Promise<PortRow<Clocks>[]>;
  put(row: PortRow<Clocks>): Promise<void>;
  /**
   * Adds covered ports that have no row yet, and brings the reference data of the others up to date; `keep` comes
   * between reading and writing, and may throw.
   */
  register(ports: readonly CoveredPort[], keep?: () => Promise<void>): Promise<void>;
}

const byCode = (a: CoveredPort, b: CoveredPort): number => (a.port < b.port ? -1 : 1);

export function createPortStore<Clocks = unknown>(table: Table): PortStore<Clocks> {
  const fromRow = (row: Row): PortRow<Clocks> => row as unknown as PortRow<Clocks>;
  return {
    async get(port, consistent = false) {
      const row = await table.get({ port }, consistent);
      return row === undefined ? undefined : fromRow(row);
    },
    async all() {
      return (await table.scan()).map(fromRow).sort(byCode);
    },
    async put(row) {
      await table.put({ ...row });
    },
    async register(ports, keep) {
      const rows = await table.getMany(ports.map(({ port }) => ({ port })));
      const held = new Map(rows.map((row) => [row.port, row]));
      const changed = ports
        .map((port): Row => ({ ...held.get(port.port), ...port }))
        .filter((row) => JSON.stringify(row) !== JSON.stringify(held.get(row.port)));
      if (changed.length === 0) return;
      await keep?.();
      await table.writeMany(changed);
    },
  };
}
