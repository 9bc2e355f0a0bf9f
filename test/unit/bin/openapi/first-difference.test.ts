/** The first difference of two texts. */
import { expect, it } from '@jest/globals';
import { firstDifference } from '../../../../bin/openapi/first-difference.ts';

it('has nothing to say of equal texts', () =>
  expect(firstDifference('f', 'a\nb\n', 'a\nb\n')).toBeUndefined());

it.each([
  ['a\nb\nc', 'a\nx\nc', 'f:2\n  committed: b\n  generated: x'],
  ['a\nb', 'a\nb\nc', 'f:3\n  committed: (end of file)\n  generated: c'],
  ['a\nb\nc', 'a\nb', 'f:3\n  committed: c\n  generated: (end of file)'],
  ['', 'a', 'f:1\n  committed: \n  generated: a'],
])('names the place and both sides', (left, right, said) =>
  expect(firstDifference('f', left, right)).toBe(said),
);
