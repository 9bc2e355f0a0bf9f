/** Ports: the covered ports with their newest figures, in the requested order and of the requested country. */
import { ApiError } from '../../core/contracts/errors.ts';
import { type PortOrder, type PortRecord, portsRoute, type SortField } from '../../core/contracts/ports.ts';
import type { RequestHandler, ResponseNotes } from '../../core/http/chain.ts';
import { evidenceUntil, type FetchTimes, NO_FETCHES, portEvidence } from '../../core/reference/evidence.ts';
import { type Day, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { createPortReader, PORTS, type PortRow, portsAsOf } from '../../core/store/ports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { portFigures } from '../../core/store/served-records.ts';
import { createSourceStatusStore, fetchTimesOf } from '../../core/store/source-status.ts';
import { endpoint, noteKnown, viewAt } from './endpoint.ts';

const toRecord = (row: PortRow, fetched: FetchTimes, now: Instant): PortRecord =>
  portFigures(row, { evidence: portEvidence(row.sources, row.snapshot?.asOfAt, fetched, now) });

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

/** The list of a state of the sources. */
interface PortList {
  readonly state: string;
  /** From when to when its records, the evidence too, are those of now. */
  readonly sinceAt: Instant;
  readonly untilAt: Instant;
  readonly records: readonly PortRecord[];
}

/** Rows that an operator restores are seen after this. */
const MAX_AGE_MS = 5 * MINUTE_MS;

export const ports = endpoint({
  route: portsRoute,
  tables: { ports: 'scan', vintages: 'read', sourceStatus: 'scan' },
  memoryMb: 1024,
  create(tables, { now, replays }) {
    const store = createPortReader(tables.ports);
    const statuses = createSourceStatusStore(tables.sourceStatus, now);
    const series = createSeriesStore(PORTS, tables.ports, tables.vintages);

    let list: PortList | undefined;

    /** The list of now, read again when a source has been, because every pass that writes a port ends with its status. */
    async function portsNow(nowAt: Instant): Promise<PortList> {
      const sources = await statuses.all();
      const state = JSON.stringify(sources.map(({ source, checkpointAt = 0 }) => [source, checkpointAt]));
      if (list?.state === state && nowAt >= list.sinceAt && nowAt <= list.untilAt) return list;
      const fetched = replays ? NO_FETCHES : fetchTimesOf(sources);
      // A stale read, made while the pass still writes, would stay in the cache after it.
      const rows = await store.all(true);
      const until = rows.map((row) => evidenceUntil(row.sources, row.snapshot?.asOfAt, fetched, nowAt));
      list = {
        state,
        sinceAt: nowAt,
        untilAt: until.reduce((least, at) => Math.min(least, at), nowAt + MAX_AGE_MS),
        records: rows.map((row) => toRecord(row, fetched, nowAt)),
      };
      return list;
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

    const respond: RequestHandler<typeof portsRoute> = async ({ query: { sort, country, as_of } }, notes) => {
      const { asOf, nowAt } = viewAt(as_of, now());
      const all = asOf === undefined ? (await portsNow(nowAt)).records : await portsThen(asOf, nowAt, notes);
      const isFiltered = country !== undefined && (asOf === undefined || all.length > 0);
      const chosen = isFiltered ? inCountry(all, country) : all;
      return sort === undefined ? [...chosen] : sorted(chosen, sort);
    };
    const version: RequestHandler<typeof portsRoute>['version'] = async ({ query: { as_of } }) => {
      const { asOf, nowAt } = viewAt(as_of, now());
      if (asOf !== undefined) return undefined;
      const { state, sinceAt } = await portsNow(nowAt);
      return `${state} ${sinceAt}`;
    };
    return Object.assign(respond, { version });
  },
});
