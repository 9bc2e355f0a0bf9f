/** The last lines of a start: its requests return data. */
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import type { DemoKeys } from '../../../local/keys.ts';
import { readyLines } from '../../../local/ready-lines.ts';
import { listening } from '../../builders/loopback.ts';

const keys = {
  demo: 'pcd_dev_demo000000000000000000000000000000',
  bench: 'pcd_dev_bench00000000000000000000000000000',
} as DemoKeys;

/** The lines of a service that gives these bodies, and 404 for every other path; the paths of their requests. */
async function linesWith(bodies: Readonly<Record<string, string>>, recordedUntil?: string) {
  const server = createServer(({ url = '' }, response) => {
    const body = bodies[url];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body);
  });
  const { origin: url, close } = await listening(server);
  try {
    const lines = await readyLines({ url, keys }, recordedUntil);
    return { lines, paths: lines.flatMap((line) => line.split(`'${url}`)[1]?.slice(0, -1) ?? []) };
  } finally {
    await close();
  }
}

const PORTS = '/v1/ports?sort=-congestion_score';
const port = {
  port: 'FIRAU',
  name: 'Rauma',
  as_of: '2019-10-23T12:41:00Z',
  first_day: '2018-01-01',
  last_day: '2019-10-23',
};
const newer = { ...port, port: 'FIKTK', as_of: '2026-04-08T12:00:00Z', first_day: null };
const none = { ...port, port: 'FIHEL', as_of: null };
const BODIES = {
  [PORTS]: JSON.stringify([none, port, newer]),
  '/v1/ports/FIRAU/snapshot': '{}',
  '/v1/ports/FIRAU/waits?from=2018-10-23&to=2019-10-23': '[{}]',
  '/v1/ports/FIRAU/dwell?until=2019-10-23': '[]',
  '/v1/ports/FIRAU/trend?window=30d&until=2019-10-23': '[{}]',
  '/v1/ports/FIKTK/snapshot': '{}',
  '/v1/hs/94/imports': '[{}]',
};

it('names the requests of recorded replies that return data, by port, the one with most days first', async () => {
  const { lines, paths } = await linesWith(BODIES, '2026-04-08T12:01:00Z');
  expect(paths).toEqual([
    '/v1/ports/FIRAU/snapshot',
    '/v1/ports/FIRAU/waits?from=2018-10-23&to=2019-10-23',
    '/v1/ports/FIRAU/trend?window=30d&until=2019-10-23',
    '/v1/ports/FIKTK/snapshot',
    '/v1/hs/94/imports',
  ]);
  expect(lines).toContain('  Rauma (FIRAU), as of 2019-10-23T12:41:00Z');
  expect(lines.join('\n')).toMatch(
    /Is this now\? No: the service's clock started at 2026-04-08T12:01:00Z.* 0 more ports with figures, 1 without/s,
  );
});

it('names those of one port elsewhere', async () => {
  const { lines, paths } = await linesWith(BODIES);
  expect(paths).toEqual(['/v1/ports/FIKTK/snapshot', '/v1/hs/94/imports']);
  expect(lines.join('\n')).toMatch(/^\nIn a browser: http.* 1 more ports with figures, 1 without\n$/s);
});

it('names health where there is no data', async () => {
  expect((await linesWith({})).paths).toEqual(['/v1/health']);
});
