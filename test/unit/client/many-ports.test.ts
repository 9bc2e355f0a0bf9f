/** Requests for many ports: their order, their errors, and the pace that keeps to the limit. */
import { describe, expect, it } from '@jest/globals';
import { PortCongestionClient, PortCongestionError } from '../../../packages/client/index.ts';

const PORTS = ['HKHKG', 'FIHEL', 'TWKHH', 'BRSSZ'];

/** A service that responds with the status given for a port, and counts down what is left of the limit. */
function service(statuses: Readonly<Record<string, number>>, remaining: number) {
  const asked: string[] = [];
  const waits: number[] = [];
  let left = remaining;
  const client = new PortCongestionClient({
    baseUrl: 'http://service.test',
    apiKey: 'pcd_dev_000000000000000000000000',
    maxRetries: 0,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      left += 1;
    },
    fetch: async (input) => {
      const port = String(input).split('/')[5] ?? '';
      asked.push(port);
      left -= 1;
      const status = statuses[port] ?? 200;
      const error = { code: 'not_found', message: 'No.', request_id: 'x' };
      return new Response(JSON.stringify(status === 200 ? { port } : error), {
        status,
        headers: {
          'Content-Type': 'application/json',
          'RateLimit-Limit': '60',
          'RateLimit-Remaining': String(left),
          'RateLimit-Reset': '1795176000',
        },
      });
    },
  });
  return { client, asked, waits };
}

describe('eachPort', () => {
  it('yields every port in its order, and does not wait while requests are left', async () => {
    const { client, asked, waits } = service({}, 60);
    const seen: string[] = [];
    for await (const { port, value } of client.eachPort(PORTS, (UNLOCODE) =>
      client.get('snapshot', { UNLOCODE }),
    ))
      seen.push(`${port} ${value?.port}`);
    expect(seen).toEqual(PORTS.map((port) => `${port} ${port}`));
    expect(asked).toEqual(PORTS);
    expect(waits).toEqual([]);
  });

  it('waits before each request once few are left, so that the limit is never reached', async () => {
    const { client, waits } = service({}, 7);
    let least = Number.POSITIVE_INFINITY;
    for await (const { error } of client.eachPort([...PORTS, ...PORTS], (UNLOCODE) =>
      client.get('snapshot', { UNLOCODE }),
    )) {
      expect(error).toBeUndefined();
      least = Math.min(least, waits.length);
    }
    // Seven requests, of which five are a reserve: the third and all later ones wait.
    expect(waits).toEqual(Array.from({ length: 6 }, () => 1_100));
    expect(least).toBe(0);
  });

  it('gives the error of one port as its result and goes on', async () => {
    const { client } = service({ FIHEL: 404 }, 60);
    const results: string[] = [];
    for await (const { port, error } of client.eachPort(PORTS, (UNLOCODE) =>
      client.get('snapshot', { UNLOCODE }),
    ))
      results.push(error ? `${port} ${error.code}` : port);
    expect(results).toEqual(['HKHKG', 'FIHEL not_found', 'TWKHH', 'BRSSZ']);
  });

  it.each([401, 403])('throws on a %s, which every port would get', async (status) => {
    const { client, asked } = service({ FIHEL: status }, 60);
    const all = async () => {
      for await (const _ of client.eachPort(PORTS, (UNLOCODE) => client.get('snapshot', { UNLOCODE })));
    };
    await expect(all()).rejects.toBeInstanceOf(PortCongestionError);
    expect(asked).toEqual(['HKHKG', 'FIHEL']);
  });

  it('stops with the reason of the signal', async () => {
    const { client } = service({}, 3);
    const stop = new AbortController();
    const all = async () => {
      const results = client.eachPort(PORTS, (UNLOCODE) => client.get('snapshot', { UNLOCODE }), {
        signal: stop.signal,
      });
      for await (const _ of results) stop.abort(new Error('enough'));
    };
    await expect(all()).rejects.toThrow('enough');
  });
});
