/** Alerts as they were raised, one row an episode, by the last day that its first alert used; a row is only ever added to. */
import * as z from 'zod/mini';
import { firstStepDay, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { ALERT_METRICS, ALERT_TYPES, SEVERITIES } from '../reference/figure-names.ts';
import type { Locode } from '../reference/locode.ts';
import { type Day, formatInstant } from '../reference/time.ts';
import { parseRow, type Table } from './table.ts';

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
