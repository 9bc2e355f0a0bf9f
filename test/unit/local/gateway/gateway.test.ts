/** The local gateway behaves as API Gateway does: a table of requests, and cases that do not fit a table. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Reply } from '../../../builders/loopback.ts';
import { keyOnPlan, startTestGateway, type TestGateway } from './running-gateway.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let gateway: TestGateway;
let good: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  good = keyOnPlan(gateway, 'Starter');
  gateway.controlPlane.updatePlan(
    gateway.controlPlane.listPlans().find(({ name }) => name === 'Starter')?.id ?? '',
    { throttle: { ratePerSecond: 1, burst: 10_000 }, monthlyQuota: 1_000_000 },
  );
});
afterAll(() => gateway.close());

const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });
const eventOf = (reply: Reply) => JSON.parse(reply.body).event;

describe('gateway-made responses', () => {
  const disabled = 'gooddisabled'.padEnd(32, '0');
  const unplanned = 'goodunplanned'.padEnd(32, '0');
  beforeAll(() => {
    gateway.controlPlane.createKey({ name: 'off', value: disabled, enabled: false });
    gateway.controlPlane.createKey({ name: 'free', value: unplanned });
  });

  it.each([
    ['a path that is none', 'GET', '/v1/nope', undefined, 404, 'not_found'],
    ['a resource without methods', 'GET', '/v1/things', undefined, 404, 'not_found'],
    ['a path that goes on', 'GET', '/v1/things/a/b', undefined, 404, 'not_found'],
    ['another case', 'GET', '/V1/health', undefined, 404, 'not_found'],
    ['another method', 'POST', '/v1/things/a', undefined, 404, 'not_found'],
    ['a method that the resource lacks', 'HEAD', '/v1/health', undefined, 404, 'not_found'],
    ['another method, with a key', 'DELETE', '/v1/things/a', 'good', 404, 'not_found'],
    ['no key', 'GET', '/v1/things/a', undefined, 401, 'auth_missing'],
    ['an empty key', 'GET', '/v1/things/a', '', 401, 'auth_missing'],
    ['an authorizer that says Unauthorized', 'GET', '/v1/things/a', 'unauthorized', 401, 'auth_missing'],
    ['a key that is denied', 'GET', '/v1/things/a', 'nobody', 401, 'auth_invalid'],
    ['an allowed key that the gateway lacks', 'GET', '/v1/things/a', 'goodstranger', 403, 'auth_forbidden'],
    ['a disabled key', 'GET', '/v1/things/a', disabled, 403, 'auth_forbidden'],
    ['a key on no plan', 'GET', '/v1/things/a', unplanned, 403, 'auth_forbidden'],
    ['an authorizer that fails', 'GET', '/v1/things/a', 'broken', 503, 'upstream_error'],
    ['an authorizer that takes too long', 'GET', '/v1/things/a', 'hang', 503, 'upstream_error'],
    ['an authorizer that returns nonsense', 'GET', '/v1/things/a', 'odd', 500, 'internal_error'],
    ['a function that throws', 'GET', '/v1/things/throw', 'good', 502, 'upstream_error'],
    ['a function that takes too long', 'GET', '/v1/things/hang', 'good', 502, 'upstream_error'],
    ['a function without a status', 'GET', '/v1/things/malformed', 'good', 502, 'upstream_error'],
    ['a function that splits headers', 'GET', '/v1/things/injected', 'good', 502, 'upstream_error'],
  ])('%s', async (_, method, path, key, status, code) => {
    const headers: Record<string, string> =
      key === undefined ? {} : { 'X-API-Key': key === 'good' ? good : key };
    const reply = await gateway.send(path, { method, headers });
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json']);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['x-request-id']).toMatch(UUID);
    if (method !== 'HEAD')
      expect(JSON.parse(reply.body)).toMatchObject({ code, request_id: reply.headers['x-request-id'] });
    expect(reply.body).not.toContain('secret inside');
  });

  it('says how long to wait where the template has it', async () => {
    const reply = await gateway.send('/v1/things/a', withKey('broken'));
    expect(reply.headers['retry-after']).toBe('5');
  });

  it('never takes the request id of the client', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const reply = await gateway.send('/v1/nope', { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).not.toBe(id);
  });

  it('logs what failed behind it', async () => {
    await gateway.send('/v1/things/throw', withKey(good));
    expect(gateway.reports.at(-1)).toBe('GET /v1/things/throw: the function failed: secret inside');
  });
});

describe('the event', () => {
  it('has the resource, the path as it came, the query decoded, and the caller', async () => {
    const reply = await gateway.send('/v1/things/a%2Fb%20c?x=1&x=2&y=a+b%21', {
      headers: { 'X-API-Key': good, 'X-Two': ['1', '2'], 'User-Agent': 'tester' },
    });
    const event = eventOf(reply);
    expect(event).toMatchObject({
      resource: '/v1/things/{id}',
      path: '/v1/things/a%2Fb%20c',
      httpMethod: 'GET',
      pathParameters: { id: 'a%2Fb%20c' },
      queryStringParameters: { x: '2', y: 'a b!' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['a b!'] },
      body: null,
      isBase64Encoded: false,
    });
    expect(event.multiValueHeaders['X-Two']).toEqual(['1', '2']);
    expect(event.headers['X-Two']).toBe('2');
    expect(event.requestContext).toMatchObject({
      stage: 'dev',
      resourcePath: '/v1/things/{id}',
      path: '/dev/v1/things/a%2Fb%20c',
      requestId: reply.headers['x-request-id'],
      requestTime: '01/Mar/2026:12:00:00 +0000',
      authorizer: { principalId: good, limit: '60' },
      identity: { sourceIp: '127.0.0.1', userAgent: 'tester', apiKey: good },
    });
  });

  it('has nulls where there is nothing', async () => {
    const event = eventOf(await gateway.send('/v1/health?'));
    expect(event).toMatchObject({
      pathParameters: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
    expect(event.requestContext.authorizer).toBeUndefined();
  });

  it.each([
    ['/v1/things/%ZZ', '%ZZ', undefined],
    ['/v1/things/%C3%28', '%C3%28', undefined],
    ['/v1/things/a?window=%ZZ', 'a', '%ZZ'],
    ['/v1/things/a?window=7%', 'a', '7%'],
  ])('hands broken escapes over as they came: %s', async (path, id, window) => {
    const event = eventOf(await gateway.send(path, withKey(good)));
    expect(event.pathParameters.id).toBe(id);
    expect(event.queryStringParameters?.window).toBe(window);
  });

  it('survives names that objects have already', async () => {
    const reply = await gateway.send('/v1/health?constructor=1&__proto__=2', {
      headers: { constructor: 'x', __proto__: 'y' },
    });
    expect(eventOf(reply)).toMatchObject({ multiValueQueryStringParameters: { constructor: ['1'] } });
    expect(eventOf(reply).multiValueHeaders.constructor).toEqual(['x']);
  });

  it('takes a request target in absolute form', async () => {
    const text = await gateway.raw(
      `GET http://elsewhere/v1/health?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 200/);
  });
});

describe('the response', () => {
  it('keeps several values of a header, and frames the body itself', async () => {
    const reply = await gateway.send('/v1/health');
    const two = reply.rawHeaders.filter((_, index) => reply.rawHeaders[index - 1] === 'X-Two');
    expect(two).toEqual(['1', '2']);
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
    expect(reply.headers['content-type']).toBe('application/json');
  });

  it('to HEAD is that to GET without the body', async () => {
    const head = await gateway.send('/v1/things/a', { method: 'HEAD', ...withKey(good) });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const refused = await gateway.send('/v1/things/a', { method: 'HEAD' });
    expect([refused.status, refused.body]).toEqual([401, '']);
    expect(refused.headers['x-request-id']).toMatch(UUID);
  });

  it('304 has neither body nor length', async () => {
    const reply = await gateway.send('/v1/things/unchanged', withKey(good));
    expect([reply.status, reply.body, reply.headers['content-length']]).toEqual([304, '', undefined]);
    expect(reply.headers.etag).toBe('"a"');
  });
});

describe('what is no request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    [
      'headers beyond any measure',
      `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
    ['a target beyond any measure', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a control character in a header', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A: \x01\r\n\r\n'],
    ['two lengths', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('%s gets the envelope', async (_, bytes) => {
    const text = await gateway.raw(bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(head).toContain('Content-Type: application/json');
    const id = /x-request-id: (\S+)/.exec(head)?.[1];
    expect(id).toMatch(UUID);
    expect(JSON.parse(body)).toMatchObject({ code: 'bad_request', request_id: id });
  });

  it.each([
    ['CONNECT', 'CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n'],
    ['a method that no server knows', 'FETCH /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in lower case', 'get /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s is another method: 404', async (_, bytes) => {
    const [head = '', body = ''] = (await gateway.raw(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 404 Not Found\r\n/);
    const id = /x-request-id: (\S+)/.exec(head)?.[1];
    expect(id).toMatch(UUID);
    expect(JSON.parse(body)).toMatchObject({ code: 'not_found', request_id: id });
  });

  it.each([
    ['at once', 'a'],
    ['from a slow function', 'slow'],
  ])('garbage after a good request: first the answer %s, then 400 with its own id', async (_, thing) => {
    const request = `GET /v1/things/${thing} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${good}\r\n\r\n`;
    const text = await gateway.raw(`${request}${request}garbage\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    const last = text.slice(text.lastIndexOf('HTTP/1.1'));
    const id = /x-request-id: (\S+)/.exec(last)?.[1];
    expect(id).toMatch(UUID);
    expect(JSON.parse(last.split('\r\n\r\n')[1] ?? '')).toMatchObject({ request_id: id });
  });

  it.each([
    ['without a host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['of HTTP/1.0', 'GET /v1/health HTTP/1.0\r\n\r\n'],
    [
      'that expects something',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    ],
    [
      'with a body',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
    ],
    [
      'that would like another protocol',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
  ])('a request %s gets a response', async (_, bytes) => {
    expect(await gateway.raw(bytes)).toMatch(/^HTTP\/1.1 200/);
  });
});

describe('connections', () => {
  it('outlives clients that hang up in the middle', async () => {
    await Promise.all(
      Array.from(
        { length: 50 },
        (_, index) =>
          new Promise<void>((resolve) => {
            const socket = connect(gateway.port, '127.0.0.1', () => {
              socket.write(
                `GET /v1/things/${index % 2 ? 'hang' : 'a'} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${good}\r\n\r\n`,
              );
              setTimeout(() => socket.resetAndDestroy(), index % 7);
            });
            socket.on('error', () => {});
            socket.on('close', () => resolve());
          }),
      ),
    );
    expect((await gateway.send('/v1/health')).status).toBe(200);
  });

  it('ends in order: requests under way get their responses', async () => {
    const other = await startTestGateway();
    const key = keyOnPlan(other, 'Starter');
    const underWay = other.send('/v1/things/hang', withKey(key));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [reply] = await Promise.all([underWay, other.close()]);
    expect(reply.status).toBe(502);
    await expect(other.send('/v1/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('names the port that is taken', async () => {
    const { serveGateway } = await import('../../../../local/gateway/gateway-server.ts');
    const taken = serveGateway({ listener: () => {}, refusal: () => '' }, gateway.port);
    await expect(taken).rejects.toThrow(`port ${gateway.port} is in use`);
  });
});
