// A fresh checkout knows no durations, and Jest then begins with the largest files. The suites that take longest are
// short to read: begun last, they would leave the other cores idle.
import Sequencer from '@jest/test-sequencer';

const LONG = new Set(['store', 'conformance']);

export default class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ context }) => LONG.has(context.config.displayName?.name);
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
