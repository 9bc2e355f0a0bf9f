/** Snapshot: the state of one port at its newest observation. */
import { ApiError } from '../../core/contracts/errors.ts';
import { snapshotRoute } from '../../core/contracts/snapshot.ts';
import type { ResponseNotes } from '../../core/http/chain.ts';
import { type Day, formatInstant } from '../../core/reference/time.ts';
import { createPortReader, PORTS, type PortRow, portsAsOf } from '../../core/store/ports.ts';
import { createBeginnings, createSeriesStore, type Known } from '../../core/store/series.ts';
import { endpoint, notCovered, noteKnown, viewAt } from './endpoint.ts';

export const snapshot = endpoint({
  route: snapshotRoute,
  tables: { ports: 'read', vintages: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const ports = createPortReader(tables.ports);
    const series = createSeriesStore(PORTS, tables.ports, tables.vintages);
    const beginnings = createBeginnings(tables.vintages, 'ports');

    async function rowThen(now: Known<PortRow>, asOf: Day, notes: ResponseNotes): Promise<PortRow> {
      const { rows, backfilled } = await portsAsOf(series, [now], asOf, now.port);
      noteKnown(notes, { backfilled });
      const [row] = rows;
      if (row?.snapshot !== undefined) return row;
      const from = await beginnings.day(now.port);
      throw new ApiError('not_found', `There was no snapshot of ${now.port} at the end of ${asOf}.`, {
        hint:
          from === undefined
            ? 'The port has no vintages yet; omit as_of for the state of now.'
            : `The vintages of the port begin on ${from}; omit as_of for the state of now.`,
      });
    }

    return async ({ path: { UNLOCODE: port }, query: { as_of } }, notes) => {
      const { asOf } = viewAt(as_of, now());
      const current = await ports.get(port);
      if (current === undefined) throw notCovered(port);
      const row = asOf === undefined ? current : await rowThen(current, asOf, notes);
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
