/** Covered ports: the row that the list of ports reads, and apart from it the row with the ingest's clocks. */
import type { PortClocks } from '../calls/ledger.ts';
import type { RecentFigures, Snapshot } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import { addDays, type Day, dayOf, daysBetween } from '../reference/time.ts';
import type { Knowledge } from './knowledge.ts';
import { orderedJson, type Row, type Table } from './table.ts';

// What led to a snapshot as one short text, because the list of ports reads the row that holds it: two characters for each
// score, then the three changes.

/** A score has three decimals, so that a thousandth is the unit and 1,000 the largest number: two digits of this base. */
const BASE = 36;
const THOUSAND = 1000;
const DIGITS = 2;
const NO_SCORE = '..';

/** For example `0k1c..`, a bar, and `0.012,-1.5,3`; nothing behind the bar without a change. */
export function packRecent({ scores, change }: RecentFigures): string {
  const packed = scores.map((score) =>
    score === null
      ? NO_SCORE
      : Math.round(score * THOUSAND)
          .toString(BASE)
          .padStart(DIGITS, '0'),
  );
  const changes = change ? [change.congestionScore, change.avgWaitHours, change.atAnchor] : [];
  return `${packed.join('')}|${changes.join(',')}`;
}

export function unpackRecent(text: string): RecentFigures {
  const [packed = '', changes = ''] = text.split('|');
  const scores = (packed.match(/../g) ?? []).map((digits) =>
    digits === NO_SCORE ? null : Number.parseInt(digits, BASE) / THOUSAND,
  );
  if (changes === '') return { scores };
  const [congestionScore = 0, avgWaitHours = 0, atAnchor = 0] = changes.split(',').map(Number);
  return { scores, change: { congestionScore, avgWaitHours, atAnchor } };
}

/** What the figures of a port are made from: records that state event times, polls of a list, or vessel positions. */
type Method = 'records' | 'polls' | 'positions';

/** A port before anything has been observed. */
export interface CoveredPort {
  readonly port: Locode;
  readonly name: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly sources: readonly string[];
  /** Absent in a row of an earlier version, until the next pass. */
  readonly method?: Method;
}

/** A port's row. */
export interface PortRow extends CoveredPort {
  readonly snapshot?: Snapshot;
  /** What led to the snapshot, packed by `core/store/ports.ts`. Not in a vintage. */
  readonly recent?: string;
  /** First and last UTC day that the observations cover. */
  readonly firstDay?: Day;
  readonly lastDay?: Day;
  /** UTC day since which the snapshot is known, unless it is the day of its `asOfAt`; or since which the port is covered. */
  readonly since?: Day;
  readonly backfilled?: true;
}

/** The day since which the figures of a row are known; undefined where no version has recorded it. */
const portSince = ({ since, snapshot }: PortRow): Day | undefined =>
  since ?? (snapshot && dayOf(snapshot.asOfAt));

/** A row with figures that are known since `knowledge.day`. */
export function knownPort(row: PortRow, { day, backfilled }: Knowledge): PortRow {
  const { since: _, backfilled: __, ...figures } = row;
  const isUsual = figures.snapshot !== undefined && dayOf(figures.snapshot.asOfAt) === day;
  return {
    ...figures,
    ...(isUsual ? {} : { since: day }),
    ...(backfilled ? { backfilled: true as const } : {}),
  };
}

/** Days that one write of a port fills after a gap: the time that port calls are kept. */
const MAX_GAP_DAYS = 400;

/** The days that ended with the figures of `was`, newest last, when `knowledge` replaces them. */
export function portDays(was: PortRow, { day }: Knowledge): Day[] {
  const since = portSince(was);
  if (since === undefined || since >= day) return [];
  const earliest = addDays(day, -MAX_GAP_DAYS);
  return daysBetween(since > earliest ? since : earliest, addDays(day, -1));
}

/** What a vintage stores of a port: its figures. Name, position, sources and method are always those of the present. */
export const portFigures = ({ snapshot, firstDay, lastDay, backfilled }: PortRow): Row => ({
  ...(snapshot === undefined ? {} : { v: orderedJson({ ...snapshot, firstDay, lastDay }) }),
  ...(backfilled ? { backfilled } : {}),
});

