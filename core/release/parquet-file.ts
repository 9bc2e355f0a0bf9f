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

/** Reads days as days since 1970, a month as its first day. Rows come by day, so the last is kept. */
function dayNumbers(): (text: string) => number {
  let last = { text: '', number: 0 };
  return (text) => {
    if (text !== last.text) last = { text, number: Date.parse(text) / DAY_MS };
    return last.number;
  };
}

/** The physical values of a column, from values as the API states them. */
function physicalOf(type: ColumnType): (value: unknown) => unknown {
  if (type === 'DATE') {
    const dayNumber = dayNumbers();
    return (value) => (typeof value === 'string' ? dayNumber(value) : value);
  }
  if (type === 'TIMESTAMP')
    return (value) =>
      value == null ? value : BigInt(typeof value === 'number' ? value : Date.parse(String(value)));
  return (value) => value;
}

export interface ParquetFile {
  /** Adds rows to the row group. `places`: columns of each row that many rows share. */
  append(rows: readonly ReleaseRow[], places?: readonly ReleaseRow[]): void;
  /** Writes the row group, unless it is empty. */
  endGroup(): void;
  /** Ends the file. Returns its number of rows. */
  close(): number;
}

/** Creates or replaces the file at `path`. Equal rows give equal bytes. Throws what the file system throws. */
export function openParquetFile(path: string, columns: Columns, createdBy: string): ParquetFile {
  const names = Object.entries(columns);
  const schema = [
    { name: 'root', num_children: names.length },
    ...names.flatMap(([name, column]) => elementsOf(name, column)),
  ];
  const file = new ParquetWriter({ writer: fileWriter(path), schema, createdBy });
  const group = names.map(([name, { type }]) => ({
    name,
    physical: physicalOf(type),
    data: [] as unknown[],
  }));
  let rowsOfGroup = 0;
  let rowsOfFile = 0;
  return {
    append(rows, places = rows) {
      for (const { name, physical, data } of group) {
        const from = places[0] !== undefined && name in places[0] ? places : rows;
        for (const row of from) data.push(physical(row[name]));
      }
      rowsOfGroup += rows.length;
    },
    endGroup() {
      if (rowsOfGroup === 0) return;
      file.write({ columnData: group.map(({ name, data }) => ({ name, data })), rowGroupSize: rowsOfGroup });
      for (const column of group) column.data = [];
      rowsOfFile += rowsOfGroup;
      rowsOfGroup = 0;
    },
    close() {
      file.finish();
      return rowsOfFile;
    },
  };
}
