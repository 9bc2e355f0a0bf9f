/** Faults of real connections, and the end of waits, with the platform's own fetch. Waits between tries take no time. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ClientOptions } from '../../../packages/client/index.ts';
import { FAULTS, type Fault, type FaultServer, startFaultServer } from './fault-server.ts';
import { KEY, reader, rejection } from './virtual-service.ts';

let server: FaultServer;
afterEach(() => server.close());

const RECORD = [{ source: 'x', last_fetch_iso: '2026-11-20T12:00:00Z' }];

async function connectClient(script: readonly Fault[], options: Partial<ClientOptions> = {}) {
  server = await startFaultServer(script);
  return reader({
    baseUrl: server.url,
    apiKey: KEY,
    sleep: async () => undefined,
    ...options,
  });
}

const { good, silent, stalledBody } = FAULTS;

describe('recovers after', () => {
  it.each([
    'resetAtOnce',
    'closedWithoutAWord',
    'resetMidHead',
    'resetMidBody',
    'cutShort',
    'cutChunk',
    'garbage',
  ] as const)('%s', async (name) => {
    const get = await connectClient([FAULTS[name], FAULTS[name], good]);
    await expect(get()).resolves.toEqual(RECORD);
    expect(server.heads).toHaveLength(3);
  });

  it.each([
    ['silence', silent],
    ['a body that stalls', stalledBody],
  ])('%s, when the try runs out of time', async (_, fault) => {
    const get = await connectClient([fault, good], { timeoutMs: 100 });
    await expect(get()).resolves.toEqual(RECORD);
    expect(server.heads).toHaveLength(2);
  });
});

it('reads a chunked response', async () => {
  const get = await connectClient([FAULTS.chunked]);
  await expect(get()).resolves.toEqual(RECORD);
});

it('gives up on a connection that never recovers, and says what it was', async () => {
  const get = await connectClient([FAULTS.resetMidBody]);
  expect(await rejection(get())).toMatchObject({ code: 'network_error', attempts: 5 });
  expect(server.heads).toHaveLength(5);
});

it('fails with a timeout when the service never responds', async () => {
  const get = await connectClient([silent], { timeoutMs: 30, maxRetries: 1 });
  expect(await rejection(get())).toMatchObject({
    code: 'timeout',
    attempts: 2,
    message: 'No response: none within 30 ms',
  });
});

it('does not follow a redirect, so the key is not sent elsewhere', async () => {
  const elsewhere = await startFaultServer([good]);
  const get = await connectClient([
    (socket) =>
      void socket.end(
        `HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
  ]);
  expect(await rejection(get())).toMatchObject({ code: 'invalid_response', status: 302 });
  expect(elsewhere.heads).toEqual([]);
  await elsewhere.close();
});

it('reports that the connection is refused', async () => {
  const get = await connectClient([good]);
  await server.close();
  expect(await rejection(get())).toMatchObject({ code: 'network_error' });
  server = await startFaultServer([good]);
});

describe('the signal', () => {
  it('ends a request that hangs, with its own reason', async () => {
    const controller = new AbortController();
    const get = await connectClient([() => controller.abort(new Error('enough'))]);
    expect(await rejection(get('/v1/meta/sources', { signal: controller.signal }))).toMatchObject({
      message: 'enough',
    });
    expect(server.heads).toHaveLength(1);
  });

  it('ends a body that stalls', async () => {
    const controller = new AbortController();
    const get = await connectClient([
      (socket) => {
        stalledBody(socket);
        setTimeout(() => controller.abort(), 20);
      },
    ]);
    expect(await rejection(get('/v1/meta/sources', { signal: controller.signal }))).toMatchObject({
      name: 'AbortError',
    });
  });

  it('ends the wait before a retry: the real wait of a minute is not waited out', async () => {
    const controller = new AbortController();
    const get = await connectClient(
      [
        (socket) =>
          void socket.end(
            'HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
          ),
      ],
      { sleep: undefined },
    );
    setTimeout(() => controller.abort(), 100);
    expect(await rejection(get('/v1/meta/sources', { signal: controller.signal }))).toMatchObject({
      name: 'AbortError',
    });
    expect(server.heads).toHaveLength(1);
  });

  it('ends a call before anything is sent', async () => {
    const get = await connectClient([good]);
    expect(await rejection(get('/v1/meta/sources', { signal: AbortSignal.abort() }))).toMatchObject({
      name: 'AbortError',
    });
    expect(server.heads).toEqual([]);
  });
});
