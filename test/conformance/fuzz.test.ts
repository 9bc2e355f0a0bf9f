/** Hostile requests as bytes over HTTP, which no client library sends, and the log that they produce. */
import { describe, expect, it } from '@jest/globals';
import { extent } from '../builders/extent.ts';
import { tryOverHttp } from '../fuzz/over-http.ts';
import { logFaults, responseFaults } from '../fuzz/response-rules.ts';
import { ASSEMBLY, SAMPLE_INGEST } from './sample-service.ts';
import { isDeployed } from './service.ts';

/** Fixed, so that a failure is the change's. */
const SEED = 20_261_120;
const local = isDeployed ? describe.skip : describe;

local('hostile requests find nothing', () => {
  it('as bytes over HTTP', async () => {
    const service = { assembly: ASSEMBLY, ingest: { sources: ['sample-simulator'], bundle: SAMPLE_INGEST } };
    const tally = await tryOverHttp(service, { runs: extent(400, 800), seed: SEED });
    // Few kinds of responses would test little.
    expect([...tally.keys()]).toEqual(expect.arrayContaining([200, 304, 400, 401, 403, 404, 409, 422]));
  });
});

describe('the rules for responses name', () => {
  const ID = '0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71';
  const asked = { method: 'GET', path: '/v1/health', sent: [] as string[] };
  const good = {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': ID,
    },
    body: '{"status":"ok","time":"2026-01-01T00:00:00Z","region":"local"}',
  };
  const withHeader = (name: string, value: string) => ({
    ...good,
    headers: { ...good.headers, [name]: value },
  });
  const csv = (cell: string) => ({
    ...withHeader('content-type', 'text/csv; charset=utf-8'),
    body: `name\n${cell}\n`,
  });

  it('nothing of a good response', () => expect(responseFaults(asked, good)).toEqual([]));

  it.each([
    ['a fault of the service', { ...good, status: 502 }, /status 502/],
    ['no id', withHeader('x-request-id', 'x'), /x-request-id is "x"/],
    ['a header that ends its line', withHeader('link', 'a\r\nb'), /header link/],
    ['a header in other letters', withHeader('link', 'ü'), /header link/],
    ['a formula in a cell', csv('=1+1'), /a formula/],
    ['a line separator in a cell', csv('a\u2028b'), /control character/],
  ])('%s', (_, response, fault) => expect(responseFaults(asked, response).join()).toMatch(fault));

  it("a client's own id", () => {
    expect(responseFaults({ ...asked, sent: [`x ${ID.toUpperCase()}`] }, good).join()).toMatch(
      /chosen by the client/,
    );
  });

  it.each([
    ['two lines', '{}\n{}\n', /not one line/],
    ['no end', '{}', /not one line/],
    ['no object', '"text"\n', /no JSON object/],
    ['no JSON', 'text\n', /no JSON/],
    ['a key', `{"x":"${'k'.repeat(20)}"}\n`, /contains a key/],
  ])('a log line with %s', (_, line, fault) =>
    expect(logFaults(line, ['k'.repeat(20)]).join()).toMatch(fault),
  );
  it('nothing of a good log line', () => expect(logFaults('{"message":"request"}\n', ['x'])).toEqual([]));
});
