/** One table: the few operations that the stores are made of, and what can go wrong with them. */
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export type Row = Record<string, unknown>;
export type Key = Readonly<Record<string, string>>;

/** The store did not do what it was asked: unreachable, too slow, throttled, or refusing. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

/** The parts of a Query beyond the partition: a span of sort keys, how many rows from which end, and what of them. */
export interface KeyRange {
  readonly from?: string;
  readonly to?: string;
  readonly newest?: number;
  /** The attributes that are wanted; all of them without it. Costs the same units, and less to send and to read. */
  readonly only?: readonly string[];
}

/** What a conditional update says beyond the table and the key; its values are plain. */
export type Change = Omit<UpdateItemCommandInput, 'TableName' | 'Key' | 'ExpressionAttributeValues'> & {
  readonly ExpressionAttributeValues?: Row;
};

type Attributes = Record<string, AttributeValue>;

const toAttributes = (row: Readonly<Row>): Attributes => marshall(row, { removeUndefinedValues: true });
const fromAttributes = (attributes: Attributes): Row => unmarshall(attributes);

/** DynamoDB's own limits on one batch request. */
const LARGEST_BATCH_WRITE = 25;
const LARGEST_BATCH_GET = 100;
const BATCH_TRIES = 8;
const BATCH_PAUSE_MS = 20;

export class Table {
  constructor(
    private readonly client: DynamoDBClient,
    readonly name: string,
    private readonly partitionKey: string,
    private readonly sortKey?: string,
  ) {}

  async get(key: Key, consistent = false): Promise<Row | undefined> {
    const { Item } = await this.run(() =>
      this.client.send(
        new GetItemCommand({ TableName: this.name, Key: toAttributes(key), ConsistentRead: consistent }),
      ),
    );
    return Item && fromAttributes(Item);
  }

  /** Rows of one partition by ascending sort key, every page of them. */
  async query(partition: string, range: KeyRange = {}, consistent = false): Promise<Row[]> {
    const { from, to, newest, only } = range;
    const between = from !== undefined && to !== undefined;
    const condition = between
      ? ' AND #s BETWEEN :from AND :to'
      : `${from === undefined ? '' : ' AND #s >= :from'}${to === undefined ? '' : ' AND #s <= :to'}`;
    const rows: Row[] = [];
    let start: Attributes | undefined;
    do {
      const page = await this.run(() =>
        this.client.send(
          new QueryCommand({
            TableName: this.name,
            KeyConditionExpression: `#p = :p${condition}`,
            ...(only && { ProjectionExpression: only.map((_, at) => `#a${at}`).join(', ') }),
            ExpressionAttributeNames: {
              ...Object.fromEntries((only ?? []).map((name, at) => [`#a${at}`, name])),
              '#p': this.partitionKey,
              ...(condition === '' ? {} : { '#s': this.sortKey ?? '' }),
            },
            ExpressionAttributeValues: toAttributes({ ':p': partition, ':from': from, ':to': to }),
            ConsistentRead: consistent,
            ScanIndexForward: newest === undefined,
            ...(newest === undefined ? {} : { Limit: newest - rows.length }),
            ...(start === undefined ? {} : { ExclusiveStartKey: start }),
          }),
        ),
      );
      rows.push(...(page.Items ?? []).map(fromAttributes));
      start = page.LastEvaluatedKey;
    } while (start !== undefined && (newest === undefined || rows.length < newest));
    return newest === undefined ? rows : rows.reverse();
  }

  /** Every row of the table, for tables that are small by their nature. */
  async scan(): Promise<Row[]> {
    const rows: Row[] = [];
    let start: Attributes | undefined;
    do {
      const page = await this.run(() =>
        this.client.send(
          new ScanCommand({
            TableName: this.name,
            ...(start === undefined ? {} : { ExclusiveStartKey: start }),
          }),
        ),
      );
      rows.push(...(page.Items ?? []).map(fromAttributes));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return rows;
  }

  async put(row: Row): Promise<void> {
    await this.run(() =>
      this.client.send(new PutItemCommand({ TableName: this.name, Item: toAttributes(row) })),
    );
  }

  async delete(key: Key): Promise<void> {
    await this.run(() =>
      this.client.send(new DeleteItemCommand({ TableName: this.name, Key: toAttributes(key) })),
    );
  }

  /** Returns the row as it is afterwards, or undefined when the condition did not hold. */
  async update(key: Key, change: Change): Promise<Row | undefined> {
    const { ExpressionAttributeValues: values, ...rest } = change;
    try {
      const { Attributes } = await this.run(() =>
        this.client.send(
          new UpdateItemCommand({
            TableName: this.name,
            Key: toAttributes(key),
            ReturnValues: 'ALL_NEW',
            ...rest,
            ...(values && { ExpressionAttributeValues: toAttributes(values) }),
          }),
        ),
      );
      return Attributes ? fromAttributes(Attributes) : {};
    } catch (error) {
      if (error instanceof StoreFailure && error.cause instanceof ConditionalCheckFailedException)
        return undefined;
      throw error;
    }
  }

  /** The rows of those keys that have one, as they stand now: only the ingest reads so, before it writes. */
  async getMany(keys: readonly Key[]): Promise<Row[]> {
    const rows: Row[] = [];
    for (let at = 0; at < keys.length; at += LARGEST_BATCH_GET) {
      let wanted: Attributes[] | undefined = keys.slice(at, at + LARGEST_BATCH_GET).map(toAttributes);
      for (let attempt = 0; wanted !== undefined && wanted.length > 0; attempt++) {
        await this.pauseBefore(attempt);
        const batch: Attributes[] = wanted;
        const reply = await this.run(() =>
          this.client.send(
            new BatchGetItemCommand({ RequestItems: { [this.name]: { Keys: batch, ConsistentRead: true } } }),
          ),
        );
        rows.push(...(reply.Responses?.[this.name] ?? []).map(fromAttributes));
        wanted = reply.UnprocessedKeys?.[this.name]?.Keys;
      }
    }
    return rows;
  }

  /** Puts and deletes in batches; not atomic: a failure in between leaves the first batches written. */
  async writeMany(puts: readonly Row[], deletes: readonly Key[] = []): Promise<void> {
    const only = puts.length + deletes.length === 1 ? (puts[0] ?? deletes[0]) : undefined;
    if (only !== undefined) return puts.length === 1 ? this.put(only) : this.delete(only as Key);
    const requests: WriteRequest[] = [
      ...puts.map((row) => ({ PutRequest: { Item: toAttributes(row) } })),
      ...deletes.map((key) => ({ DeleteRequest: { Key: toAttributes(key) } })),
    ];
    for (let at = 0; at < requests.length; at += LARGEST_BATCH_WRITE) {
      let batch: WriteRequest[] | undefined = requests.slice(at, at + LARGEST_BATCH_WRITE);
      for (let attempt = 0; batch !== undefined && batch.length > 0; attempt++) {
        await this.pauseBefore(attempt);
        const pending: WriteRequest[] = batch;
        const reply = await this.run(() =>
          this.client.send(new BatchWriteItemCommand({ RequestItems: { [this.name]: pending } })),
        );
        batch = reply.UnprocessedItems?.[this.name];
      }
    }
  }

  /** A batch may come back unprocessed in part when the table is busy: wait longer each time, then give up. */
  private async pauseBefore(attempt: number): Promise<void> {
    if (attempt === 0) return;
    if (attempt > BATCH_TRIES) throw new StoreFailure(`${this.name} left a batch unprocessed`);
    await new Promise((resolve) => setTimeout(resolve, BATCH_PAUSE_MS * 2 ** attempt));
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
