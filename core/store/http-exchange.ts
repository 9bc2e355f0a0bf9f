/** POST requests to one server over connections that stay open. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** No connection, or no whole response, within the time that was set. */
export class ExchangeTimeout extends Error {
  override readonly name = 'TimeoutError';
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface ExchangeLimits {
  readonly connectMs: number;
  /** From the start of a request to the last byte of its response. */
  readonly answerMs: number;
  /** Requests under way at a time; more wait for a connection. */
  readonly connections: number;
}

export interface Exchange {
  /** As in the Host header. */
  readonly host: string;
  /** @param headers names and values in turn, Content-Length and Host among them; rejects with Node's network errors or ExchangeTimeout */
  post(headers: readonly string[], body: string): Promise<Reply>;
  close(): void;
}

export function openExchange(endpoint: string, limits: ExchangeLimits): Exchange {
  const { protocol, hostname, port, host } = new URL(endpoint);
  const secure = protocol === 'https:';
  const request = secure ? requestHttps : requestHttp;
  const agentOptions = { keepAlive: true, maxSockets: limits.connections };
  const agent = secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const connected = secure ? 'secureConnect' : 'connect';
  const place = { agent, host: hostname.replace(/^\[|\]$/g, ''), port, method: 'POST', path: '/' };

  return {
    host,
    post: (headers, body) =>
      new Promise((resolve, reject) => {
        const sent = request({ ...place, headers }, (reply) => {
          let text = '';
          reply.setEncoding('utf8');
          reply.on('data', (chunk: string) => {
            text += chunk;
          });
          reply.on('end', () => {
            clearTimeout(answerTimer);
            resolve({ status: reply.statusCode ?? 0, body: text });
          });
          reply.on('error', fail);
        });
        const within = (ms: number, what: string): NodeJS.Timeout =>
          setTimeout(() => sent.destroy(new ExchangeTimeout(`${host}: no ${what} in ${ms} ms`)), ms);
        const answerTimer = within(limits.answerMs, 'response');
        const fail = (error: Error): void => {
          clearTimeout(answerTimer);
          reject(error);
        };
        sent.on('error', fail);
        sent.on('socket', (socket) => {
          if (!socket.connecting) return;
          const timer = within(limits.connectMs, 'connection');
          const stop = (): void => clearTimeout(timer);
          socket.once(connected, stop);
          socket.once('close', stop);
        });
        // Text, not bytes: Node then writes headers and body in one piece.
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
