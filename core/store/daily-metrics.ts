/** Daily metrics, one row a UTC day of one port; thirty of them are read for a trend. */
import type { DailyMetrics } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import type { Day } from '../reference/time.ts';
import type { Kept, SeriesKind } from './knowledge.ts';
import type { Row, Table } from './table.ts';
import type { Beginning, KnownValues, VintageReader } from './vintages.ts';

/** What a trend needs of a day, five of the row's thirteen attributes: the others are not transferred and decoded. */
const SERVED = ['day', 'congestionScore', 'avgWaitHours', 'vessels', 'partial'] as const;
export type ServedDay = Pick<DailyMetrics, (typeof SERVED)[number]>;

/** The day of a vintage. */
function servedDay({ key, v }: Row): ServedDay {
  const [score, hours, vessels = 0, partial] = JSON.parse(String(v)) as (number | null)[];
  return {
    day: String(key),
    ...(score == null ? {} : { congestionScore: score }),
    ...(hours == null ? {} : { avgWaitHours: hours }),
    vessels: Number(vessels),
    ...(partial === 1 ? { partial: true as const } : {}),
  };
}

/** The vintages of a day: its served figures as one short JSON text, because thirty of them are read for a trend. */
export const TREND_SERIES: SeriesKind<ServedDay> = {
  name: 'trend',
  keyOf: ({ day }) => day,
  dayOf: ({ day }) => day,
  usualLag: 1,
  servedOf: ({ congestionScore = null, avgWaitHours = null, vessels, partial }) => ({
    v: JSON.stringify([congestionScore, avgWaitHours, vessels, ...(partial ? [1] : [])]),
  }),
  valueOf: servedDay,
};

export interface DailyMetricsStore {
  /** Days from `first` to `last` that have a row, oldest first. */
  between(port: Locode, first: Day, last: Day): Promise<Kept<DailyMetrics>[]>;
  /** The same days, and no more of them than is served. */
  served(port: Locode, first: Day, last: Day): Promise<ServedDay[]>;
  write(port: Locode, days: readonly Kept<DailyMetrics>[]): Promise<void>;
  delete(port: Locode, days: readonly Day[]): Promise<void>;
}

export function createDailyMetricsStore(table: Table): DailyMetricsStore {
  return {
    async between(port, first, last) {
      const rows = await table.query(port, { from: first, to: last });
      return rows.map(({ port: _, ...metrics }) => metrics as unknown as Kept<DailyMetrics>);
    },
    async served(port, first, last) {
      return (await table.query(port, { from: first, to: last, only: SERVED })) as unknown as ServedDay[];
    },
    async write(port, days) {
      await table.writeMany(days.map((metrics): Row => ({ port, ...metrics })));
    },
    async delete(port, days) {
      await table.writeMany(
        [],
        days.map((day) => ({ port, day })),
      );
    },
  };
}

/** The days from `first` to `last` as they were known at the end of `asOf`, oldest first. */
export async function servedAsOf(
  table: Table,
  vintages: Pick<VintageReader, 'known'>,
  { port, first, last, asOf }: { port: Locode; first: Day; last: Day; asOf: Day },
) {
  const current = table.query(port, { from: first, to: last, only: [...SERVED, 'lag'] });
  const { rows, ...known } = await vintages.known(TREND_SERIES, {
    port,
    asOf,
    current: current as Promise<unknown[]> as Promise<Kept<ServedDay>[]>,
    from: first,
    to: last,
  });
  return { rows: rows.map(TREND_SERIES.valueOf), ...known };
}

/** The days from `first` to `last` as they are, and every value that they have had. */
export async function servedHistory(
  table: Table,
  vintages: Pick<VintageReader, 'history'>,
  { port, begin, first, last }: { port: Locode; begin: Beginning | undefined; first: Day; last: Day },
): Promise<{ readonly current: readonly ServedDay[]; readonly values: KnownValues<ServedDay> }> {
  const reply = table.query(port, { from: first, to: last, only: [...SERVED, 'lag'] });
  const current = reply as Promise<unknown[]> as Promise<Kept<ServedDay>[]>;
  const values = await vintages.history(TREND_SERIES, { port, begin, current, from: first, to: last });
  return { current: await current, values };
}
