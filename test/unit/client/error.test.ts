/** Errors say what happened and what to do, and never the key. */
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createClient, PortCongestionError } from '../../../packages/client/index.ts';
import { KEY, REQUEST_ID, rejection, type Step, virtualService } from './virtual-service.ts';

it('is the envelope of the service, with the whole response beside it', async () => {
  const { get } = virtualService([{ status: 429, headers: { 'Retry-After': '99' } }]);
  expect(await rejection(get())).toEqual({
    status: 429,
    code: 'rate_limited',
    message: 'Status 429.',
    request_id: REQUEST_ID,
    hint: 'Do better.',
  });
});

it('is a PortCongestionError where something other than the service responds', async () => {
  const { get } = virtualService([{ status: 404, body: '<html>' }]);
  const error = await rejection<PortCongestionError>(get());
  expect(error).toBeInstanceOf(PortCongestionError);
  expect({ ...error }).toEqual({
    name: 'PortCongestionError',
    code: 'invalid_response',
    status: 404,
    attempts: 1,
  });
  expect(error.message).toContain('Check baseUrl');
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
    ['a body that is not an envelope', { status: 500, body: KEY }],
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
    const { get } = virtualService([step], { maxRetries: 0 });
    const error = await rejection(get());
    expect(shown(error)).not.toContain(KEY);
    // The check can fail: the key does show where somebody puts it.
    expect(shown(new Error(KEY))).toContain(KEY);
  });

  it('the client itself', () => {
    const client = createClient({ baseUrl: 'http://service.test', apiKey: KEY });
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(client)).toBe('{}');
  });

  it.each(['', 'with space', 'line\nend', 'é', '\u0000'])('a refusal of the key %j', (part) => {
    const apiKey = part === '' ? '' : `pcd_dev_secret${part}`;
    const make = () => createClient({ baseUrl: 'http://service.test', apiKey });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/secret/);
  });
});

it.each(['', 'service.test', 'ftp://service.test', 'http://', '/v1'])(
  'refuses the base address %j',
  (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(/baseUrl/);
  },
);
