/**
 * Responses of the store from memory, without a connection: the first request of each kind goes to the store, every later one gets the
 * same response. What stays to be measured is the work of the function, not that of sockets and of whoever runs beside it.
 */
import { EventEmitter } from 'node:events';
import http from 'node:http';

interface Response {
  readonly status: number;
  readonly body: string;
}

/** Reads are told apart by all that they ask; the limiter's writes, whose numbers always differ, by their table and form. */
function kindOf(operation: string, body: string): string {
  if (operation !== 'DynamoDB_20120810.UpdateItem') return `${operation} ${body}`;
  const [form] = body.split('"ExpressionAttributeValues"');
  return `${operation} ${form}`;
}

class RememberedReply extends EventEmitter {
  readonly statusCode: number;

  constructor({ status }: Response) {
    super();
    this.statusCode = status;
  }

  setEncoding(): this {
    return this;
  }
}

/**
 * Puts itself in the place of `http.request`, for functions that are loaded afterwards. The store at the endpoint that they were
 * given must run when something is asked for the first time.
 */
export function rememberStore(): void {
  const remembered = new Map<string, Response>();
  const ask = http.request;

  const request = (
    options: http.RequestOptions & { readonly headers: readonly string[] },
    onReply: (reply: RememberedReply) => void,
  ): EventEmitter & { end(body: string): void; destroy(error: Error): void } => {
    const operation = options.headers[options.headers.indexOf('X-Amz-Target') + 1] ?? '';
    const respond = (response: Response): void => {
      const reply = new RememberedReply(response);
      onReply(reply);
      reply.emit('data', response.body);
      reply.emit('end');
    };
    const sent = Object.assign(new EventEmitter(), {
      destroy: (error: Error) => void sent.emit('error', error),
      end(body: string) {
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
