/** Daily metrics, one row a UTC day of one port; thirty of them are read for a trend. */
import type { DailyMetrics } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import type { Day } from '../reference/time.ts';
import type { Row, Table } from './table.ts';

/** What a trend needs of a day, five of the row's thirteen attributes: the others are not transferred and decoded. */
const SERVED = ['day', 'congestionScore', 'avgWaitHours', 'vessels', 'partial'] as const;
type ServedDay = Pick<DailyMetrics, (typeof SERVED)[number]>;

export interface DailyMetricsStore {
  /** Days from `first` to `last` that have a row, oldest first. */
  between(port: Locode, first: Day, last: Day): Promise<DailyMetrics[]>;
  /** The same days, and no more of them than is served. */
  served(port: Locode, first: Day, last: Day): Promise<ServedDay[]>;
  write(port: Locode, days: readonly DailyMetrics[]): Promise<void>;
}

export function createDailyMetricsStore(table: Table): DailyMetricsStore {
  return {
    async between(port, first, last) {
      const rows = await table.query(port, { from: first, to: last });
      return rows.map(({ port: _, ...metrics }) => metrics as unknown as DailyMetrics);
    },
    async served(port, first, last) {
      return (await table.query(port, { from: first, to: last, only: SERVED })) as unknown as ServedDay[];
    },
    async write(port, days) {
      await table.writeMany(days.map((metrics): Row => ({ port, ...metrics })));
    },
  };
}
