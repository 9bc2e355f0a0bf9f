/**
 * A bare `node:http` server in a process of its own that answers every request with the bytes of one response of another server, and
 * writes a log line to a file.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CopiedResponse {
  readonly url: string;
  readonly key: string;
}

/** Node writes these itself. */
const OWN = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

const { url, key } = JSON.parse(process.argv[2] ?? '{}') as CopiedResponse;
const { status, headers, body } = await new Promise<{ status: number; headers: string[]; body: Buffer }>(
  (resolve, reject) => {
    const request = get(url, { headers: { 'X-API-Key': key } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { rawHeaders } = response;
      const copied = rawHeaders.filter((_, n) => !OWN.has(String(rawHeaders[n - (n % 2)]).toLowerCase()));
      resolve({ status: response.statusCode ?? 0, headers: copied, body: Buffer.concat(chunks) });
    });
    request.once('error', reject);
  },
);
const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const log = createWriteStream(join(folder, 'log'));
const server = createServer((_request, response) => {
  const line = {
    level: 'INFO',
    message: 'request',
    timestamp: new Date().toISOString(),
    requestId: randomUUID(),
  };
  log.write(`${JSON.stringify({ ...line, operation: 'trend', status, durationMs: 1.5 })}\n`);
  response.writeHead(status, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', (message) => {
  if (message === 'usage') process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
  if (message === 'stop') process.exit(0);
});
process.on('disconnect', () => process.exit(0));
