/** One DynamoDB table: the operations that the stores are made of, and how they fail. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';

export type Row = Record<string, unknown>;
export type Key = Readonly<Record<string, string>>;

/** DynamoDB's limits, in bytes. A row is measured as JSON, which is at least as long as what DynamoDB counts. */
const MAX_ROW_BYTES = 400 * 1024;
const MAX_PARTITION_KEY_BYTES = 2_048;
const MAX_SORT_KEY_BYTES = 1_024;

/** A schema of the attributes of a row; those that it does not name are left out. */
export type RowSchema<T> = z.ZodMiniType<T> & { readonly shape: Readonly<Record<string, unknown>> };

/** The store failed: it is unreachable, too slow, throttling or refusing. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

/** A row as a value; throws where an attribute is missing or of another form. */
export function parseRow<T>(table: Pick<Table, 'name'>, schema: z.ZodMiniType<T>, row: Row): T {
  const { success, data, error } = schema.safeParse(row);
  if (success) return data;
  const attributes = error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new Error(`${table.name} has a row that cannot be read: ${attributes}`, { cause: error });
}

/** Which rows of a partition a query returns: a range of sort keys, how many from which end, and which attributes. */
export interface KeyRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** At most this many rows, those with the highest sort keys. */
  readonly newest?: number | undefined;
  /** The attributes to return; all of them when absent. Costs the same units, and less to transfer and decode. */
  readonly only?: readonly string[] | undefined;
}

/** A conditional update apart from the table and the key. */
export type Change = Omit<UpdateCommandInput, 'TableName' | 'Key'>;

/** DynamoDB's own limits on one batch request. */
const MAX_BATCH_WRITE = 25;
const MAX_BATCH_GET = 100;
const BATCH_TRIES = 8;
const BATCH_PAUSE_MS = 20;

type WriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

export class Table {
  constructor(
    private readonly client: DynamoDBDocumentClient,
    readonly name: string,
    readonly partitionKey: string,
    readonly sortKey?: string,
  ) {}

  /** Why DynamoDB would not take the row; undefined when it would. */
  faultOf(row: Row): string | undefined {
    const bytes = (value: unknown): number => Buffer.byteLength(String(value ?? ''));
    const size = Buffer.byteLength(JSON.stringify(row));
    if (size > MAX_ROW_BYTES) return `${this.name} would get a row of ${size} bytes`;
    const [partition, sort] = [bytes(row[this.partitionKey]), bytes(this.sortKey && row[this.sortKey])];
    if (partition > MAX_PARTITION_KEY_BYTES) return `${this.name} would get a key of ${partition} bytes`;
    return sort > MAX_SORT_KEY_BYTES ? `${this.name} would get a sort key of ${sort} bytes` : undefined;
  }

  async get(key: Key, consistent = false): Promise<Row | undefined> {
    const command = new GetCommand({ TableName: this.name, Key: key, ConsistentRead: consistent });
    return (await this.run(() => this.client.send(command))).Item;
  }

  /** Rows of one partition by ascending sort key, from all pages. */
  async query(partition: string, range: KeyRange = {}, consistent = false): Promise<Row[]> {
    const { newest } = range;
    const input = this.queryInput(partition, range, consistent);
    const rows = await this.collect(paginateQuery({ client: this.client }, input), newest);
    return newest === undefined ? rows : rows.slice(0, newest).reverse();
  }

  /** Every row of the table, for tables that are always small. */
  scan(consistent = false): Promise<Row[]> {
    const input = { TableName: this.name, ConsistentRead: consistent };
    return this.collect(paginateScan({ client: this.client }, input));
  }

  async put(row: Row): Promise<void> {
    await this.run(() => this.client.send(new PutCommand({ TableName: this.name, Item: row })));
  }

  async delete(key: Key): Promise<void> {
    await this.run(() => this.client.send(new DeleteCommand({ TableName: this.name, Key: key })));
  }

  /** Returns the row as updated, or undefined when the condition fails. */
  async update(key: Key, change: Change): Promise<Row | undefined> {
    const command = new UpdateCommand({
      TableName: this.name,
      Key: key,
      ReturnValues: 'ALL_NEW',
      ...change,
    });
    try {
      return (await this.run(() => this.client.send(command))).Attributes ?? {};
    } catch (error) {
      if (error instanceof StoreFailure && error.cause instanceof ConditionalCheckFailedException)
        return undefined;
      throw error;
    }
  }

