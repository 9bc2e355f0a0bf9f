/** One HTTP exchange, sent exactly as written: nothing on the way tidies up a path or a header. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { violationsOf } from './contract-validator.ts';

export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  json<T = unknown>(): T;
}

export interface Sending {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Address of this machine to send from. */
  readonly localAddress?: string;
}

/** Parallel requests of all tests share this many connections. */
const CONNECTIONS = { keepAlive: true, maxSockets: 16 } as const;
const agent = new Agent(CONNECTIONS);
const secureAgent = new SecureAgent(CONNECTIONS);

/** Statuses that this run has seen. */
export const seenStatuses = new Set<number>();

/** Sends one request and reads the whole response, which must satisfy the contract. */
export async function exchange(baseUrl: string, path: string, sending: Sending = {}): Promise<Reply> {
  const { method = 'GET', key, headers = {}, body, localAddress } = sending;
  const base = new URL(baseUrl);
  const secure = base.protocol === 'https:';
  const send = secure ? secureRequest : request;
  const reply = await new Promise<Reply>((resolve, reject) => {
    const outgoing = send(
      {
        hostname: base.hostname,
        port: base.port,
        path: `${base.pathname.replace(/\/$/, '')}${path}`,
        method,
        agent: secure ? secureAgent : agent,
        headers: {
          ...(key === undefined ? {} : { 'X-API-Key': key }),
          ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
          ...headers,
        },
        ...(localAddress === undefined ? {} : { localAddress }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const sent = Buffer.concat(chunks);
          const isGzip = incoming.headers['content-encoding'] === 'gzip' && sent.length > 0;
          const text = (isGzip ? gunzipSync(sent) : sent).toString('utf8');
          const flat = Object.entries(incoming.headers).map(([name, value]) => [
            name,
            [value].flat().join(', '),
          ]);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(flat),
            text,
            json: () => JSON.parse(text),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  seenStatuses.add(reply.status);
  const violations = violationsOf(method, path, reply);
  if (violations.length > 0)
    throw new Error(`${method} ${path} breaks the contract: ${violations.join('; ')}`);
  return reply;
}
