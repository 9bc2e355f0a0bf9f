/**
 * Responses of the store from memory, without a connection: the first request of each kind goes to the store, every later one gets the
 * same response. The measurement is then of the function's work alone, without sockets and other processes.
 */
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';

interface Response {
  readonly status: number;
  readonly body: string;
}

/** Reads are distinguished by their whole request; the limiter's writes, whose numbers always differ, by table and form. */
function kindOf(operation: string, body: string): string {
  if (operation !== 'DynamoDB_20120810.UpdateItem') return `${operation} ${body}`;
  const [form] = body.split('"ExpressionAttributeValues"');
  return `${operation} ${form}`;
}

/** The part of a socket that the SDK's handler uses. */
const connectedSocket = Object.assign(new EventEmitter(), {
  connecting: false,
  setTimeout: () => {},
  setKeepAlive: () => {},
});

/**
 * Replaces `http.request` for functions that are loaded later. The store at their endpoint
 * must run for the first request of each kind.
 */
export function rememberStore(): void {
  const remembered = new Map<string, Response>();
  const ask = http.request;

  const request = (options: http.RequestOptions, onReply: (reply: Readable) => void): EventEmitter => {
    const headers = options.headers as Readonly<Record<string, string>>;
    const operation = headers['x-amz-target'] ?? '';
    const respond = ({ status, body }: Response): void =>
      onReply(Object.assign(Readable.from([Buffer.from(body)]), { statusCode: status, headers: {} }));
    const sent = Object.assign(new EventEmitter(), {
      socket: connectedSocket,
      destroy: () => {},
      end(bytes: Uint8Array | string) {
        const body = Buffer.from(bytes as Uint8Array).toString();
        const kind = kindOf(operation, body);
        const known = remembered.get(kind);
        if (known !== undefined) return void setImmediate(respond, known);
        const real = ask(options, (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          reply.on('end', () => {
            const response = { status: reply.statusCode ?? 0, body: text };
            remembered.set(kind, response);
            respond(response);
          });
        });
        real.on('error', (error) => sent.emit('error', error));
        real.end(body);
      },
    });
    return sent;
  };
  Object.assign(http, { request });
}
