/** Snapshot: the state of one port at its newest observation. */
import { ApiError } from '../contracts/errors.ts';
import { snapshotRoute } from '../contracts/snapshot.ts';
import { formatInstant } from '../reference/time.ts';
import { createPortStore } from '../store/ports.ts';
import { endpoint } from './endpoint.ts';
import { notCovered } from './port-request.ts';

export const snapshot = endpoint({
  route: snapshotRoute,
  tables: { ports: 'read' },
  memoryMb: 512,
  create(tables) {
    const ports = createPortStore(tables.ports);
    return async ({ path: { UNLOCODE: port } }) => {
      const row = await ports.get(port);
      if (row === undefined) throw notCovered(port);
      if (row.snapshot === undefined)
        throw new ApiError('not_found', `There is no snapshot of ${port} yet.`, {
          hint: 'The port is covered but nothing has been observed yet. GET /v1/ports shows which ports have figures, GET /v1/meta/sources when each source was last fetched.',
        });
      const { asOfAt, congestionScore, avgWaitHours, ...vessels } = row.snapshot;
      return {
        port,
        as_of: formatInstant(asOfAt),
        congestion_score: congestionScore,
        avg_wait_hours: avgWaitHours,
        vessels: {
          arrivals_24h: vessels.arrivals24h,
          departures_24h: vessels.departures24h,
          at_anchor: vessels.atAnchor,
          in_port: vessels.inPort,
        },
      };
    };
  },
});
