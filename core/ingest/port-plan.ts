/** What the reports of one fetch change at a port, before anything is written. */
import type { PortReport } from '../calls/observation.ts';
import type { PortCall } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import type { PortRow, ReachedReports } from '../store/ports.ts';
import type { Known } from '../store/series.ts';
import type { IngestStores } from './dependencies.ts';
import { type PortChanges, portChanges } from './port-changes.ts';
import { olderCalls, type PortState } from './port-state.ts';

export interface PortPlan {
  readonly port: Locode;
  readonly row: Known<PortRow>;
  /** How far the port has been read; undefined before its first report. */
  readonly reached: ReachedReports | undefined;
  readonly state: PortState;
  /** In order of time. */
  readonly reports: readonly PortReport[];
  /** Stored calls that the ledger no longer has and that the reports may change. */
  readonly older: readonly PortCall[];
  readonly changes: PortChanges;
  /** Every call of the port after the changes, where the plan has them: none is read from the tables then. */
  readonly allCalls?: readonly PortCall[];
}

/** Reads what the reports may change, and writes nothing. */
export async function planPortReports(
  stores: IngestStores,
  stored: Pick<PortPlan, 'row' | 'reached' | 'state'>,
  reports: readonly PortReport[],
): Promise<PortPlan> {
  const { port } = stored.row;
  const { ledger } = stored.state;
  const older = await olderCalls(stores, port, ledger, reports);
  return { ...stored, port, reports, older, changes: portChanges(ledger, reports, older) };
}
