/** A loopback proxy before a store, that breaks the requests of one case on the wire. */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './loopback.ts';

/** `stalled`: no response. `cut-off`: half of the response. `garbled`: a response that is not JSON. */
export const WIRE_FAULTS = ['stalled', 'reset', 'cut-off', 'garbled', 'failing', 'throttled'] as const;
type WireFault = (typeof WIRE_FAULTS)[number];

interface WireCase {
  readonly fault: WireFault;
  /** The table whose requests go wrong. */
  readonly table: string;
  /** How many of them, the first ones. */
  readonly times: number;
}

export interface FaultyWire {
  readonly endpoint: string;
  /** Tables are named `<case name>.<table name>` on this side of the proxy. */
  readonly cases: Map<string, WireCase>;
  /** Requests of the case that went wrong so far. */
  faultsOf(name: string): number;
  close(): Promise<void>;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const STORE_ERRORS = {
  failing: [500, 'com.amazonaws.dynamodb.v20120810#InternalServerError'],
  throttled: [400, 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'],
} as const;

function goWrong(fault: WireFault, response: ServerResponse, reply: Buffer): void {
  const type = { 'Content-Type': 'application/x-amz-json-1.0' };
  if (fault === 'stalled') return;
  if (fault === 'reset') return void response.socket?.destroy();
  if (fault === 'garbled') return void response.writeHead(200, type).end('<html>gateway</html>');
  if (fault === 'cut-off') {
    response.writeHead(200, { ...type, 'Content-Length': reply.length });
    return void response.write(reply.subarray(0, reply.length / 2), () => response.socket?.destroy());
  }
  const [status, __type] = STORE_ERRORS[fault];
  response.writeHead(status, type).end(JSON.stringify({ __type, message: 'planted' }));
}

/** A proxy before the store at `target`. */
export async function startFaultyWire(target: string): Promise<FaultyWire> {
  const cases = new Map<string, WireCase>();
  const faults = new Map<string, number>();

  const pass = (message: IncomingMessage, body: string): Promise<[number, Buffer]> =>
    new Promise((resolve, reject) => {
      const { host: _host, 'content-length': _length, ...headers } = message.headers;
      const outgoing = ask(target, { method: 'POST', headers }, (reply) => {
        bodyOf(reply).then((bytes) => resolve([reply.statusCode ?? 0, bytes]), reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  const server = createServer((message, response) => {
    void (async () => {
      const body = String(await bodyOf(message));
      const [, name = '', table = ''] = /"TableName":"([^".]+)\.([^"]+)"/.exec(body) ?? [];
      const [status, reply] = await pass(message, body.replace(`"${name}.${table}"`, `"${table}"`));
      const wrong = cases.get(name);
      const before = faults.get(name) ?? 0;
      if (wrong?.table === table && before < wrong.times) {
        faults.set(name, before + 1);
        return goWrong(wrong.fault, response, reply);
      }
      response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(reply);
    })().catch(() => response.destroy());
  });
  const { origin: endpoint, close } = await listening(server);
  return { endpoint, cases, faultsOf: (name) => faults.get(name) ?? 0, close };
}
