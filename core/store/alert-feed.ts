/** Alerts of all ports in one partition, so that one query reads those of the last days. A row takes some 350 bytes. */
import type { Alert } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import { DAY_MS, type Day, dayOf, endOfDay, SECOND_MS } from '../reference/time.ts';
import type { Key, Row, Table } from './table.ts';

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
export const feedIdOf = (port: Locode, alert: Alert): string =>
  [alertDay(alert), port, alert.metric, alert.type].join('.');

export const feedRow = (port: Locode, alert: Alert): Row => {
  const { type, metric, severity, changeFraction, asOfAt, explain } = alert;
  return {
    feed: FEED,
    id: feedIdOf(port, alert),
    port,
    v: JSON.stringify({ type, metric, severity, changeFraction, asOfAt, explain }),
    expiresAt: Math.floor((endOfDay(alertDay(alert)) + KEPT_MS) / SECOND_MS),
  };
};

export const feedKey = (id: string): Key => ({ feed: FEED, id });

/** Alerts of the UTC days from `first` to `last`: newest day first, by id within a day. */
export async function alertsOfDays(table: Table, first: Day, last: Day): Promise<PortAlert[]> {
  // '~' sorts behind '.', so the range has every alert of its last day.
  const rows = await table.query(FEED, { from: first, to: `${last}~`, only: ['id', 'port', 'v'] });
  const alerts = rows.map(({ id, port, v }): PortAlert => ({ id, port, ...JSON.parse(String(v)) }));
  const dayIn = ({ id }: PortAlert): Day => id.slice(0, id.indexOf('.'));
  const order = (a: string, b: string): number => Number(a > b) - Number(a < b);
  return alerts.sort((a, b) => order(dayIn(b), dayIn(a)) || order(a.id, b.id));
}
