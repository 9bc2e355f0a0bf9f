/** The gateway of one machine behaves as API Gateway does: a table of requests, and cases that do not fit a table. */
import { connect, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { checkPort } from '../../../local/gateway.ts';
import type { Reply } from '../../builders/loopback.ts';
import { startTestGateway, type TestGateway } from '../../builders/running-gateway.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let gateway: TestGateway;
let good: string;
beforeAll(async () => {
  gateway = await startTestGateway({ hosts: ['box.example'] });
  good = gateway.key('good', 'starter');
  gateway.key('off', 'starter', { enabled: false });
  gateway.key('free');
});
afterAll(() => gateway.close());

const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });
const eventOf = (reply: Reply) => JSON.parse(reply.body);
const port = (value: string): string => `/v1/ports/${value}/trend`;

describe('gateway-made responses', () => {
  it.each([
    ['a path that is none', 'GET', '/v1/nope', undefined, 404, 'not_found'],
    ['a resource without methods', 'GET', '/v1/ports/a', undefined, 404, 'not_found'],
    ['a path that goes on', 'GET', '/v1/ports/a/trend/b', undefined, 404, 'not_found'],
    ['an empty segment', 'GET', '/v1/ports//trend', 'good', 404, 'not_found'],
    ['another case', 'GET', '/V1/health', undefined, 404, 'not_found'],
    ['another method', 'POST', port('a'), undefined, 404, 'not_found'],
    ['another method, with a key', 'DELETE', port('a'), 'good', 404, 'not_found'],
    ['no key', 'GET', port('a'), undefined, 401, 'auth_missing'],
    ['an empty key', 'GET', port('a'), '', 401, 'auth_missing'],
    ['a malformed key', 'GET', port('a'), 'malformed', 401, 'auth_invalid'],
    ['an unknown key', 'GET', port('a'), 'stranger', 401, 'auth_invalid'],
    ['a disabled key', 'GET', port('a'), 'off', 403, 'auth_forbidden'],
    ['a key on no plan', 'GET', port('a'), 'free', 403, 'auth_forbidden'],
    ['a key store that fails', 'GET', port('a'), 'broken', 503, 'upstream_error'],
    ['a function that throws', 'GET', port('throw'), 'good', 502, 'upstream_error'],
    ['a function that takes too long', 'GET', port('hang'), 'good', 502, 'upstream_error'],
  ])('%s', async (_, method, path, key, status, code) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
    const reply = await gateway.send(path, { method, headers });
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json']);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['x-request-id']).toMatch(UUID);
    expect(JSON.parse(reply.body)).toMatchObject({ code, request_id: reply.headers['x-request-id'] });
    expect(reply.body).not.toContain('secret inside');
  });

  it('two different keys are none', async () => {
    const reply = await gateway.send(port('a'), { headers: { 'X-API-Key': [good, 'other'] } });
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([401, 'auth_invalid']);
  });

  it('says how long to wait where the table of errors has it', async () => {
    const reply = await gateway.send(port('a'), withKey('broken'));
    expect(reply.headers['retry-after']).toBe('5');
  });

  it('never takes the request id of the client', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const reply = await gateway.send('/v1/nope', { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).not.toBe(id);
  });

  it('logs what failed behind it', async () => {
    await gateway.send(port('throw'), withKey(good));
    expect(gateway.reports.at(-1)).toBe(`GET ${port('throw')}: the function failed: secret inside`);
  });
});

