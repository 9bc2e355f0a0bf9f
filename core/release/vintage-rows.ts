/** The tables of a release that have what was known when: of ports by day, of HS codes, and of the list of ports. */
import { alertRecord } from '../endpoints/alerts.ts';
import { portFigures } from '../endpoints/ports.ts';
import { trendPoints } from '../endpoints/trend.ts';
import { addDays, type Day, daysBetween, endOfDay, SECOND_MS, startOfDay } from '../reference/time.ts';
import { alertHistory, servedAlert } from '../store/alerts.ts';
import { servedDay, servedHistory } from '../store/daily-metrics.ts';
import { pointsOf } from '../store/import-index.ts';
import { portsAsOf } from '../store/ports.ts';
import type { Table } from '../store/table.ts';
import type { KnownValue, KnownValues, VintageReader } from '../store/vintages.ts';
import { waitDay, waitHistory } from '../store/wait-days.ts';
import type { ReleaseRow } from './columns.ts';
import { type KnownRow, KnownRuns } from './known-runs.ts';
import type { Origin } from './origins.ts';
import type { ReleasedPort } from './port-groups.ts';
import { type PortTable, waitRows } from './port-tables.ts';

interface Change {
  readonly since: Day;
  readonly rows: readonly KnownRow[];
}

function runsOf(changes: readonly Change[]): ReleaseRow[] {
  const runs = new KnownRuns();
  return [...changes.flatMap(({ since, rows }) => runs.change(since, rows)), ...runs.current()];
}

/** The runs of every key. `changesOf` has the changes that a value makes, and knows when the next value comes. */
function runsByKey(
  values: KnownValues,
  changesOf: (value: KnownValue, next: Day | undefined) => readonly Change[],
): ReleaseRow[] {
  return [...values].flatMap(([key, ofKey]) => {
    // No response has a day that comes after its own, though clocks differ and a reply may state one.
    const dayOfKey = key.slice(0, 10);
    const clamped = ofKey.map((value) => ({
      ...value,
      since: value.since > dayOfKey ? value.since : dayOfKey,
    }));
    return runsOf(clamped.flatMap((value, at) => changesOf(value, clamped[at + 1]?.since)));
  });
}

const isBackfilled = ({ row }: KnownValue): boolean => row.backfilled === true;

/** One row, or none where the key had none. */
function oneChange(value: KnownValue, row: ReleaseRow | undefined): Change {
  const isThere = value.row.gone !== true && row !== undefined;
  return { since: value.since, rows: isThere ? [{ id: '', row, backfilled: isBackfilled(value) }] : [] };
}

/** A day on which the observations broke off is served while it runs, and no longer. */
function trendChanges(value: KnownValue, next: Day | undefined): Change[] {
  if (value.row.gone === true) return [oneChange(value, undefined)];
  const day = servedDay(value.row);
  const dayAfter = addDays(day.day, 1);
  const change = oneChange(value, trendPoints([day], value.since)[0]);
  const isCut = day.partial === true && value.since < dayAfter && (next === undefined || next > dayAfter);
  return isCut ? [change, { since: dayAfter, rows: [] }] : [change];
}

function waitChanges(value: KnownValue): Change[] {
  if (value.row.gone === true) return [oneChange(value, undefined)];
  const backfilled = isBackfilled(value);
  const rows = waitRows(waitDay(value.row)).map((row) => ({ id: row.class, row, backfilled }));
  return [{ since: value.since, rows }];
}

export function vintageTables(
  tables: Readonly<Record<'alerts' | 'dailyMetrics' | 'waitDays', Table>>,
  vintages: VintageReader,
): PortTable[] {
  const has = () => true;
  return [
    {
      name: 'vintages_trend',
      orderedBy: 'date',
      dailyRows: 2,
      has,
      read: async (port, { firstDay: first, lastDay: last }) =>
        runsByKey(await servedHistory(tables.dailyMetrics, vintages, { port, first, last }), trendChanges),
    },
    {
      name: 'vintages_waits',
      orderedBy: 'date',
      dailyRows: 4,
      has,
      read: async (port, { firstDay: first, lastDay: last }) =>
        runsByKey(await waitHistory(tables.waitDays, vintages, { port, first, last }), waitChanges),
    },
    {
      name: 'vintages_alerts',
      orderedBy: 'as_of',
      dailyRows: 1,
      has,
      async read(port, { firstDay, lastDay }) {
        const [afterAt, toAt] = [startOfDay(firstDay) - SECOND_MS, endOfDay(lastDay) - SECOND_MS];
        const values = await alertHistory(tables.alerts, vintages, { port, afterAt, toAt });
        return runsByKey(values, (value) => [
          oneChange(value, value.row.gone === true ? undefined : alertRecord(servedAlert(value.row))),
        ]);
      },
    },
  ];
}

/** Rows of each code by month; a month that is older than what the index serves has ended. */
export async function* importVintages(
  codes: readonly string[],
  vintages: VintageReader,
  origin: Origin,
): AsyncGenerator<readonly ReleaseRow[]> {
  for (const code of codes) {
    const changes = (await vintages.importsHistory(code)).map((vintage): Change => {
      const backfilled = vintage.backfilled === true;
      const rows = pointsOf(vintage).map((point) => ({
        id: point.month,
        row: { code, ...point, ...origin },
        backfilled,
      }));
      return { since: String(vintage.at), rows };
    });
    yield runsOf(changes).sort(
      (a, b) => Number(String(a.month) > String(b.month)) - Number(String(a.month) < String(b.month)),
    );
  }
}

/** The list of ports on every day since the first vintage, in the order in which its rows end. `today`: the day of the release. */
export async function* portVintages(
  ports: readonly ReleasedPort[],
  vintages: VintageReader,
  today: Day,
): AsyncGenerator<readonly ReleaseRow[]> {
  const begin = await vintages.begin();
  if (begin === undefined || begin > today) return;
  const rows = ports.map(({ row }) => row);
  const origins = new Map(ports.map(({ row: { port }, origin }) => [port, origin]));
  const runs = new KnownRuns();
  for (const day of daysBetween(begin, today)) {
    const served = day === today ? rows : portsAsOf(rows, await vintages.portsOn(day), day);
    yield runs.change(
      day,
      served.map((row) => ({
        id: row.port,
        row: { ...portFigures(row), ...origins.get(row.port) },
        backfilled: row.backfilled === true,
      })),
    );
  }
  yield runs.current();
}

/** The same rows in groups of some thousands, because each group of a file has a cost of its own. */
export async function* inLargeGroups(
  groups: AsyncIterable<readonly ReleaseRow[]>,
  groupRows: number,
): AsyncGenerator<readonly ReleaseRow[]> {
  let pending: ReleaseRow[] = [];
  for await (const group of groups) {
    pending.push(...group);
    if (pending.length < groupRows) continue;
    yield pending;
    pending = [];
  }
  yield pending;
}
