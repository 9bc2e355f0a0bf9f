/** Faults of real connections, and the end of waits, with the platform's own fetch. Waits between tries take no time. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ClientOptions, PortCongestionClient } from '../../../packages/client/index.ts';
import { FAULTS, type Fault, type FaultServer, startFaultServer } from './fault-server.ts';
import { KEY, rejection } from './virtual-service.ts';

let server: FaultServer;
afterEach(() => server.close());

const RECORD = [{ source: 'x', last_fetch_iso: '2026-11-20T12:00:00Z' }];

async function connectClient(script: readonly Fault[], options: Partial<ClientOptions> = {}) {
  server = await startFaultServer(script);
  return new PortCongestionClient({
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
    const client = await connectClient([FAULTS[name], FAULTS[name], good]);
    await expect(client.get('sources')).resolves.toEqual(RECORD);
    expect(server.heads).toHaveLength(3);
  });

  it.each([
    ['silence', silent],
    ['a body that stalls', stalledBody],
  ])('%s, when the try runs out of time', async (_, fault) => {
    const client = await connectClient([fault, good], { timeoutMs: 100 });
    await expect(client.get('sources')).resolves.toEqual(RECORD);
    expect(server.heads).toHaveLength(2);
  });
});

it('reads a chunked response', async () => {
  const client = await connectClient([FAULTS.chunked]);
  await expect(client.get('sources')).resolves.toEqual(RECORD);
});

it('gives up on a connection that never recovers, and says what it was', async () => {
  const client = await connectClient([FAULTS.resetMidBody]);
  expect(await rejection(client.get('sources'))).toMatchObject({ code: 'network_error', attempts: 5 });
  expect(server.heads).toHaveLength(5);
});

it('fails with a timeout when the service never responds', async () => {
  const client = await connectClient([silent], { timeoutMs: 30, maxRetries: 1 });
  expect(await rejection(client.get('sources'))).toMatchObject({
    code: 'timeout',
    attempts: 2,
    message: 'No response: none within 30 ms',
  });
});

it('does not follow a redirect, so the key is not sent elsewhere', async () => {
  const elsewhere = await startFaultServer([good]);
  const client = await connectClient([
    (socket) =>
      void socket.end(
        `HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
  ]);
  expect(await rejection(client.get('sources'))).toMatchObject({ code: 'invalid_response', status: 302 });
  expect(elsewhere.heads).toEqual([]);
  await elsewhere.close();
});

it('reports that the connection is refused', async () => {
  const client = await connectClient([good]);
  await server.close();
  expect(await rejection(client.get('sources'))).toMatchObject({ code: 'network_error' });
  server = await startFaultServer([good]);
});

describe('the signal', () => {
  it('ends a request that hangs, with its own reason', async () => {
    const controller = new AbortController();
    const client = await connectClient([() => controller.abort(new Error('enough'))]);
    expect(await rejection(client.get('sources', {}, { signal: controller.signal }))).toMatchObject({
      message: 'enough',
    });
    expect(server.heads).toHaveLength(1);
  });

  it('ends a body that stalls', async () => {
    const controller = new AbortController();
    const client = await connectClient([
      (socket) => {
        stalledBody(socket);
        setTimeout(() => controller.abort(), 20);
      },
    ]);
    expect(await rejection(client.get('sources', {}, { signal: controller.signal }))).toMatchObject({
      name: 'AbortError',
    });
  });

  it('ends the wait before a retry: the real wait of a minute is not waited out', async () => {
    const controller = new AbortController();
    const client = await connectClient(
      [
        (socket) =>
          void socket.end(
            'HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
          ),
      ],
      { sleep: undefined, onResponse: () => setTimeout(() => controller.abort(), 10) },
    );
    expect(await rejection(client.get('sources', {}, { signal: controller.signal }))).toMatchObject({
      name: 'AbortError',
    });
    expect(server.heads).toHaveLength(1);
  });

  it('ends a call before anything is sent', async () => {
    const client = await connectClient([good]);
    expect(await rejection(client.get('sources', {}, { signal: AbortSignal.abort() }))).toMatchObject({
      name: 'AbortError',
    });
    expect(server.heads).toEqual([]);
  });

  it('is let go of when the call is over', async () => {
    const client = await connectClient([FAULTS.resetAtOnce, good], { sleep: undefined, random: () => 0 });
    const { signal } = new AbortController();
    let open = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      open += 1;
      add(...args);
    }) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      open -= 1;
      remove(...args);
    }) as typeof remove;
    await client.get('sources', {}, { signal });
    // Settling lets go one turn later.
    await new Promise(setImmediate);
    expect(open).toBe(0);
  });
});
