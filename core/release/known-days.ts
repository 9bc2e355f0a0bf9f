/** The files of a release that the explorer reads without a key: the ports by day, a file a month, and the stops of the last year. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_FIGURES, KNOWN_DAYS, type KnownDays, type KnownMonth } from '../contracts/known-days.ts';
import { groupBy } from '../reference/grouping.ts';
import { addDays, type Day, startOfDay } from '../reference/time.ts';
import type { PortRow } from '../store/ports.ts';
import { releaseFolder } from '../store/release-place.ts';
import { portFigures } from '../store/served-records.ts';
import type { ReleasedPort } from './port-groups.ts';
import { createStopFinder, type StopTables } from './stops.ts';

/** Folder of the files within a release. */
const FOLDER = 'known-days';
/** As long as port calls are kept. */
const MAX_DAYS = 400;

/** The records of all ports, day by day. */
export class PortsByDay {
  readonly #days = new Map<Day, readonly PortRow[]>();

  add(day: Day, rows: readonly PortRow[]): void {
    this.#days.set(day, rows);
  }

  /** The newest days before `today`, oldest first, from the first one on which a port was observed. */
  before(today: Day): (readonly [Day, readonly PortRow[]])[] {
    const oldest = addDays(today, -MAX_DAYS);
    const days = [...this.#days].filter(([day]) => day < today && day >= oldest);
    const isObserved = ({ snapshot }: PortRow): boolean =>
      snapshot !== undefined && snapshot.asOfAt >= startOfDay(oldest);
    const first = days.findIndex(([, rows]) => rows.some(isObserved));
    return first === -1 ? [] : days.slice(first);
  }
}

function monthOf(days: readonly (readonly [Day, readonly PortRow[]])[]): KnownMonth {
  const byPort = groupBy(
    days.flatMap(([day, rows]) => rows.map((row) => ({ day, record: portFigures(row) }))),
    ({ record }) => record.port,
  );
  const ports = [...byPort.values()].flatMap((known) => {
    const figures = new Map(known.map(({ day, record }) => [day, record]));
    const { port, name, country, latitude, longitude, sources, method, first_day } = (
      known.at(-1) as (typeof known)[number]
    ).record;
    if (known.every(({ record }) => record.as_of === null)) return [];
    const values = days.map(([day]) => {
      const record = figures.get(day);
      return record === undefined || record.as_of === null ? null : DAY_FIGURES.map((name) => record[name]);
    });
    return [{ port, name, country, latitude, longitude, sources, method, first_day, days: values }];
  });
  return { days: days.map(([day]) => day), figures: DAY_FIGURES, ports } as KnownMonth;
}

/**
 * Writes a file for each month, and the file that names them, into `folder`, that of the release of `today`.
 * Returns their paths within it.
 */
export async function writeKnownDays(
  folder: string,
  today: Day,
  ports: readonly ReleasedPort[],
  byDay: PortsByDay,
  tables: StopTables,
): Promise<string[]> {
  const days = byDay.before(today);
  const written: string[] = [];
  const write = async (path: string, content: unknown): Promise<void> => {
    await mkdir(join(folder, FOLDER), { recursive: true });
    await writeFile(join(folder, path), `${JSON.stringify(content)}\n`);
    written.push(path);
  };
  const months: KnownDays['months'][number][] = [];
  for (const [month, monthDays] of groupBy(days, ([day]) => day.slice(0, 7))) {
    const path = `${FOLDER}/${month}.json`;
    await write(path, monthOf(monthDays));
    months.push({ month, path: `${releaseFolder(today)}/${path}` });
  }
  const findStops = createStopFinder(tables, addDays(today, -1));
  const stops: KnownDays['stops'][number][] = [];
  for (const { row } of ports) stops.push(...(await findStops(row)));
  stops.sort((a, b) => (a.first_day < b.first_day ? -1 : 1));
  const [first, last] = [days[0]?.[0] ?? null, days.at(-1)?.[0] ?? null];
  await write(KNOWN_DAYS, {
    release: today,
    first_day: first,
    last_day: last,
    months,
    stops,
  } satisfies KnownDays);
  return written;
}
