// Without recorded durations, as in a fresh checkout, Jest starts the largest files first. The slowest suites are
// short files: started last, they would leave the other cores idle.
import Sequencer from '@jest/test-sequencer';
import { isByChange } from './suite.mjs';

// Conformance suites wait for their service, so they come after the other long ones.
const LONG = /\/(?:studies|test\/(?:store|infra|sources|unit\/(?:positions\/accuracy|client\/package)))\b/;
const CONFORMANCE = /\/test\/conformance\//;
const rank = ({ path }) => (LONG.test(path) ? 0 : CONFORMANCE.test(path) ? 1 : 2);

/** The quick ones come first where a change chooses the tests: a person waits for them. */
const ORDER = isByChange ? [2, 1, 0] : [0, 1, 2];

export default class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return ORDER.flatMap((wanted) => sorted.filter((test) => rank(test) === wanted));
  }
}
