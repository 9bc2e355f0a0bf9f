/** The validator of responses: accepts what the document promises, names violations, counts what it has seen. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Exchange,
  forgetStatuses,
  unseenStatuses,
  validateExchange,
  violationsOf,
} from '../../conformance/contract-validator.ts';

const ID = '0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71';
const TREND = '/v1/ports/{UNLOCODE}/trend';

const good: Exchange = {
  method: 'GET',
  template: TREND,
  status: 200,
  headers: {
    'x-request-id': ID,
    'cache-control': 'public, max-age=300',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    etag: '"abc"',
    vary: 'X-API-Key, Accept-Encoding',
    'ratelimit-limit': '60',
    'ratelimit-remaining': '59',
    'ratelimit-reset': '1795176003',
  },
  body: '[{"date":"2026-11-20","congestion_score":0.4,"avg_wait_hours":1.5,"vessels":7}]',
};
const withHeaders = (changes: Record<string, string | undefined>, from = good): Exchange => ({
  ...from,
  headers: Object.fromEntries(
    Object.entries({ ...from.headers, ...changes }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>,
});
const error = (status: number, code: string, changes: object = {}): Exchange => ({
  ...withHeaders({ 'cache-control': 'no-store', etag: undefined, vary: undefined }),
  status,
  body: JSON.stringify({ code, message: 'No.', request_id: ID, hint: 'Do.', ...changes }),
});
const csv = withHeaders({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'inline; filename="USLAX-trend-7d.csv"',
});

beforeAll(forgetStatuses);

describe('names', () => {
  it.each<[string, Exchange, RegExp]>([
    ['a missing header', withHeaders({ etag: undefined }), /header ETag is missing/],
    ['another cache rule', withHeaders({ 'cache-control': 'no-store' }), /Cache-Control must be equal/],
    [
      'a field that is not documented',
      { ...good, body: good.body.replace('[{', '[{"more":1,') },
      /must NOT have additional properties/,
    ],
    [
      'a field of another type',
      { ...good, body: good.body.replace('0.4', '"0.4"') },
      /congestion_score must be number/,
    ],
    [
      'a value out of range',
      { ...good, body: good.body.replace('0.4', '1.4') },
      /congestion_score must be <= 1/,
    ],
    ['CSV with other columns', { ...csv, body: 'day,score\n' }, /body must match pattern/],
    ['a status that is not documented', { ...good, status: 206 }, /206 is not documented/],
    [
      'an error that is not JSON',
      withHeaders({ 'content-type': 'text/csv' }, error(404, 'not_found')),
      /an error is text\/csv/,
    ],
    ['a code of another status', error(404, 'conflict'), /code conflict, not not_found/],
    [
      'ids that differ',
      error(404, 'not_found', { request_id: ID.replace('0', '1') }),
      /not the x-request-id/,
    ],
    ['a 429 without Retry-After', error(429, 'rate_limited'), /Retry-After is missing/],
    ['an alias without its successor', { ...good, template: '/v1/sources', body: '[]' }, /Link is missing/],
  ])('%s', (_, exchange, violation) => expect(validateExchange(exchange).join('; ')).toMatch(violation));
});

it('finds the template of a path that was sent', () => {
  const reply = { status: 200, headers: good.headers, text: good.body };
  expect(violationsOf('GET', '/v1/ports/USLAX/trend?window=7d', reply)).toEqual([]);
  expect(violationsOf('GET', '/v1/ports/USLAX/trends', reply)).not.toEqual([]);
});

it('knows what it has not seen', () => {
  expect(unseenStatuses()).toContain(`${TREND} 504`);
  validateExchange(error(504, 'upstream_error'));
  expect(unseenStatuses()).not.toContain(`${TREND} 504`);
  expect(unseenStatuses()).not.toContain(`${TREND} 200`);
  expect(unseenStatuses()).toContain('/v1/health 200');
});
