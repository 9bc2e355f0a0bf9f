/** The files of a release that the explorer reads without a key: the ports by day, a file a month, and the stops of each port's last year. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { berthingAt, MIN_DAY_COVERAGE, type PortCall } from '../calls/port-call.ts';
import {
  DAY_FIGURES,
  KNOWN_DAYS,
  type KnownDays,
  type KnownMonth,
  type Stop,
  type WorstWeek,
} from '../contracts/published-files.ts';
import { CLOSURE_MEMORY_DAYS, type Closure, closuresOf } from '../metrics/closures.ts';
import { alertDay, type RaisedAlert } from '../metrics/raised-alerts.ts';
import { groupBy, mean, median, round, sum } from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  formatInstant,
  HOUR_MS,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import { alertRange } from '../store/alerts.ts';
import type { PortRow } from '../store/ports.ts';
import { releaseFolder } from '../store/release-place.ts';
import { portFigures } from '../store/served-records.ts';
import { lastDayOf, type ReleasedPort } from './manifest.ts';
import type { ReleaseStores } from './release-stores.ts';

// The closures of a port within a year that reached a high alert, with what was usual and what followed.

const YEAR_DAYS = 365;
/** The usual number is the median of these days, as for the alerts. */
const USUAL_DAYS = 28;
/** Days after a closure in which its queue is followed. */
const AFTER_DAYS = 3;

interface Berthings {
  readonly date: Day;
  readonly berthed: number;
  readonly waiting: number | undefined;
}

/** The episode of an alert that the closure raised. */
const episodeOf = (rows: readonly RaisedAlert[], { beganAt, reached }: Closure): RaisedAlert | undefined =>
  rows.find(
    ({ metric, steps: [{ asOfAt }] }) =>
      metric === 'berthings' && asOfAt > beganAt && asOfAt <= (reached.at(-1)?.at ?? beganAt),
  );

async function stopOf(
  { raised, trend, waits }: ReleaseStores,
  lastDay: Day,
  { port, name }: PortRow,
  closure: Closure,
): Promise<Stop> {
  const { endedAt, lostAt, reached } = closure;
  const foundAt = reached[0]?.at ?? closure.beganAt;
  const episode = episodeOf(
    await raised.between(port, dayOf(closure.beganAt), alertDay(endedAt ?? lostAt ?? endOfDay(lastDay))),
    closure,
  );
  const beganAt = episode?.beganAt ?? closure.beganAt;
  const [firstDay, end] = [dayOf(beganAt), alertDay(endedAt ?? lostAt ?? endOfDay(lastDay))];
  const after = [addDays(end, AFTER_DAYS), lastDay].sort()[0] ?? lastDay;
  const range = { from: addDays(firstDay, -USUAL_DAYS), to: after };
  const covered = (await waits.current(port, range)).flatMap(({ day, coverage, all }): Berthings[] =>
    all === undefined || coverage < MIN_DAY_COVERAGE
      ? []
      : [{ date: day, berthed: all.berthed, waiting: all.waiting }],
  );
  const usual = median(covered.filter(({ date }) => date < firstDay).map(({ berthed }) => berthed));
  const during = covered.filter(({ date }) => date >= firstDay);
  const days = during.filter(({ date }) => date <= end);
  // A day before the alert may have the fewest where the data break off, but was not known as closed.
  const alerted = days.filter(({ date }) => date >= alertDay(foundAt));
  const lowest = alerted.toSorted((a, b) => a.berthed - b.berthed)[0];
  const queue = during.reduce<{ date: Day; waiting: number } | null>(
    (most, { date, waiting = 0 }) => (waiting > (most?.waiting ?? -1) ? { date, waiting } : most),
    null,
  );
  const scores = await trend.current(port, { from: addDays(firstDay, -1), to: after });
  const text = (at: Instant | undefined): string | null => (at === undefined ? null : formatInstant(at));
  return {
    port,
    name,
    first_day: firstDay,
    last_day: end,
    alerted_at: formatInstant(episode?.steps[0].knownAt ?? foundAt),
    stopped_since: formatInstant(beganAt),
    lowest: lowest === undefined ? null : { date: lowest.date, berthed: lowest.berthed },
    usual: usual ?? null,
    // The first and the last day are closed in part: on some of them more than the usual number berthed.
    missed: usual === undefined ? 0 : sum(days.map(({ berthed }) => Math.max(0, usual - berthed))),
    queue,
    scores: scores.map(({ day, congestionScore }) => ({ date: day, score: congestionScore ?? null })),
    ended: text(endedAt),
  };
}

