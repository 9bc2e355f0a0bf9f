/** What was known when of the import indices and of the list of ports. */
import { portFigures } from '../endpoints/ports.ts';
import { type Day, daysBetween } from '../reference/time.ts';
import { importMethodology, indexPoints } from '../store/import-index.ts';
import { portsAsOf } from '../store/ports.ts';
import { methodologyOn, type VintageReader } from '../store/vintages.ts';
import type { ReleaseRow } from './columns.ts';
import type { Origin } from './origins.ts';
import type { ReleasedPort } from './port-groups.ts';
import { findRuns, KnownRuns } from './port-tables.ts';

/** Rows of each code by month; a month that is older than what the index serves has ended. */
export async function* importVintages(
  codes: readonly string[],
  vintages: VintageReader,
  origin: Origin,
): AsyncGenerator<readonly ReleaseRow[]> {
  for (const code of codes) {
    const changes = (await vintages.importsHistory(code)).map((vintage) => {
      const made = { backfilled: vintage.backfilled === true, methodology: importMethodology(vintage) };
      const rows = indexPoints(vintage).map((point) => ({
        id: point.month,
        row: { code, ...point, ...origin },
        made,
      }));
      return { since: String(vintage.at), rows };
    });
    yield findRuns(changes).sort(
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
  const byPort = new Map(ports.map((port) => [port.row.port, port]));
  const runs = new KnownRuns();
  for (const day of daysBetween(begin, today)) {
    const served = day === today ? rows : portsAsOf(rows, await vintages.portsOn(day), day);
    yield runs.change(
      day,
      served.map((row) => {
        const { origin, begin: began } = byPort.get(row.port) ?? {};
        const methodology = began && methodologyOn(began, day);
        return {
          id: row.port,
          row: { ...portFigures(row), ...origin },
          made: { backfilled: row.backfilled === true, methodology },
        };
      }),
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
