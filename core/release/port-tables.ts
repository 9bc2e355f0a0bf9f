/** The tables of a release that have rows of ports by day: what is read for one port and one span of days. */

import type { PortCall } from '../calls/port-call.ts';
import { VESSEL_CLASSES } from '../contracts/waits.ts';
import { alertRecord } from '../endpoints/alerts.ts';
import { trendPoints } from '../endpoints/trend.ts';
import { waitRecord } from '../endpoints/waits.ts';
import { anchoredMsBefore, firstBerthAt } from '../metrics/call-index.ts';
import { round } from '../reference/rounding.ts';
import { type Day, endOfDay, HOUR_MS, SECOND_MS, startOfDay } from '../reference/time.ts';
import { alertHistory } from '../store/alerts.ts';
import { servedHistory } from '../store/daily-metrics.ts';
import { createPortCallStore } from '../store/port-calls.ts';
import type { PortRow } from '../store/ports.ts';
import type { Table } from '../store/table.ts';
import type { Beginning, VintageReader } from '../store/vintages.ts';
import { type WaitDayPart, waitHistory } from '../store/wait-days.ts';
import type { CallRow, ReleaseRow, ReleaseTable } from './columns.ts';
import type { Origins } from './origins.ts';
import type { Span } from './spans.ts';
import { alertVintages, trendVintages, waitVintages } from './vintage-rows.ts';

interface PortToRead {
  readonly port: string;
  /** Undefined where nothing was known of the port yet. */
  readonly begin: Beginning | undefined;
}

/** Tables whose rows come from one read of a port: its figures, and when each of them was known. */
export interface PortTables {
  /** With the rows of a busy port on one day, about. */
  readonly tables: readonly { readonly name: ReleaseTable; readonly dailyRows: number }[];
  /** The column that rows are in the order of. */
  readonly orderedBy: string;
  /** Whether the tables have rows of the port. */
  has(port: PortRow): boolean;
  /** Rows of one port by table, in the order of `tables`, without port and origin. */
  read(port: PortToRead, span: Span): Promise<readonly (readonly ReleaseRow[])[]>;
}

/** As decision 12 writes a wait, to the second. */
const WAIT_DECIMALS = 4;

/** Hours at anchor before the first berth, of cargo calls whose wait is known and over, as wait figures count them. */
function waitHours(call: PortCall): number | null {
  const berthedAt = firstBerthAt(call);
  if (call.traffic !== 'cargo' || !call.waitKnown || berthedAt === undefined) return null;
  return round(anchoredMsBefore(call, berthedAt) / HOUR_MS, WAIT_DECIMALS);
}

const callRow = (call: PortCall): CallRow => ({
  ata: call.ataAt,
  ata_inferred: call.ataInferred === true,
  atb: firstBerthAt(call) ?? null,
  atd: call.atdAt ?? null,
  atd_inferred: call.atdInferred === true,
  traffic: call.traffic,
  vessel_class: call.vesselClass ?? null,
  wait_hours: waitHours(call),
});

/** The rows of a day, one for each group of calls that is known. */
const waitRows = ({ day, coverage, ...groups }: WaitDayPart) =>
  (['all', ...VESSEL_CLASSES] as const).flatMap((group) => {
    const figures = groups[group];
    return figures === undefined ? [] : [{ class: group, ...waitRecord({ day, coverage, ...figures }) }];
  });

/**
 * @param today day of the release: its figures end with the day before
 */
export function portTables(
  tables: Readonly<Record<'alerts' | 'dailyMetrics' | 'portCalls' | 'waitDays', Table>>,
  vintages: VintageReader,
  origins: Origins,
  today: Day,
): PortTables[] {
  const calls = createPortCallStore(tables.portCalls);
  const always = () => true;
  return [
    {
      tables: [
        { name: 'trend', dailyRows: 1 },
        { name: 'vintages_trend', dailyRows: 2 },
      ],
      orderedBy: 'date',
      has: always,
      async read({ port, begin }, { firstDay: first, lastDay: last }) {
        const { current, values } = await servedHistory(tables.dailyMetrics, vintages, {
          port,
          begin,
          first,
          last,
        });
        return [trendPoints(current, today), trendVintages(values)];
      },
    },
    {
      tables: [
        { name: 'waits', dailyRows: 2 },
        { name: 'vintages_waits', dailyRows: 4 },
      ],
      orderedBy: 'date',
      has: always,
      async read({ port, begin }, { firstDay: first, lastDay: last }) {
        const { current, values } = await waitHistory(tables.waitDays, vintages, {
          port,
          begin,
          first,
          last,
        });
        const made = new Map(current.map((day) => [day, waitRows(day)]));
        return [[...made.values()].flat(), waitVintages(values, (day) => made.get(day) ?? waitRows(day))];
      },
    },
    {
      tables: [{ name: 'calls', dailyRows: 10 }],
      orderedBy: 'ata',
      has: origins.passesOnCalls,
      async read({ port }, { firstDay, lastDay }) {
        const found = await calls.between(port, startOfDay(firstDay), endOfDay(lastDay));
        return [found.map(callRow)];
      },
    },
    {
      tables: [
        { name: 'alerts', dailyRows: 1 },
        { name: 'vintages_alerts', dailyRows: 1 },
      ],
      orderedBy: 'as_of',
      has: always,
      async read({ port, begin }, { firstDay, lastDay }) {
        // The store excludes the first of the two seconds: a year here begins with its first midnight and ends before the next.
        const [afterAt, toAt] = [startOfDay(firstDay) - SECOND_MS, endOfDay(lastDay) - SECOND_MS];
        const { current, values } = await alertHistory(tables.alerts, vintages, {
          port,
          begin,
          afterAt,
          toAt,
        });
        return [current.map(alertRecord), alertVintages(values)];
      },
    },
  ];
}
