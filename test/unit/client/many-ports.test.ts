/** Requests for many ports: their order, their errors, and the pace that keeps to the limit. */
import { describe, expect, it } from '@jest/globals';
import { type CallOptions, PortCongestionError } from '../../../packages/client/index.ts';
import { type Step, virtualService } from './virtual-service.ts';

const PORTS = ['HKHKG', 'FIHEL', 'TWKHH', 'BRSSZ'];
const leaving = (remaining: number): Step => ({
  status: 200,
  headers: {
    'RateLimit-Limit': '60',
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': '1795176000',
  },
});

/** The snapshots of ports from a service with a script, in `results` by `port` or `port code`; `done` ends with them. */
function snapshots(script: readonly Step[], ports = PORTS, options: CallOptions = {}, seen = () => {}) {
  const { client, requests, waits } = virtualService(script, { maxRetries: 0 });
  const results: string[] = [];
  const all = async () => {
    const each = client.eachPort(ports, (UNLOCODE) => client.get('snapshot', { UNLOCODE }), options);
    for await (const { port, value, error } of each) {
      results.push(value ? port : `${port} ${error?.code}`);
      seen();
    }
  };
  return { done: all(), requests, waits, results };
}

describe('eachPort', () => {
  it('yields every port in its order, and does not wait while requests are left', async () => {
    const { done, requests, waits, results } = snapshots([leaving(59)]);
    await done;
    expect(results).toEqual(PORTS);
    expect(requests.map(({ path }) => path)).toEqual(PORTS.map((port) => `/v1/ports/${port}/snapshot`));
    expect(waits).toEqual([]);
  });

  it('waits before each request once few are left, so that the limit is never reached', async () => {
    const { done, waits } = snapshots([leaving(6), leaving(5)], [...PORTS, ...PORTS]);
    await done;
    // Five requests are a reserve: the third and all later ones wait.
    expect(waits).toEqual(Array.from({ length: 6 }, () => 1_100));
  });

  it('gives the error of one port as its result and goes on', async () => {
    const { done, results } = snapshots([200, 404, 200]);
    await done;
    expect(results).toEqual(['HKHKG', 'FIHEL not_found', 'TWKHH', 'BRSSZ']);
  });

  it.each([401, 403])('throws on a %s, which every port would get', async (status) => {
    const { done, requests } = snapshots([200, status]);
    await expect(done).rejects.toBeInstanceOf(PortCongestionError);
    expect(requests).toHaveLength(2);
  });

  it('stops with the reason of the signal', async () => {
    const stop = new AbortController();
    const { done } = snapshots([leaving(2)], PORTS, stop, () => stop.abort(new Error('enough')));
    await expect(done).rejects.toThrow('enough');
  });
});
