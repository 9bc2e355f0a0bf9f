/** The tables of a release that have rows of ports by day: what is read for one port and one span of days. */

import type { PortCall } from '../calls/port-call.ts';
import { VESSEL_CLASSES } from '../contracts/waits.ts';
import { alertRecord } from '../endpoints/alerts.ts';
import { trendPoints } from '../endpoints/trend.ts';
import { waitRecord } from '../endpoints/waits.ts';
import { anchoredMsBefore, firstBerthAt } from '../metrics/call-index.ts';
import { round } from '../reference/rounding.ts';
import {
  type Day,
  endOfDay,
  formatInstant,
  HOUR_MS,
  type Instant,
  SECOND_MS,
  startOfDay,
} from '../reference/time.ts';
import { createAlertReader } from '../store/alerts.ts';
import { createDailyMetricsStore } from '../store/daily-metrics.ts';
import { createPortCallStore } from '../store/port-calls.ts';
import type { PortRow } from '../store/ports.ts';
import type { Table } from '../store/table.ts';
import { createWaitDayStore, type WaitDayPart } from '../store/wait-days.ts';
import type { CallRow, ReleaseRow, ReleaseTable } from './columns.ts';
import type { Origins } from './origins.ts';
import type { Span } from './spans.ts';

export interface PortTable {
  readonly name: ReleaseTable;
  /** The column that rows are in the order of. */
  readonly orderedBy: string;
  /** Rows of a busy port on one day, about. */
  readonly dailyRows: number;
  /** Whether the table has rows of the port. */
  has(port: PortRow): boolean;
  /** Rows of one port, without port and origin. */
  read(port: string, span: Span): Promise<readonly ReleaseRow[]>;
}

/** As decision 12 writes a wait, to the second. */
const WAIT_DECIMALS = 4;

const timeOf = (at: Instant | undefined): string | null => (at === undefined ? null : formatInstant(at));

/** Hours at anchor before the first berth, of cargo calls whose wait is known and over, as wait figures count them. */
function waitHours(call: PortCall): number | null {
  const berthedAt = firstBerthAt(call);
  if (call.traffic !== 'cargo' || !call.waitKnown || berthedAt === undefined) return null;
  return round(anchoredMsBefore(call, berthedAt) / HOUR_MS, WAIT_DECIMALS);
}

const callRow = (call: PortCall): CallRow => ({
  ata: formatInstant(call.ataAt),
  ata_inferred: call.ataInferred === true,
  atb: timeOf(firstBerthAt(call)),
  atd: timeOf(call.atdAt),
  atd_inferred: call.atdInferred === true,
  traffic: call.traffic,
  vessel_class: call.vesselClass ?? null,
  wait_hours: waitHours(call),
});

/** The rows of a day, one for each group of calls that is known. */
export const waitRows = ({ day, coverage, ...groups }: WaitDayPart) =>
  (['all', ...VESSEL_CLASSES] as const).flatMap((group) => {
    const figures = groups[group];
    return figures === undefined ? [] : [{ class: group, ...waitRecord({ day, coverage, ...figures }) }];
  });

/**
 * @param today day of the release: its figures end with the day before
 */
export function portTables(
  tables: Readonly<Record<'alerts' | 'dailyMetrics' | 'portCalls' | 'waitDays', Table>>,
  origins: Origins,
  today: Day,
): PortTable[] {
  const trend = createDailyMetricsStore(tables.dailyMetrics);
  const waits = createWaitDayStore(tables.waitDays);
  const alerts = createAlertReader(tables.alerts);
  const calls = createPortCallStore(tables.portCalls);
  const always = () => true;
  return [
    {
      name: 'trend',
      orderedBy: 'date',
      dailyRows: 1,
      has: always,
      read: async (port, { firstDay, lastDay }) =>
        trendPoints(await trend.served(port, firstDay, lastDay), today),
    },
    {
      name: 'waits',
      orderedBy: 'date',
      dailyRows: 2,
      has: always,
      async read(port, { firstDay, lastDay }) {
        return (await waits.between(port, firstDay, lastDay)).flatMap(waitRows);
      },
    },
    {
      name: 'calls',
      orderedBy: 'ata',
      dailyRows: 10,
      has: origins.passesOnCalls,
      async read(port, { firstDay, lastDay }) {
        const found = await calls.between(port, startOfDay(firstDay), endOfDay(lastDay));
        return found.map(callRow);
      },
    },
    {
      name: 'alerts',
      orderedBy: 'as_of',
      dailyRows: 1,
      has: always,
      async read(port, { firstDay, lastDay }) {
        // The store excludes the first of the two seconds: a year here begins with its first midnight and ends before the next.
        const [afterAt, toAt] = [startOfDay(firstDay) - SECOND_MS, endOfDay(lastDay) - SECOND_MS];
        return (await alerts.between(port, afterAt, toAt)).map(alertRecord);
      },
    },
  ];
}
