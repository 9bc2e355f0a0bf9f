// By itself `expect` compares bytes one by one, with a dozen calls for each: files and states have hundreds of thousands.
import { expect } from '@jest/globals';

const isBytes = (value) => Object.prototype.toString.call(value) === '[object Uint8Array]';

expect.addEqualityTesters([
  (one, other) =>
    isBytes(one) && isBytes(other) && one.constructor === other.constructor
      ? Buffer.compare(one, other) === 0
      : undefined,
]);
