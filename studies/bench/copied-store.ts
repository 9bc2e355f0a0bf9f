/**
 * A store for the bench of many ports: every generated port begins with the rows of the first under its own code, so
 * that ten thousand ports have a past in the memory of one. Counts requests and capacity units as DynamoDB does.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The n-th generated port; no country has this code. */
export const generatedPort = (n: number): string =>
  `XZ${(46_656 - 12_960 + n).toString(36).slice(-3).toUpperCase()}`;
const FIRST = generatedPort(0);
const GENERATED = /XZ[A-Z0-9]{3}/;

type Value = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Value>>;
/** A command as the class `Table` sends it. */
interface Request {
  readonly TableName: string;
  readonly Key: Item;
  readonly Item: Item;
  readonly ConsistentRead?: boolean;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Item;
  readonly RequestItems: Readonly<Record<string, unknown>>;
}
interface BatchWrite {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

/** Bytes of a value as DynamoDB charges them. */
function bytesOf(value: Value): number {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  if (type === 'S') return Buffer.byteLength(content as string);
  if (type === 'N') return Math.ceil((content as string).length / 2) + 1;
  if (type === 'L') return 3 + (content as Value[]).reduce((sum, item) => sum + 1 + bytesOf(item), 0);
  return type === 'M' ? 3 + itemBytes(content as Item) + Object.keys(content as Item).length : 1;
}

const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);

export interface StoreCounts {
  readonly reads: number;
  readonly writes: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface CopiedStore {
  readonly endpoint: string;
  /** Since the last call. */
  take(): StoreCounts;
  /** Bytes of the rows of the first port, by table. */
  firstPortBytes(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** @param keys names of the partition and sort key of each table */
export async function startCopiedStore(
  keys: Readonly<Record<string, readonly string[]>>,
): Promise<CopiedStore> {
  const tables = new Map<string, Map<string, Map<string, string>>>();
  const nothing = { reads: 0, writes: 0, readUnits: 0, writeUnits: 0 };
  let counts = { ...nothing };

  /** The rows of a partition as text, which still has the code of the port that it was copied from. */
  function partition(table: string, name: string): Map<string, string> {
    const partitions = tables.get(table) ?? new Map<string, Map<string, string>>();
    tables.set(table, partitions);
    const found = partitions.get(name);
    if (found !== undefined) return found;
    const [port] = GENERATED.exec(name) ?? [];
    const model = port === undefined ? undefined : partitions.get(name.replace(port, FIRST));
    const rows = new Map([...(model ?? [])].map(([key, row]) => [key.replaceAll(FIRST, port ?? FIRST), row]));
    partitions.set(name, rows);
    return rows;
  }

  const keyOf = (table: string, item: Item): [string, string] => {
    const [name = '', sort = ''] = keys[table] ?? [];
    return [String(item[name]?.S), String(item[sort]?.S ?? '')];
  };

  const rowOf = (name: string, text: string): Item =>
    JSON.parse(text.replaceAll(FIRST, GENERATED.exec(name)?.[0] ?? FIRST)) as Item;

  function read(bytes: number, isConsistent: boolean | undefined): void {
    counts.readUnits += Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
  }

  function get(table: string, key: Item, isConsistent?: boolean): Item | undefined {
    const [name, sort] = keyOf(table, key);
    const text = partition(table, name).get(sort);
    const row = text === undefined ? undefined : rowOf(name, text);
    read(row === undefined ? 0 : itemBytes(row), isConsistent);
    return row;
  }

  function write(table: string, item: Item, isPut: boolean): void {
    const [name, sort] = keyOf(table, item);
    const rows = partition(table, name);
    if (isPut) rows.set(sort, JSON.stringify(item));
    else rows.delete(sort);
    counts.writeUnits += Math.max(1, Math.ceil(itemBytes(item) / 1024));
  }

  function query(request: Request): Item[] {
    const { TableName: table, ExpressionAttributeValues: values, ScanIndexForward, Limit } = request;
    const [name, from, to] = [':p', ':from', ':to'].map((bound) => values[bound]?.S as string | undefined);
    const rows = [...partition(table, name ?? '')]
      .filter(([sort]) => (from === undefined || sort >= from) && (to === undefined || sort <= to))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const found = (ScanIndexForward === false ? rows.reverse() : rows)
      .slice(0, Limit)
      .map(([, text]) => rowOf(name ?? '', text));
    read(
      found.reduce((sum, row) => sum + itemBytes(row), 0),
      request.ConsistentRead,
    );
    return found;
  }

  function answer(operation: string, request: Request): unknown {
    const { TableName: table, RequestItems: batches = {} } = request;
    const isWrite = ['PutItem', 'DeleteItem', 'BatchWriteItem'].includes(operation);
    counts[isWrite ? 'writes' : 'reads'] += 1;
    switch (operation) {
      case 'GetItem':
        return { Item: get(table, request.Key, request.ConsistentRead) };
      case 'Query':
        return { Items: query(request) };
      case 'PutItem':
        return write(table, request.Item, true) ?? {};
      case 'DeleteItem':
        return write(table, request.Key, false) ?? {};
      case 'BatchGetItem':
        return {
          Responses: Object.fromEntries(
            (Object.entries(batches) as [string, { Keys: Item[] }][]).map(([of, { Keys }]) => [
              of,
              Keys.flatMap((key) => get(of, key, true) ?? []),
            ]),
          ),
        };
      case 'BatchWriteItem':
        for (const [of, writes] of Object.entries(batches) as [string, BatchWrite[]][])
          for (const { PutRequest, DeleteRequest } of writes)
            write(of, PutRequest?.Item ?? (DeleteRequest?.Key as Item), PutRequest !== undefined);
        return {};
      default:
        throw new Error(`the store of the bench has no ${operation}`);
    }
  }

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const operation = String(incoming.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const reply = answer(operation, JSON.parse(Buffer.concat(chunks).toString()) as Request);
    outgoing.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    outgoing.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = counts;
      counts = { ...nothing };
      return taken;
    },
    firstPortBytes: () =>
      Object.fromEntries(
        [...tables].map(([table, partitions]) => {
          const rows = [...partitions].flatMap(([name, of]) => [...of].map(([, text]) => rowOf(name, text)));
          const isFirst = (row: Item): boolean => JSON.stringify(row).includes(FIRST);
          return [table, rows.filter(isFirst).reduce((sum, row) => sum + itemBytes(row), 0)];
        }),
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
