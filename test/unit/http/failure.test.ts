/** What a caller reads of a failure: a sentence, what to do, and nothing of the cause. */
import { describe, expect, it } from '@jest/globals';
import { apiError, outOfTime } from '../../../core/http/failure.ts';

class Outage extends Error {}
class OtherOutage extends Error {}
const OUTAGES = [Outage, OtherOutage];
const SENTENCE = /^[A-Z][^!]*\.$/;

describe('a failure', () => {
  it.each([
    ['an outage of the store', () => apiError(new Outage('table x'), OUTAGES), 'upstream_error', 503, 5],
    ['another outage', () => apiError(new OtherOutage('table y'), OUTAGES), 'upstream_error', 503, 5],
    ['a function that runs out of time', outOfTime, 'upstream_error', 503, 5],
    ['a fault of the code', () => apiError(new TypeError('x'), OUTAGES), 'internal_error', 500, undefined],
    ['something that is no error', () => apiError('x', OUTAGES), 'internal_error', 500, undefined],
  ])('of %s says in sentences what happened and what to do', (_, make, code, status, retryAfterSeconds) => {
    const error = make();
    expect(error).toMatchObject({ code, status, retryAfterSeconds });
    expect(error.message).toMatch(SENTENCE);
    expect(error.hint).toMatch(SENTENCE);
    expect(`${error.message} ${error.hint}`).not.toMatch(/table|\bx\b/);
  });
});
