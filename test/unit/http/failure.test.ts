/** What a caller reads of a failure: a sentence, what to do, and nothing of the cause. */
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../core/contracts/errors.ts';
import { apiErrorOf, outOfTime, renderError } from '../../../core/http/failure.ts';

class Outage extends Error {}
class OtherOutage extends Error {}
const OUTAGES = [Outage, OtherOutage];
const SENTENCE = /^[A-Z][^!]*\.$/;

describe('a failure', () => {
  it.each([
    ['an outage of the store', () => apiErrorOf(new Outage('table x'), OUTAGES), 'upstream_error', 503, 5],
    ['another outage', () => apiErrorOf(new OtherOutage('table y'), OUTAGES), 'upstream_error', 503, 5],
    ['a function that runs out of time', outOfTime, 'upstream_error', 503, 5],
    ['a fault of the code', () => apiErrorOf(new TypeError('x'), OUTAGES), 'internal_error', 500, undefined],
    ['something that is no error', () => apiErrorOf('x', OUTAGES), 'internal_error', 500, undefined],
  ])('of %s says in sentences what happened and what to do', (_, make, code, status, retryAfterSeconds) => {
    const error = make();
    expect(error).toMatchObject({ code, status, retryAfterSeconds });
    expect(error.message).toMatch(SENTENCE);
    expect(error.hint).toMatch(SENTENCE);
    expect(`${error.message} ${error.hint}`).not.toMatch(/table|\bx\b/);
  });
});

describe('the response', () => {
  it('has the headers of the request, and names no time to wait where none helps', () => {
    const error = new ApiError('not_found', 'There is no such port.');
    const rendered = renderError(error, 'id', { 'x-request-id': 'id', 'Content-Type': 'text/csv' });
    expect(rendered).toMatchObject({ statusCode: 404, expose: true });
    expect(JSON.parse(rendered.message)).toEqual({
      code: 'not_found',
      message: 'There is no such port.',
      request_id: 'id',
    });
    expect(rendered.headers).toEqual({
      'x-request-id': 'id',
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
    });
  });
});
