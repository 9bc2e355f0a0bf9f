/** Ports: the covered ports with their newest figures, in the requested order and of the requested country. */
import { ApiError } from '../contracts/errors.ts';
import { type PortOrder, type PortRecord, portsRoute, type SortField } from '../contracts/ports.ts';
import { type FetchTimes, NO_FETCHES, portEvidence } from '../reference/evidence.ts';
import { formatInstant, type Instant } from '../reference/time.ts';
import { createPortStore, type PortRow } from '../store/ports.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import { endpoint } from './endpoint.ts';

function recordOf(row: PortRow, fetched: FetchTimes, now: Instant): PortRecord {
  const { port, name, countryCode, latitude, longitude, sources, method, snapshot, firstDay, lastDay } = row;
  const asOf = snapshot ? formatInstant(snapshot.asOfAt) : null;
  return {
    port,
    name,
    country: countryCode,
    latitude,
    longitude,
    sources: [...sources],
    last_observed: asOf,
    as_of: asOf,
    congestion_score: snapshot?.congestionScore ?? null,
    avg_wait_hours: snapshot?.avgWaitHours ?? null,
    at_anchor: snapshot?.atAnchor ?? null,
    in_port: snapshot?.inPort ?? null,
    first_day: firstDay ?? null,
    last_day: lastDay ?? null,
    method: method ?? null,
    evidence: portEvidence(sources, snapshot?.asOfAt, fetched, now),
    wait_basis: snapshot?.waitBasis ?? null,
  };
}

/** Sorts by one field, ports without a value last. The sort is stable, so that ties stay in the order of UN/LOCODE. */
function inOrder(ports: readonly PortRecord[], order: PortOrder): PortRecord[] {
  const descending = order.startsWith('-');
  const field = (descending ? order.slice(1) : order) as SortField;
  return ports.toSorted((a, b) => {
    const [x, y] = [a[field], b[field]];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return (Number(x > y) - Number(x < y)) * (descending ? -1 : 1);
  });
}

/** Hints are short: no more countries than this are named in one. */
const MAX_COUNTRIES = 100;

function ofCountry(ports: readonly PortRecord[], country: string): readonly PortRecord[] {
  const found = ports.filter((port) => port.country === country);
  if (found.length > 0) return found;
  const countries = [...new Set(ports.map((port) => port.country))].sort().slice(0, MAX_COUNTRIES);
  throw new ApiError('validation_failed', `No port of the country ${country} is covered.`, {
    hint: `Countries with covered ports: ${countries.join(', ')}.`,
  });
}

export const ports = endpoint({
  route: portsRoute,
  tables: { ports: 'scan', sourceStatus: 'scan' },
  memoryMb: 512,
  create(tables, { now, replays }) {
    const store = createPortStore(tables.ports);
    const statuses = createSourceStatusStore(tables.sourceStatus, now);
    return async ({ query: { sort, country } }) => {
      const [rows, fetched] = await Promise.all([store.all(), replays ? NO_FETCHES : statuses.fetchTimes()]);
      const nowAt = now();
      const all = rows.map((row) => recordOf(row, fetched, nowAt));
      const chosen = country === undefined ? all : ofCountry(all, country);
      return sort === undefined ? [...chosen] : inOrder(chosen, sort);
    };
  },
});
