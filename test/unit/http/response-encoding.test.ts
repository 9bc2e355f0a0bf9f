import { describe, expect, it } from '@jest/globals';
import { acceptsGzip } from '../../../core/http/response.ts';

describe('acceptsGzip', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, GZIP', true],
    ['deflate;q=1, gzip ; q=0.1', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=high', false],
    ['identity', false],
    ['xgzip', false],
  ])('of %j is %s', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});
