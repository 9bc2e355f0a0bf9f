/** One DynamoDB table: the operations that the stores are made of, and how they fail. */
import { type Attributes, attributesOf, type Row, rowOf } from './attribute-values.ts';
import { type Operation, type StoreClient, StoreError } from './store-client.ts';

export type { Row };
export type Key = Readonly<Record<string, string>>;

/** The store failed: it is unreachable, too slow, throttling or refusing. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
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
export interface Change {
  readonly UpdateExpression: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  /** Plain values. */
  readonly ExpressionAttributeValues?: Readonly<Row>;
  readonly ReturnValues?: 'ALL_NEW' | 'UPDATED_NEW';
}

/** DynamoDB's own limits on one batch request. */
const LARGEST_BATCH_WRITE = 25;
const LARGEST_BATCH_GET = 100;
const BATCH_TRIES = 8;
const BATCH_PAUSE_MS = 20;

/** One entry of a batch of writes. */
type BatchWrite =
  | { readonly PutRequest: { readonly Item: Attributes } }
  | { readonly DeleteRequest: { readonly Key: Attributes } };

interface Page {
  readonly Items?: readonly Attributes[];
  readonly LastEvaluatedKey?: Attributes;
}

export class Table {
  constructor(
    private readonly client: StoreClient,
    readonly name: string,
    private readonly partitionKey: string,
    private readonly sortKey?: string,
  ) {}

  async get(key: Key, consistent = false): Promise<Row | undefined> {
    const { Item } = await this.run<{ readonly Item?: Attributes }>('GetItem', {
      TableName: this.name,
      Key: this.attributes(key),
      ConsistentRead: consistent,
    });
    return Item && rowOf(Item);
  }

  /** Rows of one partition by ascending sort key, from as many pages as it takes. */
  async query(partition: string, range: KeyRange = {}, consistent = false): Promise<Row[]> {
    const { newest } = range;
    const rows = await this.pages('Query', this.queryInput(partition, range, consistent), newest);
    return newest === undefined ? rows : rows.slice(0, newest).reverse();
  }

  /** Every row of the table, for tables that are always small. */
  scan(): Promise<Row[]> {
    return this.pages('Scan', { TableName: this.name });
  }

  async put(row: Row): Promise<void> {
    await this.run('PutItem', { TableName: this.name, Item: this.attributes(row) });
  }

  async delete(key: Key): Promise<void> {
    await this.run('DeleteItem', { TableName: this.name, Key: this.attributes(key) });
  }

  /** Returns the row as updated, or undefined when the condition fails. */
  async update(key: Key, change: Change): Promise<Row | undefined> {
    const { ExpressionAttributeValues: values } = change;
    try {
      const { Attributes: updated } = await this.run<{ readonly Attributes?: Attributes }>('UpdateItem', {
        TableName: this.name,
        Key: this.attributes(key),
        ReturnValues: 'ALL_NEW',
        ...change,
        ...(values && { ExpressionAttributeValues: this.attributes(values) }),
      });
      return rowOf(updated ?? {});
    } catch (error) {
      if (!(error instanceof StoreFailure && error.cause instanceof StoreError)) throw error;
      if (error.cause.name === 'ConditionalCheckFailedException') return undefined;
      throw error;
    }
  }

  /** The rows of the keys that have one, by consistent reads: the ingest reads them before it writes. */
  async getMany(keys: readonly Key[]): Promise<Row[]> {
    const rows: Row[] = [];
    for (const batch of batchesOf(
      keys.map((key) => this.attributes(key)),
      LARGEST_BATCH_GET,
    )) {
      await this.untilProcessed(batch, async (pending) => {
        const reply = await this.run<{
          readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
          readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>;
        }>('BatchGetItem', { RequestItems: { [this.name]: { Keys: pending, ConsistentRead: true } } });
        rows.push(...(reply.Responses?.[this.name] ?? []).map(rowOf));
        return reply.UnprocessedKeys?.[this.name]?.Keys;
      });
    }
    return rows;
  }

