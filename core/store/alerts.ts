/** Alerts, one row each, keyed by their `as_of`. */
import type { Alert } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import { formatInstant, type Instant } from '../reference/time.ts';
import type { Key, Row, Table } from './table.ts';

export interface AlertStore {
  /** Alerts whose `asOfAt` lies in `(afterAt, toAt]`, to the second, oldest first. */
  between(port: Locode, afterAt: Instant, toAt: Instant): Promise<Alert[]>;
  /** Writes `added` before it deletes `removed`, so that an interruption leaves one too many, never one too few. */
  replace(port: Locode, added: readonly Alert[], removed: readonly Alert[]): Promise<void>;
}

/** What makes two alerts the same one. */
export const alertKeyOf = (alert: Alert): string =>
  `${formatInstant(alert.asOfAt)}#${alert.metric}#${alert.type}`;

const keyOf = (port: Locode, alert: Alert): Key => ({ port, alertKey: alertKeyOf(alert) });

const fromRow = ({ port: _port, alertKey: _key, ...alert }: Row): Alert => alert as unknown as Alert;

export function createAlertStore(table: Table): AlertStore {
  return {
    async between(port, afterAt, toAt) {
      // '~' sorts behind '#', so each bound lies behind every alert of its second.
      const range = { from: `${formatInstant(afterAt)}~`, to: `${formatInstant(toAt)}~` };
      return (await table.query(port, range)).map(fromRow);
    },
    async replace(port, added, removed) {
      await table.writeMany(added.map((alert) => ({ ...keyOf(port, alert), ...alert })));
      await table.writeMany(
        [],
        removed.map((alert) => keyOf(port, alert)),
      );
    },
  };
}
