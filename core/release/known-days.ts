/** The files of a release that the explorer reads without a key: the ports by day, a file a month, and the stops of the last year. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_FIGURES, KNOWN_DAYS, type KnownDays, type KnownMonth } from '../contracts/known-days.ts';
import { addDays, type Day, startOfDay } from '../reference/time.ts';
import type { PortRow } from '../store/ports.ts';
import { releaseFolder } from '../store/release-place.ts';
import { portFigures } from '../store/served-records.ts';
import type { ReleasedPort } from './origins.ts';
import type { ReleaseStores } from './release-stores.ts';
import { findStops } from './stops.ts';

/** Folder of the files within a release. */
const FOLDER = 'known-days';
/** As long as port calls are kept. */
const MAX_DAYS = 400;

type ListedDay = readonly [Day, readonly PortRow[]];

/** Ports are named as on their last day; one of which nothing had been observed in the month is left out. */
function monthOf(days: readonly ListedDay[]): KnownMonth {
  const ports = new Map<string, KnownMonth['ports'][number]>();
  for (const [at, [, rows]] of days.entries())
    for (const row of rows) {
      const figures = portFigures(row);
      const { port, name, country, latitude, longitude, sources, method, first_day } = figures;
      const known = [...(ports.get(port)?.days ?? days.map(() => null))];
      if (figures.as_of !== null) known[at] = DAY_FIGURES.map((figure) => figures[figure]);
      ports.set(port, { port, name, country, latitude, longitude, sources, method, first_day, days: known });
    }
  return {
    days: days.map(([day]) => day),
    figures: DAY_FIGURES,
    ports: [...ports.values()].filter((port) => port.days.some((day) => day !== null)),
  };
}

/** Writes a file for each month as its days are added, oldest first: one month is in memory at a time. */
export class KnownMonths {
  readonly months: KnownDays['months'][number][] = [];
  firstDay: Day | null = null;
  lastDay: Day | null = null;
  #days: ListedDay[] = [];

  /** `folder`: that of the release of `today`. */
  constructor(
    private readonly folder: string,
    private readonly today: Day,
  ) {}

  /** The list of ports on a day. Days from `today` on, and those before a port was observed, are left out. */
  async add(day: Day, rows: readonly PortRow[]): Promise<void> {
    const oldest = addDays(this.today, -MAX_DAYS);
    if (day < oldest || day >= this.today) return;
    const oldestAt = startOfDay(oldest);
    const isObserved = ({ snapshot }: PortRow): boolean =>
      snapshot !== undefined && snapshot.asOfAt >= oldestAt;
    if (this.firstDay === null && !rows.some(isObserved)) return;
    if (this.lastDay?.slice(0, 7) !== day.slice(0, 7)) await this.end();
    this.#days.push([day, rows]);
    this.firstDay ??= day;
    this.lastDay = day;
  }

  /** Writes the file of the month of the last day. */
  async end(): Promise<void> {
    const [first] = this.#days;
    if (first === undefined) return;
    const month = first[0].slice(0, 7);
    const path = `${FOLDER}/${month}.json`;
    await mkdir(join(this.folder, FOLDER), { recursive: true });
    await writeFile(join(this.folder, path), `${JSON.stringify(monthOf(this.#days))}\n`);
    this.months.push({ month, path: `${releaseFolder(this.today)}/${path}` });
    this.#days = [];
  }
}

/** Ends the months, and writes the file that names them with the stops of the last year. Returns the paths of all within the dataset. */
export async function writeKnownDays(
  folder: string,
  today: Day,
  ports: readonly ReleasedPort[],
  known: KnownMonths,
  stores: ReleaseStores,
): Promise<string[]> {
  await known.end();
  const { months, firstDay, lastDay } = known;
  const stops: KnownDays['stops'][number][] = [];
  for (const { row } of ports) stops.push(...(await findStops(stores, addDays(today, -1), row)));
  stops.sort((a, b) => (a.first_day < b.first_day ? -1 : 1));
  const content: KnownDays = { release: today, first_day: firstDay, last_day: lastDay, months, stops };
  await writeFile(join(folder, KNOWN_DAYS), `${JSON.stringify(content)}\n`);
  return [...months.map(({ path }) => path), `${releaseFolder(today)}/${KNOWN_DAYS}`];
}
