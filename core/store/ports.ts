/** Covered ports: reference data, sources, the snapshot as served, and how far the ingest has read. */
import type { Snapshot } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import type { Row, Table } from './table.ts';

/** A port before anything has been observed. */
export interface CoveredPort {
  readonly port: Locode;
  readonly name: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly sources: readonly string[];
}

/** A port's row. `clocks` is how far the ingest has read; read handlers ignore it. */
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
   * Adds covered ports that have no row yet and updates the reference data of the others. `beforeWrite` runs between
   * reading and writing, and may throw.
   */
  register(ports: readonly CoveredPort[], beforeWrite?: () => Promise<void>): Promise<void>;
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
    async register(ports, beforeWrite) {
      const rows = await table.getMany(ports.map(({ port }) => ({ port })));
      const stored = new Map(rows.map((row) => [row.port, row]));
      const changed = ports
        .map((port): Row => ({ ...stored.get(port.port), ...port }))
        .filter((row) => JSON.stringify(row) !== JSON.stringify(stored.get(row.port)));
      if (changed.length === 0) return;
      await beforeWrite?.();
      await table.writeMany(changed);
    },
  };
}
