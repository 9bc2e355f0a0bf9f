/** Alerts, one row each, keyed by their `as_of`. */
import type { Alert } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import { dayOf, formatInstant, type Instant } from '../reference/time.ts';
import { feedIdOf, feedKey, feedRow } from './alert-feed.ts';
import type { Kept, SeriesKind } from './knowledge.ts';
import type { Key, KeyRange, Row, Table } from './table.ts';
import type { Beginning, KnownValues, VintageReader } from './vintages.ts';

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
export const alertKeyOf = (alert: Alert): string =>
  `${formatInstant(alert.asOfAt)}#${alert.metric}#${alert.type}`;

const keyOf = (port: Locode, alert: Alert): Key => ({ port, alertKey: alertKeyOf(alert) });

const fromRow = ({ port: _port, alertKey: _key, ...alert }: Row): Kept<Alert> =>
  alert as unknown as Kept<Alert>;

/** '~' sorts behind '#', so each bound lies behind every alert of its second. */
const rangeOf = (afterAt: Instant, toAt: Instant) =>
  ({ from: `${formatInstant(afterAt)}~`, to: `${formatInstant(toAt)}~` }) satisfies KeyRange;

export const ALERTS_SERIES: SeriesKind<Alert> = {
  name: 'alerts',
  keyOf: alertKeyOf,
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
  const range = rangeOf(afterAt, toAt);
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
  const range = rangeOf(afterAt, toAt);
  const current = table.query(port, range).then((rows) => rows.map(fromRow));
  const values = await vintages.history(ALERTS_SERIES, { port, begin, current, ...range });
  return { current: await current, values };
}

export function createAlertReader(table: Table): Pick<AlertStore, 'between'> {
  return {
    async between(port, afterAt, toAt) {
      return (await table.query(port, rangeOf(afterAt, toAt))).map(fromRow);
    },
  };
}

export function createAlertStore(table: Table, feed: Table): AlertStore {
  return {
    ...createAlertReader(table),
    async replace(port, added, removed, { current = added, beforeWrite } = {}) {
      // An alert of the running day is another row here at each observation, and the same one in the feed.
      const rows = new Map(added.map((alert) => [feedIdOf(port, alert), feedRow(port, alert)]));
      const kept = new Set(current.map((alert) => feedIdOf(port, alert)));
      const gone = new Set(removed.map((alert) => feedIdOf(port, alert)).filter((id) => !kept.has(id)));
      await beforeWrite?.();
      await feed.writeMany([...rows.values()], [...gone].map(feedKey));
      await beforeWrite?.();
      await table.writeMany(added.map((alert) => ({ ...keyOf(port, alert), ...alert })));
      await beforeWrite?.();
      await table.writeMany(
        [],
        removed.map((alert) => keyOf(port, alert)),
      );
    },
  };
}
