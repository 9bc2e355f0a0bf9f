/** The last lines of a start: the suggested requests return data. */
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import type { DemoKeys } from '../../../../local/service/demo-keys.ts';
import { readyLines, recordedLines } from '../../../../local/service/suggestions.ts';
import { StartError } from '../../../../local/start-error.ts';
import { listening } from '../../../builders/loopback.ts';

const keys = {
  demo: 'pcd_dev_demo000000000000000000000000000000',
  bench: 'pcd_dev_bench00000000000000000000000000000',
} as DemoKeys;

/** The suggested paths of a service that gives these bodies, JSON or CSV, and 404 for every other path. */
async function suggested(
  bodies: Readonly<Record<string, string>>,
  linesOf: readonly string[] | ((service: { url: string; keys: DemoKeys }) => Promise<string[]>),
) {
  const server = createServer(({ url = '' }, response) => {
    const body = bodies[url];
    const type = url.includes('csv') ? 'text/csv; charset=utf-8' : 'application/json';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  const { origin: url, close } = await listening(server);
  try {
    const lines = await (typeof linesOf === 'function'
      ? linesOf({ url, keys })
      : readyLines({ url, keys }, linesOf));
    return lines.flatMap((line) => line.split(`'${url}`)[1]?.slice(0, -1) ?? []);
  } finally {
    await close();
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

it('names everything that recorded replies have, by port, newest first', async () => {
  const port = {
    port: 'FIRAU',
    name: 'Rauma',
    as_of: '2019-10-23T12:41:00Z',
    first_day: '2018-01-01',
    last_day: '2019-10-23',
  };
  const newer = { ...port, port: 'FIKTK', as_of: '2026-04-08T12:00:00Z', first_day: null };
  const none = { ...port, port: 'FIHEL', as_of: null };
  const bodies = {
    '/v1/ports': JSON.stringify([none, port, newer]),
    '/v1/ports/FIRAU/snapshot': '{}',
    '/v1/ports/FIRAU/waits?from=2018-10-23&to=2019-10-23': '[{}]',
    '/v1/ports/FIRAU/dwell?until=2019-10-23': '[]',
    '/v1/ports/FIRAU/trend?window=30d&until=2019-10-23': '[{}]',
    '/v1/ports/FIKTK/snapshot': '{}',
    '/v1/hs/94/imports': '[{}]',
  };
  let lines: string[] = [];
  const paths = await suggested(bodies, async (service) => {
    lines = await recordedLines(service, '2026-04-08T12:01:00Z');
    return lines;
  });
  expect(paths).toEqual([
    '/v1/ports/FIKTK/snapshot',
    '/v1/ports/FIRAU/snapshot',
    '/v1/ports/FIRAU/waits?from=2018-10-23&to=2019-10-23',
    '/v1/ports/FIRAU/trend?window=30d&until=2019-10-23',
    '/v1/hs/94/imports',
  ]);
  expect(lines).toContain('  Rauma (FIRAU), as of 2019-10-23T12:41:00Z');
  expect(lines.join('\n')).toMatch(
    /RECORDED DATA up to 2026-04-08T12:01:00Z.*no recorded call: 1 more ports/s,
  );
});

it('refuses a port that browsers refuse, in one line', async () => {
  const refused = readyLines({ url: 'http://127.0.0.1:6000', keys }, []);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    'browsers refuse to connect to port 6000: choose another with --port',
  );
});
