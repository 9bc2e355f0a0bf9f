/** Snapshot: the state of one port at its newest observation. */
import { ApiError } from '../../core/contracts/errors.ts';
import type { Endpoint } from '../../core/http/chain.ts';
import { formatInstant } from '../../core/reference/time.ts';
import type { PortStore } from '../../core/store/ports.ts';
import { notCovered } from '../covered-port.ts';

export function createSnapshot(ports: Pick<PortStore, 'get'>): Endpoint<'snapshot'> {
  return async ({ path: { UNLOCODE: port } }) => {
    const row = await ports.get(port);
    if (row === undefined) throw notCovered(port);
    const { snapshot } = row;
    if (snapshot === undefined)
      throw new ApiError('not_found', `There is no snapshot of ${port} yet.`, {
        hint: 'The port is covered but nothing has been observed yet: try again after the next fetch of its source.',
      });
    return {
      port,
      as_of: formatInstant(snapshot.asOfAt),
      congestion_score: snapshot.congestionScore,
      avg_wait_hours: snapshot.avgWaitHours,
      vessels: {
        arrivals_24h: snapshot.arrivals24h,
        departures_24h: snapshot.departures24h,
        at_anchor: snapshot.atAnchor,
        in_port: snapshot.inPort,
      },
    };
  };
}
