// Without recorded durations, as in a fresh checkout, Jest starts the largest files first. The slowest suites are
// short files: started last, they would leave the other cores idle.
import Sequencer from '@jest/test-sequencer';

const LONG = /\/test\/(?:store|conformance|infra|sources|unit\/(?:accuracy|ais\/accuracy|client\/package))\b/;

export default class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
