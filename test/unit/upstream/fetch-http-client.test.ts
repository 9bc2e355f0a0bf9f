/** The network client against a scripted loopback upstream: what it recovers from, what is refused, and how long it waits. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fetchHttpClient, type NetworkLimits, userAgent } from '../../../core/upstream/fetch-client.ts';
import { UpstreamFailure } from '../../../core/upstream/http-client.ts';
import { closeUpstreams, scriptedUpstream, type Turn, turns } from '../../builders/scripted-upstream.ts';

afterEach(closeUpstreams);

async function given(script: readonly Turn[], limits: Partial<NetworkLimits> = {}, maxReplyBytes = 1_000) {
  const upstream = await scriptedUpstream(script);
  const pauses: number[] = [];
  const client = fetchHttpClient(
    { hosts: [upstream.host], maxReplyBytes },
    {
      now: () => Date.parse('2026-01-01T00:00:00Z'),
      random: () => 0.5,
      sleep: async (ms) => {
        pauses.push(ms);
      },
      allowLoopback: true,
      contact: 'ops@example.com',
      limits: { tryTimeoutMs: 5_000, ...limits },
    },
  );
  const get = (path = '/', headers: Record<string, string> = {}) =>
    client.get(`${upstream.origin}${path}`, headers);
  const failure = async (path = '/'): Promise<UpstreamFailure> => {
    const error = await get(path).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UpstreamFailure))
      throw new Error(`expected an UpstreamFailure, got ${String(error)}`);
    return error;
  };
  return { upstream, pauses, client, get, failure };
}

const text = (body: Uint8Array): string => Buffer.from(body).toString('utf8');

describe('a reply', () => {
  it('comes with its status, lower-case header names and body', async () => {
    const { get } = await given([turns.status(404, { 'X-Note': 'none' }, 'no such call')]);
    const reply = await get();
    expect(reply.status).toBe(404);
    expect(reply.headers['x-note']).toBe('none');
    expect(text(reply.body)).toBe('no such call');
  });

  it('is asked for compressed, by name, and with the headers of the source', async () => {
    const zipped = turns.ok(gzipSync('{"a":1}'), { 'content-encoding': 'gzip' });
    const { get, upstream } = await given([zipped]);
    const reply = await get('/', { 'digitraffic-user': 'someone/app' });
    expect(text(reply.body)).toBe('{"a":1}');
    expect(upstream.requests[0]?.headers).toMatchObject({
      'accept-encoding': 'gzip',
      'user-agent': 'port-congestion-data-service/0.1 (ops@example.com)',
      'digitraffic-user': 'someone/app',
    });
  });

  it('names the product alone when the stage has no contact', () => {
    expect(userAgent(undefined)).toBe('port-congestion-data-service/0.1');
  });

  it('may be empty', async () => {
    const { get } = await given([turns.status(204)]);
    expect(await get()).toMatchObject({ status: 204, body: new Uint8Array() });
  });
});

describe('retries', () => {
  it('repeats a request whose compressed body is cut off before its first byte of content', async () => {
    const cut = gzipSync('{"a":1}').subarray(0, 10);
    const script = [turns.ok(cut, { 'content-encoding': 'gzip' }), turns.ok('good')];
    const { get } = await given(script);
    expect(text((await get()).body)).toBe('good');
  });

  it('repeats a request whose connection ends within a compressed body', async () => {
    const zipped = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, at) => `${at} `).join('')));
    const cut = turns.halfBody(zipped, { 'content-encoding': 'gzip' });
    const { get, upstream } = await given([cut, turns.ok('good')], {}, 100_000);
    expect(text((await get()).body)).toBe('good');
    expect(upstream.requests).toHaveLength(2);
  });

  it('recovers from a 500, a reset and a half body, waiting half of 500, 1,000 and 2,000 ms with an even coin', async () => {
    const script = [turns.status(500), turns.reset(), turns.halfBody('x'.repeat(400)), turns.ok('good')];
    const { get, pauses, upstream } = await given(script);
    expect(text((await get()).body)).toBe('good');
    expect(pauses).toEqual([250, 500, 1_000]);
    expect(upstream.requests).toHaveLength(4);
  });

  it('recovers from a stall after the time of one try', async () => {
    const { get } = await given([turns.stall(), turns.ok('good')], { tryTimeoutMs: 1_500 });
    expect(text((await get()).body)).toBe('good');
  });

  it('reads a streamed body that stalls again from its beginning', async () => {
    const { client, upstream } = await given(
      [turns.stallInBody('one two '), turns.halfBody('one two '), turns.ok('one two ')],
      { tryTimeoutMs: 1_500 },
    );
    const read: string[] = [];
    const reply = await client.get(`${upstream.origin}/`, {}, async (chunks) => {
      read.push('');
      for await (const chunk of chunks) read.push(`${read.pop()}${text(chunk)}`);
    });
    expect(read).toEqual(['one ', 'one ', 'one two ']);
    expect(reply).toMatchObject({ status: 200, body: new Uint8Array() });
  });

  it('gives up on a streamed body that always stalls, and says that time ran out', async () => {
    const { client, upstream } = await given([turns.stallInBody('one two ')], {
      tries: 2,
      tryTimeoutMs: 300,
    });
    const reading = client.get(`${upstream.origin}/`, {}, async (chunks) => {
      for await (const _ of chunks);
    });
    await expect(reading).rejects.toMatchObject({ reason: 'timed-out' });
    expect(upstream.requests).toHaveLength(2);
  });

  it('gives up after its tries and says what the last one was', async () => {
    const { failure, upstream } = await given([turns.status(503)], { tries: 3 });
    const error = await failure('/calls?key=very-secret');
    expect(error.reason).toBe('refused');
    expect(error.message).toContain('status 503');
    expect(error.message).not.toContain('very-secret');
    expect(upstream.requests).toHaveLength(3);
  });

  it('says that time ran out when nothing ever comes', async () => {
    const { failure } = await given([turns.stall()], { tries: 2, tryTimeoutMs: 50 });
    expect((await failure()).reason).toBe('timed-out');
  });

  it('stays within the total time', async () => {
    const busy = turns.status(500, { 'retry-after': '60' });
    const { failure, upstream } = await given([busy], { totalTimeoutMs: 60_000 });
    expect((await failure()).reason).toBe('refused');
    expect(upstream.requests).toHaveLength(1);
  });

  it('never repeats a request that was refused for good', async () => {
    const { get, upstream } = await given([turns.status(400, {}, 'too many hits')]);
    expect((await get()).status).toBe(400);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it('is honoured in seconds, with the jitter on top', async () => {
    const { get, pauses } = await given([turns.status(429, { 'retry-after': '7' }), turns.ok('good')]);
    await get();
    expect(pauses).toEqual([7_250]);
  });

  it('beyond the bound ends the pass and is handed on', async () => {
    const { failure, pauses } = await given([turns.status(429, { 'retry-after': '3600' })]);
    expect(await failure()).toMatchObject({ reason: 'rate-limited', retryAfterSeconds: 3_600 });
    expect(pauses).toEqual([]);
  });
});

describe('limits', () => {
  it('stops a reply that is larger than declared', async () => {
    const { failure, upstream } = await given([turns.ok('x'.repeat(10_000))]);
    expect((await failure()).reason).toBe('too-large');
    expect(upstream.requests).toHaveLength(1);
  });

  it('counts what a small compressed reply inflates to', async () => {
    const bomb = turns.ok(gzipSync(Buffer.alloc(5_000_000)), { 'content-encoding': 'gzip' });
    const { failure } = await given([bomb], {}, 100_000);
    expect((await failure()).reason).toBe('too-large');
  });

  it('takes a reply of exactly the declared size', async () => {
    const { get } = await given([turns.ok('x'.repeat(1_000))]);
    expect((await get()).body).toHaveLength(1_000);
  });

  it('refuses a body that is not in the coding it claims', async () => {
    const { failure } = await given([turns.ok('plain', { 'content-encoding': 'gzip' })], { tries: 1 });
    expect((await failure()).reason).toBe('network');
  });

  it('refuses a coding that was not requested', async () => {
    const { failure } = await given([turns.ok('data', { 'content-encoding': 'zstd' })], { tries: 1 });
    expect((await failure()).reason).toBe('unknown-coding');
  });
});

describe('hosts', () => {
  it('follows a redirect that stays on the declared host', async () => {
    const { get, upstream } = await given([turns.status(302, { location: '/new' }), turns.ok('moved')]);
    expect(text((await get('/old')).body)).toBe('moved');
    expect(upstream.requests.map((request) => request.url)).toEqual(['/old', '/new']);
  });

  it.each(['http://127.0.0.1:1/', 'https://elsewhere.example/', 'file:///etc/hostname', 'http://[bad'])(
    'refuses a redirect to %s',
    async (location) => {
      const { failure, upstream } = await given([turns.status(301, { location })]);
      expect((await failure()).reason).toBe('redirect-refused');
      expect(upstream.requests).toHaveLength(1);
    },
  );

  it('refuses a ring of redirects', async () => {
    const { failure, upstream } = await given([turns.status(307, { location: '/again' })]);
    expect((await failure()).reason).toBe('redirect-refused');
    expect(upstream.requests).toHaveLength(4);
  });

  it.each(['https://elsewhere.example/', 'http://elsewhere.example/', 'nonsense', 'ftp://127.0.0.1/'])(
    'asks nothing of %s',
    async (address) => {
      const { client } = await given([turns.ok('never')]);
      await expect(client.get(address)).rejects.toMatchObject({ reason: 'host-refused' });
    },
  );

  it('speaks plain http only where the loopback is allowed', async () => {
    const { upstream } = await given([turns.ok('never')]);
    const client = fetchHttpClient(
      { hosts: [upstream.host], maxReplyBytes: 10 },
      { now: () => 0, random: () => 0, sleep: async () => undefined },
    );
    await expect(client.get(upstream.origin)).rejects.toMatchObject({ reason: 'host-refused' });
    expect(upstream.requests).toEqual([]);
  });
});
