// Without recorded durations, as in a fresh checkout, Jest starts the largest files first. The slowest suites are
// short files: started last, they would leave the other cores idle.
import Sequencer from '@jest/test-sequencer';

const LONG = new Set(['store', 'conformance']);

export default class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ context }) => LONG.has(context.config.displayName?.name);
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
