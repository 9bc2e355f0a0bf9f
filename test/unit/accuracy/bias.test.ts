/** The sign test, and the counts at anchor, that the page on positions rests on. */
import { expect, it } from '@jest/globals';
import { signTest } from '../../ais-accuracy/bias-study.ts';

it.each([
  [0, 0, 1],
  [0, 8, 2 / 256],
  [1, 7, 18 / 256],
  [4, 4, 1],
])('%i of one sign and %i of the other', (positive, negative, probability) => {
  expect(signTest(positive, negative)).toBeCloseTo(probability, 12);
  expect(signTest(negative, positive)).toBe(signTest(positive, negative));
});
