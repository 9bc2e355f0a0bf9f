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

/** DynamoDB's own limits: bytes of a row, and of requests in one batch, in which no key may occur twice. */
const LARGEST_ROW = 400 * 1024;
const LARGEST_BATCH_WRITE = 25;
const LARGEST_BATCH_GET = 100;

const noClient = {
  send: async () => {
    throw new Error('a table in memory has no client');
  },
} as unknown as DynamoDBDocumentClient;

/** The rows of one partition, as text, so that no caller shares an object with the table. */
interface Partition {
  /** Ascending. */
  readonly sorts: string[];
  readonly rows: Map<string, string>;
}

export type SavedRows = ReadonlyMap<string, Partition>;

const copyOf = ({ sorts, rows }: Partition): Partition => ({ sorts: [...sorts], rows: new Map(rows) });

/** Where `sort` is, or would be. */
function placeOf(sorts: readonly string[], sort: string): number {
  let [low, high] = [0, sorts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorts[middle] ?? '') < sort) low = middle + 1;
    else high = middle;
  }
  return low;
}

function plainText(row: Row): string {
  const text = JSON.stringify(row, (_name, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new StoreFailure(`${value} is not a number`);
    return value;
  });
  if (text.length > LARGEST_ROW) throw new StoreFailure(`a row of ${text.length} bytes is too large`);
  return text;
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

export class MemoryTable extends Table {
  readonly #partitionKey: string;
  readonly #sortKey: string | undefined;
  readonly #partitions = new Map<string, Partition>();
  /** Length of the longest row ever written. */
  largestRow = 0;

  constructor(id: TableId) {
    const { partitionKey, sortKey }: TableDefinition = TABLES[id];
    super(noClient, id, partitionKey, sortKey);
    this.#partitionKey = partitionKey;
    this.#sortKey = sortKey;
  }

  /** The rows as they are now, to go back to. */
  save(): SavedRows {
    return new Map(Array.from(this.#partitions, ([name, rows]) => [name, copyOf(rows)]));
  }

  restore(saved: SavedRows): void {
    this.#partitions.clear();
    for (const [name, rows] of saved) this.#partitions.set(name, copyOf(rows));
  }

  /** Partition and sort key; throws where a key of the table is missing, empty or no text. */
  #placeOf(key: Readonly<Row>): [string, string] {
    const text = (name: string): string => {
      const value = key[name];
      if (typeof value !== 'string' || value === '') throw new StoreFailure(`${this.name} lacks ${name}`);
      return value;
    };
    return [text(this.#partitionKey), this.#sortKey === undefined ? '' : text(this.#sortKey)];
  }

  #textAt(key: Readonly<Row>): string | undefined {
    const [partition, sort] = this.#placeOf(key);
    return this.#partitions.get(partition)?.rows.get(sort);
  }

  #set(row: Row): void {
    const [name, sort] = this.#placeOf(row);
    const text = plainText(row);
    this.largestRow = Math.max(this.largestRow, text.length);
    let partition = this.#partitions.get(name);
    if (partition === undefined) {
      partition = { sorts: [], rows: new Map() };
      this.#partitions.set(name, partition);
    }
    if (!partition.rows.has(sort)) partition.sorts.splice(placeOf(partition.sorts, sort), 0, sort);
    partition.rows.set(sort, text);
  }

  #drop(key: Readonly<Row>): void {
    const [name, sort] = this.#placeOf(key);
    const partition = this.#partitions.get(name);
    if (partition?.rows.delete(sort)) partition.sorts.splice(placeOf(partition.sorts, sort), 1);
  }

  override async get(key: Key): Promise<Row | undefined> {
    const text = this.#textAt(key);
    return text === undefined ? undefined : (JSON.parse(text) as Row);
  }

  override async query(name: string, { from, to, newest, only }: KeyRange = {}): Promise<Row[]> {
    if (from !== undefined && to !== undefined && from > to)
      throw new StoreFailure(`${this.name} got a span that ends before it begins`);
    const { sorts, rows } = this.#partitions.get(name) ?? { sorts: [], rows: new Map<string, string>() };
    const first = from === undefined ? 0 : placeOf(sorts, from);
    const end = to === undefined ? sorts.length : placeOf(sorts, `${to}\u0000`);
    const begin = newest === undefined ? first : Math.max(first, end - newest);
    return sorts.slice(begin, end).map((sort) => {
      const row = JSON.parse(rows.get(sort) ?? '') as Row;
      if (only === undefined) return row;
      return Object.fromEntries(only.flatMap((name) => (name in row ? [[name, row[name]]] : [])));
    });
  }

  override async scan(): Promise<Row[]> {
    return [...this.texts()].map((text) => JSON.parse(text) as Row);
  }

  /** Every row as text, in the order of the keys. */
  *texts(): Generator<string> {
    for (const name of [...this.#partitions.keys()].sort()) {
      const { sorts, rows } = this.#partitions.get(name) ?? { sorts: [], rows: new Map<string, string>() };
      for (const sort of sorts) yield rows.get(sort) ?? '';
    }
  }

  override async put(row: Row): Promise<void> {
    this.#set(row);
  }

  override async delete(key: Key): Promise<void> {
    this.#drop(key);
  }

  override async update(key: Key, change: Change): Promise<Row | undefined> {
    // Condition and change are atomic, as in DynamoDB.
    const text = this.#textAt(key);
    const stored = text === undefined ? {} : (JSON.parse(text) as Row);
    if (!holdsFor(stored, change)) return undefined;
    const { row, changed } = changedRow({ ...key, ...stored }, change);
    this.#set(row);
    return JSON.parse(JSON.stringify(change.ReturnValues === 'UPDATED_NEW' ? changed : row)) as Row;
  }

  override async getMany(keys: readonly Key[]): Promise<Row[]> {
    const texts = chunksOf(keys, LARGEST_BATCH_GET).flatMap((chunk) => {
      this.#refuseTwice(chunk);
      return chunk.map((key) => this.#textAt(key));
    });
    return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as Row]));
  }

  override async writeMany(puts: readonly Row[], deletes: readonly Key[] = []): Promise<void> {
    const requests = [
      ...puts.map((row) => ({ row, put: true })),
      ...deletes.map((row) => ({ row, put: false })),
    ];
    for (const chunk of chunksOf(requests, LARGEST_BATCH_WRITE)) {
      this.#refuseTwice(chunk.map(({ row }) => row));
      for (const { row, put } of chunk) put ? this.#set({ ...row }) : this.#drop(row);
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
