/** Covered ports: the row that the list of ports reads, and apart from it the row with the ingest's clocks. */
import type { PortClocks } from '../calls/ledger.ts';
import type { Snapshot } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import type { Day } from '../reference/time.ts';
import type { Row, Table } from './table.ts';

/** What the figures of a port are made from: records that state event times, polls of a list, or vessel positions. */
type Method = 'records' | 'polls' | 'positions';

/** A port before anything has been observed. */
export interface CoveredPort {
  readonly port: Locode;
  readonly name: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly sources: readonly string[];
  /** Absent in a row of an earlier version, until the next pass. */
  readonly method?: Method;
}

/** A port's row. */
export interface PortRow extends CoveredPort {
  readonly snapshot?: Snapshot;
  /** First and last UTC day that the observations cover. */
  readonly firstDay?: Day;
  readonly lastDay?: Day;
}

export interface PortStore {
  /** Undefined when the port is not covered. */
  get(port: Locode, consistent?: boolean): Promise<PortRow | undefined>;
  all(): Promise<PortRow[]>;
  put(row: PortRow): Promise<void>;
  /**
   * Adds covered ports that have no row yet and updates the reference data of the others. `beforeWrite` runs between
   * reading and writing, and may throw.
   */
  register(ports: readonly CoveredPort[], beforeWrite?: () => Promise<void>): Promise<void>;
}

const byCode = (a: CoveredPort, b: CoveredPort): number => (a.port < b.port ? -1 : 1);

const fromRow = (row: Row): PortRow => row as unknown as PortRow;

export function createPortStore(table: Table): PortStore {
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

/** How far the ingest has read the reports of each port. A row of its own, so that the list of ports does not read it. */
export interface PortClockStore {
  /** Undefined before the first report. The read is consistent. */
  get(port: Locode): Promise<PortClocks | undefined>;
  put(port: Locode, clocks: PortClocks): Promise<void>;
}

export function createPortClockStore(table: Table): PortClockStore {
  return {
    async get(port) {
      const row = await table.get({ port }, true);
      return row?.clocks as PortClocks | undefined;
    },
    async put(port, clocks) {
      await table.put({ port, clocks });
    },
  };
}
