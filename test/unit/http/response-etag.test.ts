import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { entityTag, namesTag } from '../../../core/http/response.ts';

describe('entityTag', () => {
  it('is quoted, strong, and equal exactly for equal bytes', () => {
    expect(entityTag('a')).toMatch(/^"[^"]+"$/);
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => (entityTag(a) === entityTag(b)) === (a === b)));
  });
});

describe('namesTag', () => {
  const tag = entityTag('body');
  const others = fc.array(fc.string({ unit: fc.constantFrom(...'abc,=') }).map((text) => `"${text}"`));

  it('finds the tag anywhere in a list, weak or strong', () => {
    fc.assert(
      fc.property(others, others, fc.boolean(), (before, after, weak) =>
        namesTag([...before, weak ? `W/${tag}` : tag, ...after].join(', '), tag),
      ),
    );
  });

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
