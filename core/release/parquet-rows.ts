/** Reads the rows of a Parquet file of a release, one row group at a time, in the form that the writer takes. */
import { type AsyncBuffer, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { DAY_MS, dayOf, type Instant } from '../reference/time.ts';
import type { ReleaseRow } from './columns.ts';

/** Days as text and instants as numbers, as the store has them. */
const PARSERS = {
  dateFromDays: (days: number): string => dayOf(days * DAY_MS),
  timestampFromMilliseconds: (millis: bigint): Instant => Number(millis),
};

/** The rows of each row group. Throws unless the bytes are a Parquet file. */
export async function* parquetRows(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<readonly ReleaseRow[]> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const file: AsyncBuffer = { byteLength: buffer.byteLength, slice: (from, to) => buffer.slice(from, to) };
  const metadata = parquetMetadata(buffer);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    yield parquetReadObjects({ file, metadata, rowStart, rowEnd, parsers: PARSERS });
    rowStart = rowEnd;
  }
}