/** The row of a port with the figures of a vintage. */
function withFigures(row: PortRow, { v, backfilled }: Row): PortRow {
  const { snapshot: _, firstDay: __, lastDay: ___, backfilled: ____, ...covered } = row;
  const flag = backfilled === true ? { backfilled: true as const } : {};
  if (v === undefined) return { ...covered, ...flag };
  const { firstDay, lastDay, ...snapshot } = JSON.parse(String(v)) as Snapshot &
    Pick<PortRow, 'firstDay' | 'lastDay'>;
  return {
    ...covered,
    ...flag,
    snapshot,
    ...(firstDay === undefined ? {} : { firstDay }),
    ...(lastDay === undefined ? {} : { lastDay }),
  };
}

/** The ports that were covered at the end of `asOf`, with the figures of then. `then`: the vintages of that day, by port. */
export function portsAsOf(rows: readonly PortRow[], then: ReadonlyMap<string, Row>, asOf: Day): PortRow[] {
  return rows.flatMap((row) => {
    if ((portSince(row) ?? asOf) <= asOf) return [row];
    const vintage = then.get(row.port);
    return vintage === undefined ? [] : [withFigures(row, vintage)];
  });
}

export interface PortStore {
  /** Undefined when the port is not covered. */
  get(port: Locode, consistent?: boolean): Promise<PortRow | undefined>;
  all(): Promise<PortRow[]>;
  put(row: PortRow): Promise<void>;
  /**
   * Adds covered ports that have no row yet, known since `day`, and updates the reference data of the others.
   * `beforeWrite` runs between reading and writing, and may throw.
   */
  register(ports: readonly CoveredPort[], day: Day, beforeWrite?: () => Promise<void>): Promise<void>;
}

const byCode = (a: CoveredPort, b: CoveredPort): number => (a.port < b.port ? -1 : 1);

const fromRow = (row: Row): PortRow => row as unknown as PortRow;

export function createPortStore(table: Table): PortStore {
  return {
    async get(port, consistent = false) {
      const row = await table.get({ port }, consistent);
      return row === undefined ? undefined : fromRow(row);
    },
    async all() {
      return (await table.scan()).map(fromRow).sort(byCode);
    },
    async put(row) {
      await table.put({ ...row });
    },
    async register(ports, day, beforeWrite) {
      const rows = await table.getMany(ports.map(({ port }) => ({ port })));
      const stored = new Map(rows.map((row) => [row.port, fromRow(row)]));
      const changed = ports
        .map((port): Row => {
          const row: PortRow = { ...stored.get(port.port), ...port };
          return portSince(row) === undefined ? { ...row, since: day } : { ...row };
        })
        .filter((row) => JSON.stringify(row) !== JSON.stringify(stored.get(String(row.port))));
      if (changed.length === 0) return;
      await beforeWrite?.();
      await table.writeMany(changed);
    },
  };
}

/** The UTC days of the fetches of a port: the first that vintages know, and the newest. */
export interface KnownDays {
  readonly from: Day;
  readonly to: Day;
  /** The version of the methodology of the newest; absent in a row of a service that did not record it yet. */
  readonly methodology?: string;
}

interface ReachedReports {
  readonly clocks?: PortClocks | undefined;
  readonly known?: KnownDays;
  /** The day that the newest forecasts are from; absent before the first. */
  readonly forecastDay?: Day | undefined;
}

/** How far the ingest has read the reports of each port. A row of its own, so that the list of ports does not read it. */
export interface PortClockStore {
  /**
   * Undefined before the first report; without `clocks` while that is being applied, without `known` in a row of a version
   * without vintages. The read is consistent.
   */
  get(port: Locode): Promise<ReachedReports | undefined>;
  put(port: Locode, reached: ReachedReports & { readonly known: KnownDays }): Promise<void>;
}

export function createPortClockStore(table: Table): PortClockStore {
  return {
    async get(port) {
      const row = await table.get({ port }, true);
      return row as ReachedReports | undefined;
    },
    async put(port, { clocks, known, forecastDay }) {
      await table.put({ port, clocks, known, forecastDay });
    },
  };
}
