/** Alerts, one row each, keyed by their `as_of`; and the feed of all ports. */
import * as z from 'zod/mini';
import type { Alert } from '../metrics/figures.ts';
import { alertDay, firstStepDay, type RaisedAlert } from '../metrics/raised-alerts.ts';
import type { Locode } from '../reference/codes.ts';
import { ALERT_METRICS, ALERT_TYPES, SEVERITIES } from '../reference/figure-names.ts';
import {
  DAY_MS,
  type Day,
  dayOf,
  endOfDay,
  formatInstant,
  type Instant,
  SECOND_MS,
} from '../reference/time.ts';
import { isStored, type SeriesKind, type SeriesRange } from './series.ts';
import { type Key, parseRow, type Row, type Table } from './table.ts';

const ALERT = z.object({
  type: z.enum(ALERT_TYPES),
  metric: z.enum(ALERT_METRICS),
  severity: z.enum(SEVERITIES),
  changeFraction: z.number(),
  asOfAt: z.number(),
  explain: z.string(),
  beganAt: z.optional(z.number()),
});

export const ALERTS: SeriesKind<Alert> = {
  name: 'alerts',
  subjects: 'ports',
  served: ALERT,
  stored: ALERT,
  keyOf: ({ asOfAt, metric, type }) => `${formatInstant(asOfAt)}#${metric}#${type}`,
  firstDay: ({ asOfAt }) => dayOf(asOfAt),
};

/** Alerts with `asOfAt` in `(afterAt, toAt]`. Keys have whole seconds, and '~' sorts after '#': a bound includes its second. */
export const alertRange = (afterAt: Instant, toAt: Instant): SeriesRange => ({
  from: `${formatInstant(afterAt)}~`,
  to: `${formatInstant(toAt)}~`,
});

// The alerts of all ports share one partition, so that one query reads those of the last days. A row has about 350 bytes.

const FEED_ALERT = z.extend(ALERT, { id: z.string(), port: z.string() });

/** An alert of the feed; `id` stays the same while an alert of the running day is observed again. */
export type PortAlert = Readonly<z.output<typeof FEED_ALERT>>;

/** Longer than the feed looks back. */
const KEPT_MS = 100 * DAY_MS;
const FEED = 'all';

const feedId = (port: Locode, alert: Alert): string =>
  [alertDay(alert.asOfAt), port, alert.metric, alert.type].join('.');

const feedKey = (id: string): Key => ({ feed: FEED, id });

const feedRow = (id: string, port: Locode, alert: Alert): Row => ({
  ...feedKey(id),
  port,
  ...ALERT.parse(alert),
  expiresAt: Math.floor((endOfDay(alertDay(alert.asOfAt)) + KEPT_MS) / SECOND_MS),
});

/** Alerts of the UTC days from `first` to `last`: newest day first, by id within a day. */
export async function alertsOfDays(table: Table, first: Day, last: Day): Promise<PortAlert[]> {
  // '~' sorts after '.', so the range includes every alert of its last day.
  const range = { from: first, to: `${last}~`, only: Object.keys(FEED_ALERT.shape) };
  const alerts = (await table.query(FEED, range)).map((row) => parseRow(table, FEED_ALERT, row));
  const dayIn = ({ id }: PortAlert): Day => id.slice(0, id.indexOf('.'));
  const order = (a: string, b: string): number => Number(a > b) - Number(a < b);
  return alerts.sort((a, b) => order(dayIn(b), dayIn(a)) || order(a.id, b.id));
}

/** The series has an alert for each observation; the feed has the newest for each day, metric and type. */
const newestById = (port: Locode, alerts: readonly Alert[]): Map<string, Alert> =>
  new Map(alerts.toSorted((a, b) => a.asOfAt - b.asOfAt).map((alert) => [feedId(port, alert), alert]));

export type AlertFeed = ReturnType<typeof createAlertFeed>;

export const createAlertFeed = (table: Table) => ({
  /** Writes the difference to the series, and before it: a repetition after an interruption still finds what the feed lacks. */
  async update(port: Locode, alerts: readonly Alert[], stored: readonly Alert[]): Promise<void> {
    const [now, before] = [newestById(port, alerts), newestById(port, stored)];
    const changed = [...now].filter(([id, alert]) => !isStored(alert, before.get(id)));
    const gone = [...before.keys()].filter((id) => !now.has(id));
    await table.writeMany(
      changed.map(([id, alert]) => feedRow(id, port, alert)),
      gone.map(feedKey),
    );
  },
});

// Alerts as they were raised, one row an episode, by the last day that its first alert used; a row is only ever added
// to.

const STEP = z.object({ knownAt: z.number(), asOfAt: z.number(), severity: z.enum(SEVERITIES) });

export const RAISED = z.object({
  type: z.enum(ALERT_TYPES),
  metric: z.enum(ALERT_METRICS),
  steps: z.tuple([STEP], STEP),
  changeFraction: z.number(),
  explain: z.string(),
  sinceAt: z.optional(z.number()),
  beganAt: z.optional(z.number()),
  overAt: z.optional(z.number()),
  overKnownAt: z.optional(z.number()),
  withdrawnAt: z.optional(z.number()),
  withdrawal: z.optional(z.enum(['fell_back', 'revised'])),
  replayed: z.optional(z.literal(true)),
}) satisfies z.ZodMiniType<RaisedAlert>;

const keyOf = (row: RaisedAlert): string =>
  [firstStepDay(row), row.metric, row.type, formatInstant(row.steps[0].knownAt)].join('#');

export const createRaisedAlertStore = (table: Table) => ({
  /** Episodes whose first day is `first` or later, and `last` or earlier where it is given: oldest first. */
  async between(port: Locode, first: Day, last?: Day): Promise<RaisedAlert[]> {
    // '~' sorts behind '#', so the range has every row of its last day.
    const rows = await table.query(port, { from: first, to: last && `${last}~` });
    return rows.map((row) => parseRow(table, RAISED, row));
  },
  async write(port: Locode, rows: readonly RaisedAlert[]): Promise<void> {
    await table.writeMany(rows.map((row) => ({ port, raisedKey: keyOf(row), ...row })));
  },
  /** Deletes the rows of a port that is no longer covered. */
  async remove(port: Locode): Promise<void> {
    const rows = await table.query(port, { only: ['raisedKey'] });
    await table.writeMany(
      [],
      rows.map(({ raisedKey }) => ({ port, raisedKey: String(raisedKey) })),
    );
  },
});
