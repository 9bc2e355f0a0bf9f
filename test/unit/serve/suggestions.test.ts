/** The last lines of a start: the suggested requests return data. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { StartError } from '../../../local/start-error.ts';
import type { DemoKeys } from '../../../serve/demo-keys.ts';
import { readyLines } from '../../../serve/suggestions.ts';

const keys = {
  demo: 'pcd_dev_demo000000000000000000000000000000',
  bench: 'pcd_dev_bench00000000000000000000000000000',
} as DemoKeys;

/** The suggested paths of a service that gives these bodies, JSON or CSV, and 404 for every other path. */
async function suggested(bodies: Readonly<Record<string, string>>, ports: readonly string[]) {
  const server = createServer(({ url = '' }, response) => {
    const body = bodies[url];
    const type = url.includes('csv') ? 'text/csv; charset=utf-8' : 'application/json';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const lines = await readyLines({ url, keys }, ports);
    return lines.flatMap((line) => line.split(`'${url}`)[1]?.slice(0, -1) ?? []);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const HEALTH = { '/v1/health': '{"status":"ok"}' };

it('suggests a port with a snapshot and rows in its trend, and the imports', async () => {
  const bodies = {
    ...HEALTH,
    '/v1/ports/FIRAU/snapshot': '{"port":"FIRAU"}',
    '/v1/ports/FIRAU/trend?window=7d&format=csv': 'date,congestion_score\n2026-11-20,0.1\n',
    '/v1/ports/FIRAU/dwell': '[{"kind":"wait"}]',
    '/v1/hs/85/imports': '[{"month":"2026-01","index":100}]',
    '/v1/meta/sources': '[{"source":"a"}]',
  };
  expect(await suggested(bodies, ['FIKTK', 'FIRAU', 'FIHEL'])).toEqual([
    '/v1/ports/FIRAU/snapshot',
    '/v1/ports/FIRAU/trend?window=7d&format=csv',
    '/v1/hs/85/imports',
  ]);
});

it('suggests health alone where there is no data', async () => {
  expect(await suggested(HEALTH, ['FIRAU'])).toEqual(['/v1/health']);
});

it('refuses a port that browsers refuse, in one line', async () => {
  const refused = readyLines({ url: 'http://127.0.0.1:6000', keys }, []);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    'browsers refuse to connect to port 6000: choose another with --port',
  );
});
