/** Changes: the covered ports by how far their score has moved within a week, each with its scores of thirty days. */
import { changesRoute, type PortChange } from '../../core/contracts/changes.ts';
import { createPortReader, type PortRow, unpackRecent } from '../../core/store/ports.ts';
import { portFigures } from '../../core/store/served-records.ts';
import { endpoint } from './endpoint.ts';

function toRecord(row: PortRow): PortChange {
  const { port, name, country, as_of, congestion_score, avg_wait_hours, at_anchor } = portFigures(row);
  const { scores, change } = row.recent === undefined ? { scores: [] } : unpackRecent(row.recent);
  return {
    port,
    name,
    country,
    as_of,
    congestion_score,
    congestion_score_change: change?.congestionScore ?? null,
    avg_wait_hours,
    avg_wait_hours_change: change?.avgWaitHours ?? null,
    at_anchor,
    at_anchor_change: change?.atAnchor ?? null,
    scores: [...scores],
  };
}

/** Size of a change; below every change where there is none, and lowest for a port that has not been observed. */
const size = ({ congestion_score_change: change, as_of }: PortChange): number => {
  if (as_of === null) return -2;
  return change === null ? -1 : Math.abs(change);
};

export const changes = endpoint({
  route: changesRoute,
  tables: { ports: 'scan' },
  memoryMb: 512,
  create(tables) {
    const store = createPortReader(tables.ports);
    return async ({ query: { limit } }) => {
      const records = (await store.all()).map(toRecord);
      return records.sort((a, b) => size(b) - size(a)).slice(0, limit);
    };
  },
});
