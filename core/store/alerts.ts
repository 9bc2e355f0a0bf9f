/** Alerts, one row each, keyed by their `as_of`. */
import type { Alert } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import {
  DAY_MS,
  type Day,
  dayOf,
  endOfDay,
  formatInstant,
  type Instant,
  SECOND_MS,
} from '../reference/time.ts';
import type { Kept, SeriesKind } from './knowledge.ts';
import type { Key, KeyRange, Row, Table } from './table.ts';
import type { Beginning, KnownValues, VintageReader } from './vintages.ts';

// Alerts of all ports in one partition, so that one query reads those of the last days. A row takes some 350 bytes.

export interface PortAlert extends Alert {
  readonly id: string;
  readonly port: Locode;
}

/** Longer than the feed looks back. */
const KEPT_MS = 100 * DAY_MS;
const FEED = 'all';

/** The last UTC day that the alert used: the day of `asOfAt`, and of midnight the day that ends. */
const alertDay = ({ asOfAt }: Alert): Day => dayOf(asOfAt - 1);

/** The same for an alert of a running day at each of its observations. */
const feedId = (port: Locode, alert: Alert): string =>
  [alertDay(alert), port, alert.metric, alert.type].join('.');

const feedRow = (port: Locode, alert: Alert): Row => {
  const { type, metric, severity, changeFraction, asOfAt, explain } = alert;
  return {
    feed: FEED,
    id: feedId(port, alert),
    port,
    v: JSON.stringify({ type, metric, severity, changeFraction, asOfAt, explain }),
    expiresAt: Math.floor((endOfDay(alertDay(alert)) + KEPT_MS) / SECOND_MS),
  };
};

const feedKey = (id: string): Key => ({ feed: FEED, id });

/** Alerts of the UTC days from `first` to `last`: newest day first, by id within a day. */
export async function alertsOfDays(table: Table, first: Day, last: Day): Promise<PortAlert[]> {
  // '~' sorts behind '.', so the range has every alert of its last day.
  const rows = await table.query(FEED, { from: first, to: `${last}~`, only: ['id', 'port', 'v'] });
  const alerts = rows.map(({ id, port, v }): PortAlert => ({ id, port, ...JSON.parse(String(v)) }));
  const dayIn = ({ id }: PortAlert): Day => id.slice(0, id.indexOf('.'));
  const order = (a: string, b: string): number => Number(a > b) - Number(a < b);
  return alerts.sort((a, b) => order(dayIn(b), dayIn(a)) || order(a.id, b.id));
}

export interface AlertStore {
  /** Alerts whose `asOfAt` lies in `(afterAt, toAt]`, to the second, oldest first. */
  between(port: Locode, afterAt: Instant, toAt: Instant): Promise<Kept<Alert>[]>;
  /**
   * Writes `added` before it deletes `removed`, so that an interruption leaves one too many, never one too few; and the feed before
   * both, because a repetition finds here what the feed still lacks.
   * `current` are the alerts that remain, `added` among them; `beforeWrite` runs before each write, and may throw.
   */
  replace(
    port: Locode,
    added: readonly Kept<Alert>[],
    removed: readonly Alert[],
    options?: { readonly current?: readonly Alert[]; readonly beforeWrite?: () => Promise<void> },
  ): Promise<void>;
}

/** What makes two alerts the same one. */
export const alertKey = (alert: Alert): string =>
  `${formatInstant(alert.asOfAt)}#${alert.metric}#${alert.type}`;

const rowKey = (port: Locode, alert: Alert): Key => ({ port, alertKey: alertKey(alert) });

const fromRow = ({ port: _port, alertKey: _key, ...alert }: Row): Kept<Alert> =>
  alert as unknown as Kept<Alert>;

/** '~' sorts behind '#', so each bound lies behind every alert of its second. */
const keyRange = (afterAt: Instant, toAt: Instant) =>
  ({ from: `${formatInstant(afterAt)}~`, to: `${formatInstant(toAt)}~` }) satisfies KeyRange;

export const ALERTS_SERIES: SeriesKind<Alert> = {
  name: 'alerts',
  keyOf: alertKey,
  dayOf: ({ asOfAt }) => dayOf(asOfAt),
  usualLag: 0,
  servedOf: ({ type, metric, severity, changeFraction, asOfAt, explain }) => ({
    v: JSON.stringify({ type, metric, severity, changeFraction, asOfAt, explain }),
  }),
  valueOf: ({ v }) => JSON.parse(String(v)) as Alert,
};

/** The alerts with `asOfAt` in `(afterAt, toAt]` as they were known at the end of `asOf`, oldest first. */
export async function alertsAsOf(
  table: Table,
  vintages: Pick<VintageReader, 'known'>,
  { port, afterAt, toAt, asOf }: { port: Locode; afterAt: Instant; toAt: Instant; asOf: string },
) {
  const range = keyRange(afterAt, toAt);
  const current = table.query(port, range).then((rows) => rows.map(fromRow));
  const { rows, ...known } = await vintages.known(ALERTS_SERIES, { port, asOf, current, ...range });
  return { rows: rows.map(ALERTS_SERIES.valueOf), ...known };
}

/** The alerts with `asOfAt` in `(afterAt, toAt]` as they are, and every one that there has been, with when each was known. */
export async function alertHistory(
  table: Table,
  vintages: Pick<VintageReader, 'history'>,
  {
    port,
    begin,
    afterAt,
    toAt,
  }: { port: Locode; begin: Beginning | undefined; afterAt: Instant; toAt: Instant },
): Promise<{ readonly current: readonly Alert[]; readonly values: KnownValues<Alert> }> {
  const range = keyRange(afterAt, toAt);
  const current = table.query(port, range).then((rows) => rows.map(fromRow));
  const values = await vintages.history(ALERTS_SERIES, { port, begin, current, ...range });
  return { current: await current, values };
}

export function createAlertReader(table: Table): Pick<AlertStore, 'between'> {
  return {
    async between(port, afterAt, toAt) {
      return (await table.query(port, keyRange(afterAt, toAt))).map(fromRow);
    },
  };
}

export function createAlertStore(table: Table, feed: Table): AlertStore {
  return {
    ...createAlertReader(table),
    async replace(port, added, removed, { current = added, beforeWrite } = {}) {
      // An alert of the running day is another row here at each observation, and the same one in the feed.
      // Of two alerts of a day on one metric and type the feed has the newest, which is the more severe.
      const byTime = [...current].sort((a, b) => a.asOfAt - b.asOfAt);
      const newest = new Map(byTime.map((alert) => [feedId(port, alert), alert]));
      const changed = [...new Set([...added, ...removed].map((alert) => feedId(port, alert)))];
      const rows = changed.flatMap((id) => newest.get(id) ?? []).map((alert) => feedRow(port, alert));
      const gone = changed.filter((id) => !newest.has(id)).map(feedKey);
      await beforeWrite?.();
      await feed.writeMany(rows, gone);
      await beforeWrite?.();
      await table.writeMany(added.map((alert) => ({ ...rowKey(port, alert), ...alert })));
      await beforeWrite?.();
      await table.writeMany(
        [],
        removed.map((alert) => rowKey(port, alert)),
      );
    },
  };
}
