/** A proxy between a client and DynamoDB that sums the consumed capacity of every call. */
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Consumption {
  /** Name of the table as the store knows it. */
  readonly table: string;
  readonly operation: string;
  /** Capacity units: read units of a read, write units of a write. */
  readonly units: number;
}

export interface StoreMeter {
  /** For `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly endpoint: string;
  /** Capacity consumed since the last call. */
  take(): Consumption[];
  /** Connections that clients have opened. */
  connections(): number;
  close(): Promise<void>;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);
const METERED = new Set([...WRITES, 'GetItem', 'BatchGetItem', 'Query', 'Scan']);
export const isWrite = (operation: string): boolean => WRITES.has(operation);

interface Capacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** @param endpoint the store itself, on the loopback address */
export async function startStoreMeter(endpoint: string): Promise<StoreMeter> {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port, pathname } = new URL(endpoint);
  let consumed: Consumption[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const operation = String(incoming.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const sent = await bodyOf(incoming);
    const body = METERED.has(operation)
      ? Buffer.from(JSON.stringify({ ...JSON.parse(sent.toString()), ReturnConsumedCapacity: 'TOTAL' }))
      : sent;
    const headers = { ...incoming.headers, 'content-length': String(body.length) };
    const onward = request(
      { agent, hostname, port, method: incoming.method, path: `${pathname}${incoming.url}`, headers },
      async (reply) => {
        const replyBody = await bodyOf(reply);
        if (METERED.has(operation) && reply.statusCode === 200) {
          const { ConsumedCapacity } = JSON.parse(replyBody.toString()) as {
            ConsumedCapacity?: Capacity | readonly Capacity[];
          };
          for (const { TableName, CapacityUnits } of [ConsumedCapacity ?? []].flat() as Capacity[])
            consumed.push({ table: TableName, operation, units: CapacityUnits });
        }
        // The checksum is of these bytes, which go on as they are.
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        outgoing.end(replyBody);
      },
    );
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = consumed;
      consumed = [];
      return taken;
    },
    connections: () => connections,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