  /** The rows of the keys that have one, by consistent reads: the ingest reads them before it writes. */
  async getMany(keys: readonly Key[]): Promise<Row[]> {
    const rows: Row[] = [];
    for (const batch of batches(keys, MAX_BATCH_GET)) {
      await this.untilProcessed(batch, async (pending) => {
        const RequestItems = { [this.name]: { Keys: pending, ConsistentRead: true } };
        const reply = await this.run(() => this.client.send(new BatchGetCommand({ RequestItems })));
        rows.push(...(reply.Responses?.[this.name] ?? []));
        return reply.UnprocessedKeys?.[this.name]?.Keys;
      });
    }
    return rows;
  }

  /** Puts and deletes in batches. Not atomic: a failure in between leaves the first batches written. */
  async writeMany(puts: readonly Row[], deletes: readonly Key[] = []): Promise<void> {
    const only = puts.length + deletes.length === 1 ? (puts[0] ?? deletes[0]) : undefined;
    if (only !== undefined) return puts.length === 1 ? this.put(only) : this.delete(only as Key);
    const requests: WriteRequests = [
      ...puts.map((Item) => ({ PutRequest: { Item } })),
      ...deletes.map((key) => ({ DeleteRequest: { Key: key } })),
    ];
    for (const batch of batches(requests, MAX_BATCH_WRITE)) {
      await this.untilProcessed(batch, async (pending) => {
        const RequestItems = { [this.name]: pending };
        const reply = await this.run(() => this.client.send(new BatchWriteCommand({ RequestItems })));
        return reply.UnprocessedItems?.[this.name];
      });
    }
  }

  private queryInput(partition: string, range: KeyRange, consistent: boolean): QueryCommandInput {
    const { from, to, newest, only } = range;
    const sortKeyCondition =
      from !== undefined && to !== undefined
        ? ' AND #s BETWEEN :from AND :to'
        : `${from === undefined ? '' : ' AND #s >= :from'}${to === undefined ? '' : ' AND #s <= :to'}`;
    return {
      TableName: this.name,
      KeyConditionExpression: `#p = :p${sortKeyCondition}`,
      ProjectionExpression: only?.map((_, at) => `#a${at}`).join(', '),
      ExpressionAttributeNames: {
        ...Object.fromEntries((only ?? []).map((name, at) => [`#a${at}`, name])),
        '#p': this.partitionKey,
        ...(sortKeyCondition !== '' && { '#s': this.sortKey ?? '' }),
      },
      ExpressionAttributeValues: { ':p': partition, ':from': from, ':to': to },
      ConsistentRead: consistent,
      ScanIndexForward: newest === undefined,
      Limit: newest,
    };
  }

  /** Returns the rows of all pages, or of the first pages until the rows are `enough`. */
  private collect(
    pages: AsyncIterable<{ Items?: Row[] | undefined }>,
    enough = Number.POSITIVE_INFINITY,
  ): Promise<Row[]> {
    return this.run(async () => {
      const rows: Row[] = [];
      for await (const { Items = [] } of pages) {
        rows.push(...Items);
        if (rows.length >= enough) break;
      }
      return rows;
    });
  }

  /** Sends a batch again, after a longer pause each time, while a busy table leaves part of it undone. */
  private async untilProcessed<T>(
    batch: T[],
    send: (pending: T[]) => Promise<T[] | undefined>,
  ): Promise<void> {
    let pending: T[] | undefined = batch;
    for (let attempt = 0; pending !== undefined && pending.length > 0; attempt++) {
      if (attempt > BATCH_TRIES) throw new StoreFailure(`${this.name} left a batch unprocessed`);
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, BATCH_PAUSE_MS * 2 ** attempt));
      pending = await send(pending);
    }
  }

  private async run<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw new StoreFailure(`${this.name} failed: ${error instanceof Error ? error.name : 'unknown'}`, {
        cause: error,
      });
    }
  }
}

export function* batches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
