/** Sections 6, 7 and 9: no events, errors, versioning. */
import { describe, it } from '@jest/globals';
import { get, PORT } from './service.ts';
import { expectError } from './statements.ts';

describe('6. Events', () => {
  it('[S6.01] "Events (webhooks, notifications or streams): not shown", so there are none', async () => {
    for (const path of ['/v1/events', '/v1/webhooks']) expectError(await get(path), 404, 'not_found');
  });
});

describe('7. Errors', () => {
  it('[S7.03] [S7.04] [S7.05] [S7.06] [S7.09] "code, message, request_id, hint" on 409 and 422', async () => {
    const trend = `/v1/ports/${PORT}/trend`;
    expectError(await get(`${trend}?window=7d&days=7`), 409, 'conflict');
    for (const query of ['window=12h', 'days=abc', 'window=7d&format=xml'])
      expectError(await get(`${trend}?${query}`), 422, 'validation_failed');
  });

  it('[S7.06] [gateway] "code, message, request_id, hint" on 400', async () => {
    expectError(await get(`/v1/ports/${PORT}/trend?window=%ZZ`), 400, 'bad_request');
  });

  it('[S7.13] gateway-made errors use the same envelope, whatever is sent', async () => {
    expectError(await get('/v1/ports'.repeat(50)), 404, 'not_found');
    expectError(await get('/v1/meta/sources', { key: 'x' }), 401, 'auth_invalid');
    expectError(await get(`/v1/${'%E2%98%83'.repeat(100)}`), 404, 'not_found');
  });
});

describe('9. Versioning', () => {
  it('[S9.01] "The major version is part of every path: /v1"', async () => {
    for (const path of ['/health', `/ports/${PORT}/snapshot`, '/v2/health'])
      expectError(await get(path), 404, 'not_found');
  });
});
