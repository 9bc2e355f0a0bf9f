/** How much a test does: `npm test` takes slices, `npm run test:all` everything. */
import { describe, it } from '@jest/globals';

const ALL = process.env.TEST_EXTENT === 'all';

/** `slice` in `npm test`, `whole` in `npm run test:all`. */
export const extent = <Value>(slice: Value, whole: Value): Value => (ALL ? whole : slice);

/** Tests of `npm run test:all`; `npm test` counts them as skipped. */
export const longIt = ALL ? it : it.skip;
export const longDescribe = ALL ? describe : describe.skip;
