/** DuckDB over NOAA's files: the reference for speed, and stops by window functions in SQL. */
import { DuckDBInstance, type JS } from '@duckdb/node-api';

const TYPES = {
  MMSI: 'INTEGER',
  BaseDateTime: 'TIMESTAMP',
  LAT: 'DOUBLE',
  LON: 'DOUBLE',
  SOG: 'DOUBLE',
  COG: 'DOUBLE',
  Heading: 'DOUBLE',
  VesselName: 'VARCHAR',
  IMO: 'VARCHAR',
  CallSign: 'VARCHAR',
  VesselType: 'INTEGER',
  Status: 'INTEGER',
  Length: 'DOUBLE',
  Width: 'DOUBLE',
  Draft: 'DOUBLE',
  Cargo: 'INTEGER',
  TransceiverClass: 'VARCHAR',
} as const;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** All rows of the files, with the types of their columns stated. */
export function noaaRows(paths: readonly string[]): string {
  const columns = Object.entries(TYPES).map(([name, type]) => `${quoted(name)}: ${quoted(type)}`);
  return `read_csv([${paths.map(quoted).join(', ')}], header = true, columns = {${columns.join(', ')}})`;
}

/** Reads the columns that the engine reads, and no others. */
export const scanOf = (rows: string): string =>
  `select count(*), sum(MMSI), max(BaseDateTime), sum(LAT), sum(LON), sum(SOG), sum(Heading), sum(VesselType) from ${rows}`;

/**
 * Slow runs of a vessel: no hysteresis, no outliers, one track an MMSI. `cargo` is a condition on the rows. Each has
 * its MMSI, the milliseconds of its start and end, its mean latitude and longitude, and its spread in metres.
 */
export const segmentsOf = (rows: string, cargo: string): string => `with fixes as (
    select MMSI, BaseDateTime as t, LAT, LON, SOG <= 1 as slow from ${rows} where ${cargo}
  ), marked as (
    select *, case when slow is distinct from lag(slow) over w or t - lag(t) over w > interval 4 hours
      then 1 else 0 end as turn
    from fixes window w as (partition by MMSI order by t)
  ), runs as (
    select *, sum(turn) over (partition by MMSI order by t rows unbounded preceding) as run from marked
  )
  select MMSI, epoch_ms(min(t)), epoch_ms(max(t)), avg(LAT), avg(LON),
    sqrt(var_pop(LAT) + var_pop(LON * cos(radians(LAT)))) * 111195
  from runs where slow group by MMSI, run having max(t) - min(t) >= interval 30 minutes`;

/** Writes `FILE.zst` beside each file. */
export const compressionOf = (path: string): string =>
  `copy (select * from read_csv(${quoted(path)}, header = true, all_varchar = true))
    to ${quoted(`${path}.zst`)} (format csv, header true, compression zstd)`;

export interface Duckdb {
  /** The rows of a query. */
  query(sql: string): Promise<JS[][]>;
  close(): void;
}

/** A database in memory that uses so many threads. */
export async function openDuckdb(threads: number): Promise<Duckdb> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  return {
    query: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
