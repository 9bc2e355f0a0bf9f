import { describe, expect, it } from '@jest/globals';
import { entityTag, namesTag } from '../../../core/http/response.ts';

describe('namesTag', () => {
  const tag = entityTag('body');

  it.each([
    ['*', true],
    [' * ', true],
    [undefined, false],
    ['', false],
    [tag.slice(1, -1), false],
    ['"*"', false],
  ])('of %j is %s', (header, expected) => {
    expect(namesTag(header, tag)).toBe(expected);
  });
});
