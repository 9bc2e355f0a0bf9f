/** A table in this process, for tests that need more calls than an embedded store can handle in time. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type Change,
  type Key,
  type KeyRange,
  type Row,
  StoreFailure,
  Table,
} from '../../core/store/table.ts';
import { TABLES, type TableDefinition, type TableId } from '../../core/store/tables.ts';
import { changedRow, holdsFor } from './update-expression.ts';

/** DynamoDB's own limits of one batch, in which no key may occur twice. */
const MAX_BATCH_WRITES = 25;
const MAX_BATCH_GETS = 100;

const noClient = {
  send: async () => {
    throw new Error('a table in memory has no client');
  },
} as unknown as DynamoDBDocumentClient;

/** Rows by partition and sort key, as text, so that no caller shares an object with the table. */
type Rows = ReadonlyMap<string, ReadonlyMap<string, string>>;

function plainText(row: Row): string {
  const text = JSON.stringify(row, (_name, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new StoreFailure(`${value} is not a number`);
    return value;
  });
  return text;
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
const sortedByKey = <T>(rows: ReadonlyMap<string, T>): [string, T][] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

export class MemoryTable extends Table {
  readonly #keys: readonly string[];
  #partitions = new Map<string, Map<string, string>>();

  constructor(id: TableId) {
    const { partitionKey, sortKey }: TableDefinition = TABLES[id];
    super(noClient, id, partitionKey, sortKey);
    this.#keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  }

  /** The rows as they are now, to go back to. */
  save(): Rows {
    return new Map(Array.from(this.#partitions, ([name, rows]) => [name, new Map(rows)]));
  }

  restore(saved: Rows): void {
    this.#partitions = new Map(Array.from(saved, ([name, rows]) => [name, new Map(rows)]));
  }

  /** Partition and sort key; throws where a key of the table is missing, empty or no text. */
  #placeOf(key: Readonly<Row>): [string, string] {
    const [partition = '', sort = ''] = this.#keys.map((name) => {
      const value = key[name];
      if (typeof value !== 'string' || value === '') throw new StoreFailure(`${this.name} lacks ${name}`);
      return value;
    });
    return [partition, sort];
  }

  #textAt(key: Readonly<Row>): string | undefined {
    const [partition, sort] = this.#placeOf(key);
    return this.#partitions.get(partition)?.get(sort);
  }

  override async get(key: Key): Promise<Row | undefined> {
    const text = this.#textAt(key);
    return text === undefined ? undefined : (JSON.parse(text) as Row);
  }

  override async query(name: string, { from, to, newest, only }: KeyRange = {}): Promise<Row[]> {
    if (from !== undefined && to !== undefined && from > to)
      throw new StoreFailure(`${this.name} got a span that ends before it begins`);
    const found = [...(this.#partitions.get(name) ?? [])].filter(
      ([sort]) => (from === undefined || sort >= from) && (to === undefined || sort <= to),
    );
    return sortedByKey(new Map(found))
      .slice(newest === undefined ? 0 : -newest)
      .map(([, text]) => {
        const row = JSON.parse(text) as Row;
        if (only === undefined) return row;
        return Object.fromEntries(only.flatMap((name) => (name in row ? [[name, row[name]]] : [])));
      });
  }

  override async scan(_consistent?: boolean): Promise<Row[]> {
    return [...this.texts()].map((text) => JSON.parse(text) as Row);
  }

  /** Every row as text, in the order of the keys. */
  *texts(): Generator<string> {
    for (const [, rows] of sortedByKey(this.#partitions))
      for (const [, text] of sortedByKey(rows)) yield text;
  }

  override async put(row: Row): Promise<void> {
    const [partition, sort] = this.#placeOf(row);
    const rows = this.#partitions.get(partition) ?? new Map<string, string>();
    const fault = this.faultOf(row);
    if (fault !== undefined) throw new StoreFailure(fault);
    this.#partitions.set(partition, rows.set(sort, plainText(row)));
  }

  override async delete(key: Key): Promise<void> {
    const [partition, sort] = this.#placeOf(key);
    this.#partitions.get(partition)?.delete(sort);
  }

  override async update(key: Key, change: Change): Promise<Row | undefined> {
    // Condition and change are atomic, as in DynamoDB: nothing is awaited between them.
    const text = this.#textAt(key);
    const stored = text === undefined ? {} : (JSON.parse(text) as Row);
    if (!holdsFor(stored, change)) return undefined;
    const { row, changed } = changedRow({ ...key, ...stored }, change);
    await this.put(row);
    return JSON.parse(JSON.stringify(change.ReturnValues === 'UPDATED_NEW' ? changed : row)) as Row;
  }

  override async getMany(keys: readonly Key[]): Promise<Row[]> {
    for (const chunk of chunksOf(keys, MAX_BATCH_GETS)) this.#refuseTwice(chunk);
    const rows = await Promise.all(keys.map((key) => this.get(key)));
    return rows.filter((row) => row !== undefined);
  }

  override async writeMany(puts: readonly Row[], deletes: readonly Key[] = []): Promise<void> {
    const writes = [
      ...puts.map((row) => ({ row, write: () => this.put(row) })),
      ...deletes.map((row) => ({ row, write: () => this.delete(row) })),
    ];
    for (const chunk of chunksOf(writes, MAX_BATCH_WRITES)) {
      this.#refuseTwice(chunk.map(({ row }) => row));
      for (const { write } of chunk) await write();
    }
  }

  #refuseTwice(rows: readonly Readonly<Row>[]): void {
    const places = new Set(rows.map((row) => this.#placeOf(row).join('\n')));
    if (places.size < rows.length) throw new StoreFailure(`${this.name} was sent a batch with a key twice`);
  }
}

/** Empty tables in memory, by id. */
export const memoryTables = <I extends TableId>(ids: readonly I[]): Record<I, MemoryTable> =>
  Object.fromEntries(ids.map((id) => [id, new MemoryTable(id)])) as Record<I, MemoryTable>;
