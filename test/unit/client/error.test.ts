/** Errors say what happened and what to do, and never the key. */
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { PortCongestionClient, PortCongestionError } from '../../../packages/client/index.ts';
import { KEY, REQUEST_ID, rejection, type Step, virtualService } from './virtual-service.ts';

it('carries status, code, hint, request id and wait', async () => {
  const { client } = virtualService([{ status: 429, headers: { 'Retry-After': '99' } }]);
  const error = await rejection<PortCongestionError>(client.get('sources'));
  expect(error).toBeInstanceOf(PortCongestionError);
  expect(error).toBeInstanceOf(Error);
  expect({ ...error }).toEqual({
    name: 'PortCongestionError',
    code: 'rate_limited',
    status: 429,
    reason: 'Status 429.',
    hint: 'Do better.',
    requestId: REQUEST_ID,
    retryAfterSeconds: 99,
    attempts: 1,
  });
  expect(error.message).toBe('429: Status 429. Do better.');
});

it('takes no request id that is no UUID', async () => {
  const { client } = virtualService([{ status: 404, headers: { 'x-request-id': 'mine' } }]);
  expect(await rejection(client.get('sources'))).toMatchObject({ status: 404, requestId: undefined });
});

describe('the key stays out of', () => {
  /** Everything that a log could show of an error. */
  const shown = (error: unknown): string =>
    [
      inspect(error, { depth: 20, showHidden: true }),
      String(error),
      JSON.stringify(error),
      (error as Error).stack,
    ].join();

  it.each<[string, Step]>([
    [
      'a response that echoes it',
      { status: 422, body: JSON.stringify({ code: 'validation_failed', message: `bad ${KEY}`, hint: KEY }) },
    ],
    ['a code that is it', { status: 422, body: JSON.stringify({ code: KEY, message: 'x' }) }],
    ['a request id that is it', { status: 404, headers: { 'x-request-id': KEY } }],
    ['a body that is no envelope', { status: 500, body: KEY }],
    ['a successful response that cannot be read', { status: 200, body: KEY }],
    [
      'a network error that quotes it',
      { throws: new Error(`header ${KEY} refused`, { cause: new Error(KEY) }) },
    ],
    [
      'a network error that carries the request',
      { throws: Object.assign(new Error('no'), { request: { headers: { 'X-API-Key': KEY } } }) },
    ],
  ])('%s', async (_, step) => {
    const { client } = virtualService([step], { maxRetries: 0 });
    const error = await rejection(client.get('sources'));
    expect(shown(error)).not.toContain(KEY);
    // The check can fail: the key does show where somebody puts it.
    expect(shown(new Error(KEY))).toContain(KEY);
  });

  it('the client itself', () => {
    expect(inspect(virtualService([200]).client, { depth: 20, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(virtualService([200]).client)).toBe('{}');
  });

  it.each(['', 'with space', 'line\nend', 'é', '\u0000'])('a refusal of the key %j', (part) => {
    const apiKey = part === '' ? '' : `pcd_dev_secret${part}`;
    const make = () => new PortCongestionClient({ baseUrl: 'http://service.test', apiKey });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/secret/);
  });
});

it.each(['', 'service.test', 'ftp://service.test', 'http://', '/v1'])(
  'refuses the base address %j',
  (baseUrl) => {
    expect(() => new PortCongestionClient({ baseUrl })).toThrow(/baseUrl/);
  },
);
