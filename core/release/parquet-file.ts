/** A Parquet file that is written row group by row group: one group is in memory at a time. */
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { DAY_MS } from '../reference/time.ts';
import type { Column, Columns, ColumnType, ReleaseRow } from './columns.ts';

type Leaf = Omit<SchemaElement, 'name' | 'repetition_type'>;

const UTC_MILLIS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;
const TEXT: Leaf = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };

const LEAVES: Readonly<Record<Exclude<ColumnType, `LIST<${string}>`>, Leaf>> = {
  BOOLEAN: { type: 'BOOLEAN' },
  DATE: { type: 'INT32', converted_type: 'DATE' },
  DOUBLE: { type: 'DOUBLE' },
  INTEGER: { type: 'INT32' },
  STRING: TEXT,
  TIMESTAMP: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type: UTC_MILLIS },
};

function elementsOf(name: string, { type, nullable }: Column): SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type !== 'LIST<DOUBLE>' && type !== 'LIST<STRING>') return [{ name, repetition_type, ...LEAVES[type] }];
  const leaf = type === 'LIST<DOUBLE>' ? LEAVES.DOUBLE : TEXT;
  return [
    { name, repetition_type, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...leaf },
  ];
}

/** Days since 1970 of a day or of the first day of a month. */
const dayNumber = (text: string): number => Date.parse(text) / DAY_MS;

/** The physical value of what the API states as text. */
function physical(value: unknown, type: ColumnType): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'DATE') return dayNumber(value);
  return type === 'TIMESTAMP' ? BigInt(Date.parse(value)) : value;
}

export interface ParquetFile {
  /** Writes one row group. */
  append(rows: readonly ReleaseRow[]): void;
  /** Ends the file. */
  close(): void;
}

/** Creates or replaces the file at `path`. Equal rows give equal bytes. Throws what the file system throws. */
export function openParquetFile(path: string, columns: Columns, createdBy: string): ParquetFile {
  const names = Object.entries(columns);
  const schema = [
    { name: 'root', num_children: names.length },
    ...names.flatMap(([name, column]) => elementsOf(name, column)),
  ];
  const file = new ParquetWriter({ writer: fileWriter(path), schema, createdBy });
  return {
    append(rows) {
      const columnData = names.map(([name, { type }]) => ({
        name,
        data: rows.map((row) => physical(row[name], type)),
      }));
      file.write({ columnData, rowGroupSize: rows.length });
    },
    close: () => void file.finish(),
  };
}
