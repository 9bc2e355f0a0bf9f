/** The container queue of the Port of Los Angeles that cleared in 2022, and the alerts on it. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { evaluateAlerts } from '../core/metrics/alerts.ts';
import type { Alert } from '../core/metrics/figures.ts';
import { addDays, DAY_MS, type Day, endOfDay } from '../core/reference/time.ts';
import { plainDays } from './plain-days.ts';

const row = z.object({ Date: z.string(), 'POLA Vessels at Anchor': z.coerce.number().int().nonnegative() });

/** Working days are counted as days, from this one on, because the port reports no weekends. */
const FIRST_DAY: Day = '2022-01-03';

export interface QueueClearing {
  /** Dates as reported, `M/D/YYYY`. */
  readonly dates: readonly string[];
  readonly atAnchor: readonly number[];
  readonly alerts: readonly Alert[];
  /** The date of the last report that each alert used. */
  readonly reportedOn: readonly string[];
}

/** Reads the published daily counts and raises alerts on them. */
export async function studyQueueClearing(path: string): Promise<QueueClearing> {
  const rows = z.array(row).parse(parse(await readFile(path), { columns: true, trim: true, bom: true }));
  const dates = rows.map(({ Date: date }) => date);
  const atAnchor = rows.map((line) => line['POLA Vessels at Anchor']);
  const asOfAt = endOfDay(addDays(FIRST_DAY, rows.length));
  const alerts = evaluateAlerts(plainDays(atAnchor, 'at_anchor', FIRST_DAY), { asOfAt });
  const reportedOn = alerts.map((alert) => dates[(alert.asOfAt - endOfDay(FIRST_DAY)) / DAY_MS] ?? '');
  return { dates, atAnchor, alerts, reportedOn };
}
