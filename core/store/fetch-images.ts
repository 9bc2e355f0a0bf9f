/** What accepted fetches have replaced, for as long as a later fetch may show that one of them was wrong. */
import type { PortCall, PortClocks } from '../calls/port-call.ts';
import type { Locode } from '../reference/codes.ts';
import { formatInstant, type Instant, parseInstant } from '../reference/time.ts';
import type { SourceStatus } from './source-status.ts';
import type { Row, Table } from './table.ts';

/** What of a source's status follows from its accepted replies. */
const ACCEPTED_FIELDS = [
  'lastFetchAt',
  'asOfAt',
  'newestEventAt',
  'knownSinceAt',
  'shown',
  'outages',
] as const;
export type AcceptedStatus = Pick<SourceStatus, (typeof ACCEPTED_FIELDS)[number]>;

export const acceptedStatus = (status: SourceStatus): AcceptedStatus =>
  Object.fromEntries(
    ACCEPTED_FIELDS.flatMap((name) => (status[name] === undefined ? [] : [[name, status[name]]])),
  );

/** The rest of a status. */
export function withoutAccepted(status: SourceStatus): SourceStatus {
  const rest: Partial<Record<keyof SourceStatus, unknown>> = { ...status };
  for (const name of ACCEPTED_FIELDS) delete rest[name];
  return rest as SourceStatus;
}

/** A call that a fetch has written or deleted, as it was before; undefined where the fetch made it. */
export interface CallImage {
  readonly callId: string;
  readonly firstAtaAt: Instant;
  readonly was: PortCall | undefined;
}

interface PortImage {
  readonly clocks: PortClocks;
  readonly calls: readonly CallImage[];
}

/** What one fetch has replaced. */
export interface FetchImage {
  readonly fetchedAt: Instant;
  readonly status: AcceptedStatus;
  readonly ports: ReadonlyMap<Locode, PortImage>;
}

/** Rows of the table of calls, in a partition named after the source: the fetch's own, those of its calls, then one of each port. */
export function createFetchImageStore(table: Table) {
  const keyOf = (source: string, fetchedAt: Instant, ...rest: readonly string[]) => ({
    port: source,
    callKey: [formatInstant(fetchedAt), ...rest].join('#'),
  });
  return {
    /** Stores the status before a fetch. */
    async begin(
      source: string,
      fetchedAt: Instant,
      status: AcceptedStatus,
      keptUntilAt: Instant,
    ): Promise<void> {
      const key = keyOf(source, fetchedAt);
      if ((await table.get(key, true)) !== undefined) return;
      await table.put({ ...key, status: JSON.stringify(status), expiresAt: Math.ceil(keptUntilAt / 1000) });
    },

    /** Stores what a fetch replaces at a port; a repetition keeps what the first attempt has stored whole. */
    async save(
      source: string,
      fetchedAt: Instant,
      port: Locode,
      { clocks, calls }: PortImage,
      keptUntilAt: Instant,
    ): Promise<void> {
      const key = keyOf(source, fetchedAt, port);
      if ((await table.get(key, true)) !== undefined) return;
      const expiresAt = Math.ceil(keptUntilAt / 1000);
      const rows = calls.map(({ callId, firstAtaAt, was }) => ({
        ...keyOf(source, fetchedAt, port, formatInstant(firstAtaAt), callId),
        ...(was && { call: JSON.stringify(was) }),
        expiresAt,
      }));
      await table.writeMany(rows);
      await table.put({ ...key, clocks: JSON.stringify(clocks), expiresAt });
    },

    /** Deletes the images of the fetches from `fromAt` on. */
    async remove(source: string, fromAt: Instant): Promise<void> {
      const rows = await table.query(source, { from: formatInstant(fromAt) }, true);
      const keys = rows.map(({ callKey }) => ({ port: source, callKey: String(callKey) }));
      await table.writeMany([], keys);
    },

    /** The images of the fetches from `fromAt` on, oldest first. */
    async since(source: string, fromAt: Instant): Promise<FetchImage[]> {
      const rows = await table.query(source, { from: formatInstant(fromAt) }, true);
      const images = new Map<
        Instant,
        FetchImage & { ports: Map<Locode, { clocks?: PortClocks; calls: CallImage[] }> }
      >();
      for (const row of rows) {
        const [stamp = '', port, firstAta = '', ...id] = String(row.callKey).split('#');
        const fetchedAt = parseInstant(stamp) ?? 0;
        const image = images.get(fetchedAt) ?? { fetchedAt, status: statusIn(row), ports: new Map() };
        images.set(fetchedAt, image);
        if (port === undefined) continue;
        const ofPort = image.ports.get(port) ?? { calls: [] };
        image.ports.set(port, ofPort);
        if (row.clocks !== undefined) ofPort.clocks = JSON.parse(String(row.clocks));
        if (firstAta === '') continue;
        const was = row.call === undefined ? undefined : (JSON.parse(String(row.call)) as PortCall);
        ofPort.calls.push({ callId: id.join('#'), firstAtaAt: parseInstant(firstAta) ?? 0, was });
      }
      return [...images.values()].map((image) => ({
        ...image,
        // Nothing has been written yet for a port without clocks.
        ports: new Map(
          [...image.ports].flatMap(([port, { clocks, calls }]) =>
            clocks === undefined ? [] : [[port, { clocks, calls }] as const],
          ),
        ),
      }));
    },
  };
}

const statusIn = (row: Row): AcceptedStatus =>
  row.status === undefined ? {} : (JSON.parse(String(row.status)) as AcceptedStatus);
