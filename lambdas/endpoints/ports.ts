/** Ports: the covered ports with their newest figures, in the requested order and of the requested country. */
import { ApiError } from '../../core/contracts/errors.ts';
import { type PortOrder, type PortRecord, portsRoute, type SortField } from '../../core/contracts/ports.ts';
import type { ResponseNotes } from '../../core/http/chain.ts';
import { type FetchTimes, NO_FETCHES, portEvidence } from '../../core/reference/evidence.ts';
import type { Day, Instant } from '../../core/reference/time.ts';
import { createPortReader, PORTS, type PortRow, portsAsOf } from '../../core/store/ports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { portFigures } from '../../core/store/served-records.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { endpoint, noteKnown, viewAt } from './endpoint.ts';

function toRecord(row: PortRow, fetched: FetchTimes, now: Instant): PortRecord {
  const { wait_basis, stopped_since, ...figures } = portFigures(row);
  const evidence = portEvidence(row.sources, row.snapshot?.asOfAt, fetched, now);
  return { ...figures, evidence, wait_basis, stopped_since };
}

/** Sorts by one field, ports without a value last. The sort is stable, so that ties stay in the order of UN/LOCODE. */
function sorted(ports: readonly PortRecord[], order: PortOrder): PortRecord[] {
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

function inCountry(ports: readonly PortRecord[], country: string): readonly PortRecord[] {
  const found = ports.filter((port) => port.country === country);
  if (found.length > 0) return found;
  const countries = [...new Set(ports.map((port) => port.country))].sort().slice(0, MAX_COUNTRIES);
  throw new ApiError('validation_failed', `No port of the country ${country} is covered.`, {
    hint: `Countries with covered ports: ${countries.join(', ')}.`,
  });
}

export const ports = endpoint({
  route: portsRoute,
  tables: { ports: 'scan', vintages: 'read', sourceStatus: 'scan' },
  memoryMb: 1024,
  create(tables, { now, replays }) {
    const store = createPortReader(tables.ports);
    const statuses = createSourceStatusStore(tables.sourceStatus, now);
    const series = createSeriesStore(PORTS, tables.ports, tables.vintages);

    async function portsNow(nowAt: Instant): Promise<PortRecord[]> {
      const [rows, fetched] = await Promise.all([store.all(), replays ? NO_FETCHES : statuses.fetchTimes()]);
      return rows.map((row) => toRecord(row, fetched, nowAt));
    }

    /** The time of a fetch has no vintage: `evidence` takes the newest observation of the port for it. */
    async function portsThen(asOf: Day, nowAt: Instant, notes: ResponseNotes): Promise<PortRecord[]> {
      const known = await portsAsOf(series, await store.all(), asOf);
      noteKnown(notes, known);
      return known.rows.map((row) => {
        const at = row.snapshot?.asOfAt;
        const fetched = replays || at === undefined ? [] : row.sources.map((source) => [source, at] as const);
        return toRecord(row, new Map(fetched), nowAt);
      });
    }

    return async ({ query: { sort, country, as_of } }, notes) => {
      const { asOf, nowAt } = viewAt(as_of, now());
      const all = asOf === undefined ? await portsNow(nowAt) : await portsThen(asOf, nowAt, notes);
      const isFiltered = country !== undefined && (asOf === undefined || all.length > 0);
      const chosen = isFiltered ? inCountry(all, country) : all;
      return sort === undefined ? [...chosen] : sorted(chosen, sort);
    };
  },
});