describe('the event', () => {
  it('has the resource, the path as it came, the query decoded, and the caller', async () => {
    const reply = await gateway.send(`${port('a%2Fb%20c')}?x=1&x=2&y=a+b%21`, {
      headers: { 'X-API-Key': good, 'X-Two': ['1', '2'] },
    });
    const event = eventOf(reply);
    expect(event).toMatchObject({
      resource: '/v1/ports/{UNLOCODE}/trend',
      path: port('a%2Fb%20c'),
      httpMethod: 'GET',
      pathParameters: { UNLOCODE: 'a%2Fb%20c' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['a b!'] },
      requestContext: { authorizer: { keyState: 'active', tier: 'starter', rateLimitLimit: '60' } },
    });
    expect(event.multiValueHeaders['x-two']).toEqual(['1', '2']);
    expect(event.requestContext.requestId).toMatch(UUID);
  });

  it('has nulls where there is nothing', async () => {
    const event = eventOf(await gateway.send('/v1/health?'));
    expect(event).toMatchObject({ pathParameters: null, multiValueQueryStringParameters: null });
    expect(event.requestContext.authorizer).toBeUndefined();
  });

  it.each([
    [port('%ZZ'), '%ZZ', undefined],
    [port('%C3%28'), '%C3%28', undefined],
    [`${port('a')}?window=%ZZ`, 'a', ['%ZZ']],
    [`${port('a')}?window=7%`, 'a', ['7%']],
  ])('has broken escapes as they came: %s', async (path, value, window) => {
    const event = eventOf(await gateway.send(path, withKey(good)));
    expect(event.pathParameters.UNLOCODE).toBe(value);
    expect(event.multiValueQueryStringParameters?.window).toEqual(window);
  });

  it('takes names that objects have already', async () => {
    const text = await gateway.raw(
      'GET /v1/health?constructor=1&__proto__=2 HTTP/1.1\r\nHost: localhost\r\nconstructor: x\r\n__proto__: y\r\nConnection: close\r\n\r\n',
    );
    const event = JSON.parse(text.split('\r\n\r\n')[1] ?? '');
    expect(Object.entries(event.multiValueQueryStringParameters)).toEqual([
      ['constructor', ['1']],
      ['__proto__', ['2']],
    ]);
    expect(event.multiValueHeaders.constructor).toEqual(['x']);
    expect(Object.keys(event.multiValueHeaders)).toContain('__proto__');
  });

  it('has a trailing slash in its path, which the router ignores', async () => {
    expect(eventOf(await gateway.send('/v1/health/'))).toMatchObject({
      resource: '/v1/health',
      path: '/v1/health/',
    });
    expect((await gateway.send('/v1/health//')).status).toBe(404);
  });

  it('takes a request target in absolute form', async () => {
    const text = await gateway.raw(
      'GET http://127.0.0.1/v1/health?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1.1 200/);
  });
});

describe('the response', () => {
  it('has the length of its body', async () => {
    const reply = await gateway.send('/v1/health');
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
  });

  it('to HEAD is that to GET without the body', async () => {
    const head = await gateway.send(port('a'), { method: 'HEAD', ...withKey(good) });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const refused = await gateway.send(port('a'), { method: 'HEAD' });
    expect([refused.status, refused.body]).toEqual([401, '']);
    expect(refused.headers['x-request-id']).toMatch(UUID);
  });

  it('304 has neither body nor length', async () => {
    const reply = await gateway.send(port('unchanged'), withKey(good));
    expect([reply.status, reply.body, reply.headers['content-length']]).toEqual([304, '', undefined]);
    expect(reply.headers.etag).toBe('"a"');
  });
});

describe('the host of a request', () => {
  const ask = (head: string) => gateway.raw(`GET ${head}\r\nConnection: close\r\n\r\n`);
  it.each([
    '127.0.0.1',
    '127.0.0.1:3000',
    '127.0.0.2',
    'localhost:1',
    'LOCALHOST',
    '[::1]:3000',
    'box.example',
    'Box.Example:80',
  ])('may be %s', async (host) => {
    expect(await ask(`/v1/health HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1.1 200/);
  });

  it('listens on loopback alone, and on every address with the host 0.0.0.0, which no request may name', async () => {
    const { listen } = Server.prototype;
    const addresses: unknown[] = [];
    // No test listens beyond loopback.
    const spy = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args) {
      const [port, address, done] = args as unknown as [number, string, () => void];
      addresses.push(address);
      return Reflect.apply(listen, this, [port, '127.0.0.1', done]);
    });
    const open = await startTestGateway({ hosts: ['0.0.0.0', 'box.example'] });
    await (await startTestGateway()).close();
    spy.mockRestore();
    expect(addresses).toEqual(['0.0.0.0', '127.0.0.1']);
    const statusFor = async (host: string): Promise<string | undefined> =>
      /^HTTP\/1.1 (\d+)/.exec(
        await open.raw(`GET /v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      )?.[1];
    expect(await Promise.all(['box.example', 'localhost', '0.0.0.0', '192.0.2.1'].map(statusFor))).toEqual([
      '200',
      '200',
      '403',
      '403',
    ]);
    await open.close();
  });

  it.each([
    ['of elsewhere', '/v1/health HTTP/1.1\r\nHost: rebound.example'],
    ['of elsewhere that begins like this one', '/v1/health HTTP/1.1\r\nHost: 127.0.0.1.rebound.example'],
    ['below localhost', '/v1/health HTTP/1.1\r\nHost: localhost.rebound.example'],
    [
      'of the absolute form, whatever the header',
      'http://rebound.example/v1/health HTTP/1.1\r\nHost: localhost',
    ],
  ])('%s is refused with 403 and the envelope', async (_, head) => {
    const text = await ask(head);
    expect(text).toMatch(/^HTTP\/1.1 403 Forbidden/);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'bad_request' });
  });

  it.each([
    ['missing', '/v1/health HTTP/1.1'],
    ['given twice', '/v1/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost'],
    ['missing beside the absolute form', 'http://localhost/v1/health HTTP/1.1'],
  ])('%s is 400', async (_, head) => {
    expect(await ask(head)).toMatch(/^HTTP\/1.1 400 Bad Request/);
  });
});

describe('a malformed request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    [
      'headers beyond any measure',
      `GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
    ['a target beyond any measure', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ['a control character in a header', 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-A: \x01\r\n\r\n'],
    [
      'a transfer coding that is none',
      'POST /v1/health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n',
    ],
    [
      'two lengths',
      'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
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
    ['a method that no server knows', 'FETCH /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a method in lower case', 'get /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
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
    const request = `GET ${port(thing)} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${good}\r\n\r\n`;
    const text = await gateway.raw(`${request}${request}garbage\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    const last = text.slice(text.lastIndexOf('HTTP/1.1'));
    const id = /x-request-id: (\S+)/.exec(last)?.[1];
    expect(id).toMatch(UUID);
    expect(JSON.parse(last.split('\r\n\r\n')[1] ?? '')).toMatchObject({ request_id: id });
  });

  it.each([
    ['of HTTP/1.0', 'GET /v1/health HTTP/1.0\r\n\r\n'],
    [
      'that expects something',
      'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    ],
    [
      'with a body',
      'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
    ],
    [
      'that would like another protocol',
      'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n',
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
                `GET ${port(index % 2 ? 'hang' : 'a')} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${good}\r\n\r\n`,
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
    const underWay = other.send(port('hang'), withKey(other.key('good', 'starter')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [reply] = await Promise.all([underWay, other.close()]);
    expect(reply.status).toBe(502);
    await expect(other.send('/v1/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('names the port that is taken', async () => {
    await expect(checkPort(gateway.port, [])).rejects.toThrow(`port ${gateway.port} is in use`);
  });

  it('refuses a port that browsers refuse before it opens it', async () => {
    await expect(checkPort(10080, [])).rejects.toThrow(
      'browsers refuse to connect to port 10080: choose another with --port',
    );
  });
});
