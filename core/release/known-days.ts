/** The files of a release that the explorer reads without a key: the ports by day, a file a month, and the stops of each port's last year. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DAY_FIGURES,
  KNOWN_DAYS,
  type KnownDays,
  type KnownMonth,
  type WorstWeek,
} from '../contracts/known-days.ts';
import { addDays, type Day, startOfDay } from '../reference/time.ts';
import type { PortRow } from '../store/ports.ts';
import { releaseFolder } from '../store/release-place.ts';
import { portFigures } from '../store/served-records.ts';
import { lastDayOf, type ReleasedPort } from './origins.ts';
import type { ReleaseStores } from './release-stores.ts';
import { findStops } from './stops.ts';
import { findWorstWeek } from './worst-week.ts';

/** Folder of the files within a release. */
const FOLDER = 'known-days';
/** Largest number of days of a port, up to its last one: as long as port calls are kept. */
const MAX_DAYS = 400;
/** After this many days without a new one a port counts as no longer observed. */
const OVER_DAYS = 7;

type ListedDay = readonly [Day, readonly PortRow[]];

/** Names each port as on its last day. Ports without an observation in the month are left out. */
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
  readonly spans: [first: Day, last: Day][] = [];
  /** Last days of the ports. */
  readonly #last: ReadonlyMap<string, Day>;
  #days: ListedDay[] = [];

  /** `folder`: that of the release of `today`; `ports`: with the figures of now. */
  constructor(
    private readonly folder: string,
    private readonly today: Day,
    ports: readonly PortRow[],
  ) {
    this.#last = new Map(ports.map((row) => [row.port, lastDayOf(row, today)]));
  }

  /** Whether the day is one of the port's: from its first observation on, up to its last day. */
  #isOf(day: Day, { port, snapshot }: PortRow): boolean {
    const last = this.#last.get(port);
    if (last === undefined || snapshot === undefined || day > last) return false;
    const oldest = addDays(last, -MAX_DAYS);
    return day >= oldest && snapshot.asOfAt >= startOfDay(oldest);
  }

  /** The list of ports on a day. Days from `today` on, and those that are of none of the ports, are left out. */
  async add(day: Day, rows: readonly PortRow[]): Promise<void> {
    const shown = rows.filter((row) => this.#isOf(day, row));
    if (day >= this.today || shown.length === 0) return;
    const span = this.spans.at(-1);
    if (span?.[1].slice(0, 7) !== day.slice(0, 7)) await this.end();
    this.#days.push([day, shown]);
    if (span?.[1] === addDays(day, -1)) span[1] = day;
    else this.spans.push([day, day]);
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

/** Ends the months, and writes the file that names them with the stops of each port's last year. Returns the paths of all within the dataset. */
export async function writeKnownDays(
  folder: string,
  today: Day,
  ports: readonly ReleasedPort[],
  known: KnownMonths,
  stores: ReleaseStores,
): Promise<string[]> {
  await known.end();
  const { months, spans } = known;
  const stops: KnownDays['stops'][number][] = [];
  const weeks: WorstWeek[] = [];
  for (const { row } of ports) {
    const last = lastDayOf(row, today);
    const found = await findStops(stores, last, row);
    stops.push(...found);
    // The first screen shows the state of a port that is still observed, and needs no week of its past.
    if (found.length === 0 && last < addDays(today, -OVER_DAYS))
      weeks.push(...(await findWorstWeek(stores, last, row.port)));
  }
  stops.sort((a, b) => (a.first_day < b.first_day ? -1 : 1));
  const content: KnownDays = {
    release: today,
    first_day: spans[0]?.[0] ?? null,
    last_day: spans.at(-1)?.[1] ?? null,
    spans,
    months,
    stops,
    worst_weeks: weeks,
  };
  await writeFile(join(folder, KNOWN_DAYS), `${JSON.stringify(content)}\n`);
  return [...months.map(({ path }) => path), `${releaseFolder(today)}/${KNOWN_DAYS}`];
}
