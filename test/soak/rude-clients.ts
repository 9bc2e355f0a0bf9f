/** Clients that disconnect in the middle of a request, and clients that never finish one. */
import { connect, type Socket } from 'node:net';

const AT_ONCE = 100;

const requestOf = (key: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`;

/** Sends a request and disconnects before its response, or at the first piece of it. */
function hangUp(port: number, request: string, wait: boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request, () => {
        if (!wait) socket.resetAndDestroy();
      });
    });
    socket.on('data', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

/** `count` clients, so many at once, each on a connection of its own. */
export async function hangUpOften(
  { port, key, path }: { port: number; key: string; path: string },
  count: number,
): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await hangUp(port, requestOf(key, path), left % 2 === 0);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

export interface HalfOpen {
  /** Connections that the service has not ended yet. */
  open(): number;
  end(): void;
}

/** `count` connections that send half a request and then nothing. */
export async function openHalf(port: number, count: number): Promise<HalfOpen> {
  const sockets = new Set<Socket>();
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.write('GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', () => resolve());
          });
          sockets.add(socket);
          socket.resume();
          socket.on('error', reject);
          socket.on('close', () => sockets.delete(socket));
        }),
    ),
  );
  return {
    open: () => sockets.size,
    end() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
