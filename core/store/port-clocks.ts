/** How far the ingest has read the reports of each port. A row of its own, so that the list of ports does not read it. */
import type { PortClocks } from '../calls/ledger.ts';
import type { Locode } from '../reference/locode.ts';
import type { Table } from './table.ts';

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
