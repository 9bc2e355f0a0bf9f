/** Bodies of the MCP endpoint on one machine: read whole, and refused where they are too long. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mcpFront } from '../../../local/mcp.ts';
import { type listening, listeningFront } from '../../builders/loopback.ts';

let server: Awaited<ReturnType<typeof listening>>;
beforeAll(async () => {
  server = await listeningFront(mcpFront(`pcd_dev_${'0'.repeat(32)}`));
});
afterAll(() => server.close());

const post = (body: string) =>
  fetch(`${server.origin}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body,
  });

it('a message of 5 MB is 413, and one below the limit is read', async () => {
  const refused = await post('x'.repeat(5_000_000));
  expect([refused.status, await refused.json()]).toEqual([
    413,
    {
      jsonrpc: '2.0',
      error: { code: -32_000, message: 'Payload Too Large: Request body must not exceed 4194304 bytes' },
      id: null,
    },
  ]);
  expect((await post('x'.repeat(4_000_000))).status).toBe(400);
});

it('a length beyond the limit is refused before the body has come', async () => {
  const first = await new Promise<string>((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11000000\r\n\r\n'),
    );
    socket.once('data', (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
    socket.once('error', reject);
  });
  expect(first).toMatch(/^HTTP\/1.1 413 Payload Too Large/);
});