/** Finds the closures of a port up to `lastDay` with a high alert, oldest first. */
async function findStops(stores: ReleaseStores, lastDay: Day, row: PortRow): Promise<Stop[]> {
  const range = alertRange(startOfDay(addDays(lastDay, -YEAR_DAYS)), endOfDay(lastDay));
  const days = (await stores.alerts.current(row.port, range))
    .filter(({ metric, severity }) => metric === 'berthings' && severity === 'high')
    .map(({ asOfAt }) => alertDay(asOfAt))
    .sort();
  // Most ports have had no closure.
  const [first] = days;
  if (first === undefined) return [];
  const series = await stores.trend.between(row.port, {
    from: addDays(first, -2 * CLOSURE_MEMORY_DAYS),
    to: lastDay,
  });
  const closures = closuresOf(series, endOfDay(lastDay), first);
  const stops = closures.filter(({ reached }) =>
    reached.some(({ severity, at }) => severity === 'high' && days.includes(alertDay(at))),
  );
  return Promise.all(stops.map((closure) => stopOf(stores, lastDay, row, closure)));
}

// The calendar week of a port's last year in which the vessels that berthed had taken longest since their arrival.

const WEEK_DAYS = 7;
/** Smallest number of berthings of a week that is compared. */
const MIN_BERTHED = 10;
/** 5 January 1970 was a Monday. */
const MONDAY = 4;
const HOURS_DECIMALS = 1;

function mondayOf(day: Day): Day {
  const since = startOfDay(day) / DAY_MS - MONDAY;
  return addDays(day, Math.floor(since / WEEK_DAYS) * WEEK_DAYS - since);
}

/**
 * Returns the week, hours from arrival to berth averaged over all its vessels, whatever their type. Compares weeks whose seven days
 * are covered; undefined without one.
 */
export function worstWeekOf(
  calls: readonly PortCall[],
  isCovered: (day: Day) => boolean,
): Omit<WorstWeek, 'port'> | undefined {
  const berthed = calls.flatMap((call) => {
    const at = berthingAt(call);
    return at === undefined ? [] : [{ at, hours: (at - call.ataAt) / HOUR_MS }];
  });
  const weeks = [...groupBy(berthed, ({ at }) => mondayOf(dayOf(at)))].flatMap(([first, week]) => {
    const last = addDays(first, WEEK_DAYS - 1);
    if (week.length < MIN_BERTHED || !daysBetween(first, last).every(isCovered)) return [];
    return [
      { first_day: first, last_day: last, berthed: week.length, hours: mean(week.map(({ hours }) => hours)) },
    ];
  });
  const [worst] = weeks.sort((a, b) => b.hours - a.hours);
  return worst && { ...worst, hours: round(worst.hours, HOURS_DECIMALS) };
}

/** In the year up to `lastDay`; empty where no single calls are stored. */
async function findWorstWeek(
  { calls, waits }: ReleaseStores,
  lastDay: Day,
  port: string,
): Promise<WorstWeek[]> {
  const from = addDays(lastDay, -YEAR_DAYS);
  const days = await waits.current(port, { from, to: lastDay });
  const covered = new Set(days.filter(({ coverage }) => coverage >= MIN_DAY_COVERAGE).map(({ day }) => day));
  const found = await calls.between(port, startOfDay(from), endOfDay(lastDay));
  const worst = worstWeekOf(found, (day) => covered.has(day));
  return worst === undefined ? [] : [{ port, ...worst }];
}

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
