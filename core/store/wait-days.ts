/**
 * Waits, one row a UTC day of one port. Each group of calls is one attribute, a JSON list: the list of the figures in the order
 * of `FIGURES`, null where absent, then every wait above zero. A day takes some 140 bytes with its
 * key, and 8 more for each vessel that waited, twice where its class is known.
 */
import type { WaitDay, WaitFigures } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import type { Day } from '../reference/time.ts';
import type { Kept, SeriesKind } from './knowledge.ts';
import type { Row, Table } from './table.ts';
import type { Beginning, KnownValues, VintageReader } from './vintages.ts';

type WaitGroup = Exclude<keyof WaitDay, 'day' | 'coverage'>;

/** The waits of one group on one day. */
export interface GroupDay extends WaitFigures {
  readonly day: Day;
  readonly coverage: number;
}

export interface WaitDayStore {
  /** Days from `first` to `last` that have a row, oldest first. */
  between(port: Locode, first: Day, last: Day): Promise<Kept<WaitDay>[]>;
  /** The same of one group: days on which the group is known. */
  ofGroup(port: Locode, first: Day, last: Day, group: WaitGroup): Promise<GroupDay[]>;
  /** Writes whole days and deletes those of `removed`. */
  write(port: Locode, days: readonly Kept<WaitDay>[], removed: readonly Day[]): Promise<void>;
}

const GROUPS = ['all', 'container', 'bulk', 'tanker', 'other'] as const satisfies readonly WaitGroup[];
const FIGURES = [
  'berthed',
  'delayedShare',
  'meanHours',
  'medianHours',
  'p90Hours',
  'maxHours',
  'waiting',
  'waitingHours',
  'excluded',
  'unknownType',
  'recentArrivals',
  'recentWaitHours',
] as const satisfies readonly (keyof WaitFigures)[];

/** Rows of methodology 1.1 have this many figures, in one list with the waits. */
const FORMER_FIGURES = 8;

const toText = (figures: WaitFigures): string =>
  JSON.stringify([FIGURES.map((name) => figures[name] ?? null), ...figures.waits]);

function fromText(text: unknown): WaitFigures {
  const [first, ...others] = JSON.parse(String(text)) as [(number | null)[] | number, ...number[]];
  const isFormer = !Array.isArray(first);
  const values = isFormer ? [first, ...others] : first;
  const known = FIGURES.slice(0, isFormer ? FORMER_FIGURES : undefined).flatMap((name, at) =>
    values[at] == null ? [] : [[name, values[at]] as const],
  );
  const waits = isFormer ? others.slice(FORMER_FIGURES - 1) : others;
  return { ...Object.fromEntries(known), waits } as unknown as WaitFigures;
}

const toGroups = <T>(day: Readonly<Partial<Record<WaitGroup, T>>>, convert: (group: T) => unknown): Row =>
  Object.fromEntries(
    GROUPS.flatMap((name) => {
      const group = day[name];
      return group === undefined ? [] : [[name, convert(group)]];
    }),
  );

/** A day of which only some groups may have been read. */
export type WaitDayPart = Pick<WaitDay, 'day' | 'coverage'> &
  Readonly<Partial<Record<WaitGroup, WaitFigures>>>;

/** The day of a vintage. */
const waitDay = ({ key, coverage, ...row }: Row): WaitDayPart => ({
  day: String(key),
  coverage: Number(coverage),
  ...toGroups(row, fromText),
});

export const WAITS_SERIES: SeriesKind<WaitDayPart> = {
  name: 'waits',
  keyOf: ({ day }) => day,
  dayOf: ({ day }) => day,
  usualLag: 1,
  servedOf: ({ coverage, ...day }) => ({ coverage, ...toGroups(day, toText) }),
  valueOf: waitDay,
};

const fromRow = ({ day, coverage, lag, ...row }: Row): Kept<WaitDayPart> => ({
  day: String(day),
  coverage: Number(coverage),
  ...(lag === undefined ? {} : { lag: Number(lag) }),
  ...toGroups(row, fromText),
});

const groupDays = (rows: readonly Row[], group: WaitGroup): GroupDay[] =>
  rows.flatMap((row) =>
    row[group] === undefined
      ? []
      : [{ day: String(row.day), coverage: Number(row.coverage), ...fromText(row[group]) }],
  );

/** The days of one group from `first` to `last` as they were known at the end of `asOf`, oldest first. */
export async function groupAsOf(
  table: Table,
  vintages: Pick<VintageReader, 'known'>,
  { port, first, last, asOf, group }: { port: Locode; first: Day; last: Day; asOf: Day; group: WaitGroup },
) {
  const only = ['coverage', group];
  const current = table.query(port, { from: first, to: last, only: ['day', 'lag', ...only] });
  const { rows, ...known } = await vintages.known(WAITS_SERIES, {
    port,
    asOf,
    current: current.then((found) => found.map(fromRow)),
    from: first,
    to: last,
    only,
  });
  return {
    rows: groupDays(
      rows.map((row) => ({ ...row, day: row.key })),
      group,
    ),
    ...known,
  };
}

/** The days from `first` to `last` as they are, and every value that they have had. */
export async function waitHistory(
  table: Table,
  vintages: Pick<VintageReader, 'history'>,
  { port, begin, first, last }: { port: Locode; begin: Beginning | undefined; first: Day; last: Day },
): Promise<{ readonly current: readonly WaitDayPart[]; readonly values: KnownValues<WaitDayPart> }> {
  const current = table.query(port, { from: first, to: last }).then((rows) => rows.map(fromRow));
  const values = await vintages.history(WAITS_SERIES, { port, begin, current, from: first, to: last });
  return { current: await current, values };
}

export function createWaitDayStore(table: Table): WaitDayStore {
  return {
    async between(port, first, last) {
      const rows = await table.query(port, { from: first, to: last });
      return rows.map((row) => fromRow(row) as Kept<WaitDay>);
    },
    async ofGroup(port, first, last, group) {
      const rows = await table.query(port, { from: first, to: last, only: ['day', 'coverage', group] });
      return groupDays(rows, group);
    },
    async write(port, days, removed) {
      await table.writeMany(
        days.map(({ day, coverage, lag, ...groups }) => ({
          port,
          day,
          coverage,
          lag,
          ...toGroups(groups, toText),
        })),
        removed.map((day) => ({ port, day })),
      );
    },
  };
}