  /** Puts and deletes in batches. Not atomic: a failure in between leaves the first batches written. */
  async writeMany(puts: readonly Row[], deletes: readonly Key[] = []): Promise<void> {
    const only = puts.length + deletes.length === 1 ? (puts[0] ?? deletes[0]) : undefined;
    if (only !== undefined) return puts.length === 1 ? this.put(only) : this.delete(only as Key);
    const requests: BatchWrite[] = [
      ...puts.map((row) => ({ PutRequest: { Item: this.attributes(row) } })),
      ...deletes.map((key) => ({ DeleteRequest: { Key: this.attributes(key) } })),
    ];
    for (const batch of batchesOf(requests, LARGEST_BATCH_WRITE)) {
      await this.untilProcessed(batch, async (pending) => {
        const reply = await this.run<{
          readonly UnprocessedItems?: Readonly<Record<string, readonly BatchWrite[]>>;
        }>('BatchWriteItem', { RequestItems: { [this.name]: pending } });
        return reply.UnprocessedItems?.[this.name];
      });
    }
  }

  private queryInput(partition: string, range: KeyRange, consistent: boolean): object {
    const { from, to, newest, only } = range;
    const ofSortKey =
      from !== undefined && to !== undefined
        ? ' AND #s BETWEEN :from AND :to'
        : `${from === undefined ? '' : ' AND #s >= :from'}${to === undefined ? '' : ' AND #s <= :to'}`;
    return {
      TableName: this.name,
      KeyConditionExpression: `#p = :p${ofSortKey}`,
      ProjectionExpression: only?.map((_, at) => `#a${at}`).join(', '),
      ExpressionAttributeNames: {
        ...Object.fromEntries((only ?? []).map((name, at) => [`#a${at}`, name])),
        '#p': this.partitionKey,
        ...(ofSortKey !== '' && { '#s': this.sortKey ?? '' }),
      },
      ExpressionAttributeValues: this.attributes({ ':p': partition, ':from': from, ':to': to }),
      ConsistentRead: consistent,
      ScanIndexForward: newest === undefined,
      Limit: newest,
    };
  }

  /** Rows of page after page, until there is none left or there are enough. */
  private async pages(
    operation: 'Query' | 'Scan',
    input: object,
    enough = Number.POSITIVE_INFINITY,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let start: Attributes | undefined;
    do {
      const page: Page = await this.run(operation, { ...input, ExclusiveStartKey: start });
      for (const item of page.Items ?? []) rows.push(rowOf(item));
      start = page.LastEvaluatedKey;
    } while (start !== undefined && rows.length < enough);
    return rows;
  }

  /** Sends a batch again, after a longer pause each time, for as long as a busy table leaves a part of it undone. */
  private async untilProcessed<T>(
    batch: readonly T[],
    send: (pending: readonly T[]) => Promise<readonly T[] | undefined>,
  ): Promise<void> {
    let pending: readonly T[] | undefined = batch;
    for (let attempt = 0; pending !== undefined && pending.length > 0; attempt++) {
      if (attempt > BATCH_TRIES) throw new StoreFailure(`${this.name} left a batch unprocessed`);
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, BATCH_PAUSE_MS * 2 ** attempt));
      pending = await send(pending);
    }
  }

  private async run<T>(operation: Operation, input: object): Promise<T> {
    try {
      return await this.client.call<T>(operation, input);
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** A row or a key as DynamoDB takes it. */
  private attributes(row: Readonly<Row>): Attributes {
    try {
      return attributesOf(row);
    } catch (error) {
      throw this.failure(error);
    }
  }

  private failure(cause: unknown): StoreFailure {
    return new StoreFailure(`${this.name} failed: ${cause instanceof Error ? cause.name : 'unknown'}`, {
      cause,
    });
  }
}

function* batchesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
