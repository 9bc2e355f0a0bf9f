/** HTTP as bytes: sends what no client library would, over one connection that is reopened when it was closed. */
import { connect, type Socket } from 'node:net';
import type { HostileRequest } from './hostile-request.ts';
import type { RawResponse } from './response-rules.ts';

const RESPONSE_MS = 20_000;
const HEAD_END = '\r\n\r\n';

/** The bytes of a request; a `Host` is added where there is none. */
function bytesOf({ method, target, headers }: HostileRequest): Buffer {
  const named = headers.some(([name]) => name.toLowerCase() === 'host');
  const lines = [...(named ? [] : [['Host', '127.0.0.1'] as const]), ...headers];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'utf8');
}

/** A whole response at the start of `text` and its length, undefined while it is not there yet. Throws when it is none. */
function readResponse(
  text: string,
  headOnly: boolean,
): { response: RawResponse; length: number } | undefined {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  if (status === undefined) throw new Error(`no status line: ${JSON.stringify(first)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no header line: ${JSON.stringify(line)}`);
    if (headers[name.toLowerCase()] !== undefined) throw new Error(`header ${name} occurs twice`);
    headers[name.toLowerCase()] = value;
  }
  const from = end + HEAD_END.length;
  // The response to an unreadable request has a body and ends the connection, whatever the method.
  const bodiless = status === '304' || (headOnly && headers.connection !== 'close');
  const size = bodiless ? 0 : Number(headers['content-length']);
  if (!Number.isInteger(size)) throw new Error(`status ${status} states no length of its body`);
  if (text.length < from + size) return undefined;
  const body = Buffer.from(text.slice(from, from + size), 'latin1').toString('utf8');
  return { response: { status: Number(status), headers, body }, length: from + size };
}

export interface RawConnection {
  /**
   * Rejects when the connection ends without a whole response, or more comes than one. Line ends in a value make
   * more requests of one: then the first response is taken, undefined when the connection was ended without one, and the
   * connection given up.
   */
  send(request: HostileRequest): Promise<RawResponse | undefined>;
  close(): void;
}

export function openRawConnection(port: number): RawConnection {
  let socket: Socket | undefined;
  return {
    send(request) {
      const sent = bytesOf(request);
      const headOnly = request.method === 'HEAD';
      const several = /[\r\n]/.test(request.target + request.headers.flat().join(''));
      const open = socket ?? connect(port, '127.0.0.1');
      socket = open;
      return new Promise((resolve, reject) => {
        let received = '';
        const settle = (fault: Error | undefined, response?: RawResponse): void => {
          clearTimeout(timer);
          open.removeAllListeners();
          // Errors on a connection that is no longer used do not matter.
          open.on('error', () => {});
          if (fault !== undefined || several || response?.headers.connection === 'close') {
            open.destroy();
            socket = undefined;
          }
          if (fault === undefined) resolve(response);
          else reject(fault);
        };
        const timer = setTimeout(() => settle(new Error('no response')), RESPONSE_MS);
        open.on('data', (chunk) => {
          received += chunk.toString('latin1');
          try {
            const read = readResponse(received, headOnly);
            if (read === undefined) return;
            if (received.length > read.length && !several)
              throw new Error(`more than one response: ${received.slice(0, 2000)}`);
            settle(undefined, read.response);
          } catch (thrown) {
            settle(thrown as Error);
          }
        });
        open.on('error', (fault) => settle(several ? undefined : fault));
        open.on('close', () => {
          const ended = new Error(`the connection ended behind ${JSON.stringify(received)}`);
          settle(several && received === '' ? undefined : ended);
        });
        open.write(sent);
      });
    },
    close: () => socket?.destroy(),
  };
}
