/** Makes the tables and the archive of a stage equal to others, by page, so that no table has to fit into memory. */
import { isDeepStrictEqual } from 'node:util';
import { CopyObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { inTurns } from '../reference/turns.ts';
import { batches, type Key, type Row, Table } from './table.ts';
import { INGEST_TABLES, type IngestTableId, TABLES, type TableDefinition } from './tables.ts';

/** What says how far the figures go is written after them, and what is listed last. */
const WRITTEN_LAST: readonly IngestTableId[] = ['portClocks', 'sourceStatus', 'ports'];

/** The tables of a restore, in the order in which they are written. Keys come from the gateway, and limits fill themselves. */
export const RESTORED_TABLES: readonly IngestTableId[] = [
  ...INGEST_TABLES.filter((id) => !WRITTEN_LAST.includes(id)),
  ...WRITTEN_LAST,
];

/** What the ingest writes again from the archive, and what tells it where it stands; the other tables follow from these. */
export const REBUILT_TABLES: readonly IngestTableId[] = [
  'portCalls',
  'stayDays',
  'importValues',
  'portClocks',
  'sourceStatus',
];

/** Batches in flight: a table that was just made takes four thousand writes a second. */
const AT_ONCE = 16;
const BATCH = 25;
/** Copies in flight; a client of the SDK has fifty connections. */
const COPIES_AT_ONCE = 48;

/** Calls `work` with `items` in parts of `size`, several at a time. */
const inParts = <T>(
  items: readonly T[],
  size: number,
  work: (part: readonly T[]) => Promise<void>,
): Promise<void> => inTurns([...batches(items, size)], AT_ONCE, work);

/** Rows of one table of `TABLES`, under the names that it has in two stages. */
export class TableRestore {
  readonly #client: DynamoDBDocumentClient;
  readonly #to: Table;
  readonly #keyNames: readonly string[];

  constructor(client: DynamoDBDocumentClient, id: IngestTableId, to: string) {
    const { partitionKey, sortKey }: TableDefinition = TABLES[id];
    this.#client = client;
    this.#to = new Table(client, to, partitionKey, sortKey);
    this.#keyNames = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
  }

  /** Writes what `from` has otherwise, then deletes what it lacks. In a dry run it only counts. */
  async run(from: string, dryRun: boolean) {
    const [partitionKey = '', sortKey] = this.#keyNames;
    const source = new Table(this.#client, from, partitionKey, sortKey);
    let [written, deleted, unchanged] = [0, 0, 0];
    for await (const page of this.#pages(from)) {
      const present = await this.#byKey(this.#to, page);
      const puts = page.filter((row) => !isDeepStrictEqual(row, present.get(this.#text(row))));
      if (!dryRun) await inParts(puts, BATCH, (part) => this.#to.writeMany(part));
      written += puts.length;
      unchanged += page.length - puts.length;
    }
    for await (const page of this.#pages(this.#to.name)) {
      const wanted = await this.#byKey(source, page);
      const surplus = page.filter((row) => !wanted.has(this.#text(row))).map((row) => this.#key(row));
      if (!dryRun) await inParts(surplus, BATCH, (part) => this.#to.writeMany([], part));
      deleted += surplus.length;
    }
    return { written, deleted, unchanged };
  }

  /** Deletes every row, after `seen` was called with it; returns how many there were. */
  async empty(dryRun: boolean, seen: (rows: readonly Row[]) => void): Promise<number> {
    let deleted = 0;
    for await (const page of this.#pages(this.#to.name)) {
      seen(page);
      const keys = page.map((row) => this.#key(row));
      if (!dryRun) await inParts(keys, BATCH, (part) => this.#to.writeMany([], part));
      deleted += keys.length;
    }
    return deleted;
  }

  async *#pages(name: string): AsyncGenerator<readonly Row[]> {
    const pages = paginateScan({ client: this.#client }, { TableName: name, ConsistentRead: true });
    for await (const { Items = [] } of pages) yield Items;
  }

  async #byKey(table: Table, rows: readonly Row[]): Promise<ReadonlyMap<string, Row>> {
    const found: Row[] = [];
    const keys = rows.map((row) => this.#key(row));
    await inParts(keys, 100, async (part) => {
      found.push(...(await table.getMany(part)));
    });
    return new Map(found.map((row) => [this.#text(row), row]));
  }

  #key(row: Row): Key {
    return Object.fromEntries(this.#keyNames.map((name) => [name, String(row[name])]));
  }

  #text(row: Row): string {
    return JSON.stringify(this.#keyNames.map((name) => row[name]));
  }
}

/** Size and tag of each object of a bucket, by key. */
async function objectsOf(client: S3Client, bucket: string): Promise<ReadonlyMap<string, string>> {
  const objects = new Map<string, string>();
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket }))
    for (const { Key = '', Size, ETag } of Contents) objects.set(Key, `${Size} ${ETag}`);
  return objects;
}

/** Copies the objects that `to` lacks or has otherwise, within S3. Returns how many; in a dry run it only counts. */
export async function restoreArchive(
  client: S3Client,
  from: string,
  to: string,
  dryRun: boolean,
): Promise<number> {
  const [wanted, present] = await Promise.all([objectsOf(client, from), objectsOf(client, to)]);
  const missing = [...wanted].filter(([key, object]) => present.get(key) !== object).map(([key]) => key);
  if (dryRun) return missing.length;
  const copy = async (key: string): Promise<void> => {
    const CopySource = `${from}/${key.split('/').map(encodeURIComponent).join('/')}`;
    await client.send(new CopyObjectCommand({ Bucket: to, Key: key, CopySource }));
  };
  await inTurns(missing, COPIES_AT_ONCE, copy);
  return missing.length;
}
