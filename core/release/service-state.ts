/** The parts of a manifest that a service needs to begin with the release and that no table has. */
import { NO_CLOCKS } from '../calls/ledger.ts';
import { formatInstant } from '../reference/time.ts';
import { allImportIndices } from '../store/import-index.ts';
import { createPortClockStore, unpackRecent } from '../store/ports.ts';
import type { Table } from '../store/table.ts';
import type { Manifest } from './manifest.ts';
import type { ReleasedPort } from './port-groups.ts';

/** The covered spans of each observed port, and the change of its figures within a week. */
export async function portStates(
  table: Table,
  ports: readonly ReleasedPort[],
): Promise<Required<Pick<Manifest, 'covered' | 'changes'>>> {
  const clocks = createPortClockStore(table);
  const covered: NonNullable<Manifest['covered']> = {};
  const changes: NonNullable<Manifest['changes']> = {};
  for (const { row } of ports) {
    const { clocks: { coverage } = NO_CLOCKS, settled } = (await clocks.get(row.port)) ?? {};
    const spans = [...(settled?.coverage ?? []), ...coverage];
    if (spans.length > 0)
      covered[row.port] = spans.map(({ fromAt, toAt }) => [formatInstant(fromAt), formatInstant(toAt)]);
    const { change } = row.recent === undefined ? {} : unpackRecent(row.recent);
    if (change) changes[row.port] = [change.congestionScore, change.avgWaitHours, change.atAnchor];
  }
  return { covered, changes };
}

/** The publisher's name of the measure behind the index of each code. */
export const importMeasures = async (table: Table): Promise<Record<string, string>> =>
  Object.fromEntries((await allImportIndices(table)).map(({ code, measure }) => [code, measure]));
