/** The comparison of found stays with judged ones, and the real hour of New York against its judgements. */
import { expect, it } from '@jest/globals';
import { RECORDINGS } from '../../test/builders/recordings.ts';
import { compareStays, type FoundStay, type JudgedStay, studyNewYork } from './new-york-study.ts';

const AT = Date.parse('2020-06-30T00:00:00Z');
const MINUTE = 60_000;
const found: FoundStay = {
  mmsi: 1,
  class: 'cargo',
  kind: 'wait',
  startAt: AT,
  endAt: AT + 300 * MINUTE,
  port: 'USNYC',
  miles: 5,
};
const judged: JudgedStay = {
  mmsi: 1,
  name: '',
  kind: 'wait',
  fromAt: AT + 10 * MINUTE,
  toAt: undefined,
  counts: true,
  reason: '',
};

it.each<[string, Partial<FoundStay> | undefined, Partial<JudgedStay>, string[]]>([
  ['right within a quarter of an hour', {}, {}, []],
  ['of another kind', { kind: 'berth' }, {}, ['found as a berth']],
  [
    'beyond the reach of the port',
    { port: undefined, miles: 20.34 },
    {},
    ['no port: 20.3 nm from its point'],
  ],
  [
    'late and short',
    { startAt: AT + 40 * MINUTE },
    { toAt: AT + 320 * MINUTE },
    ['start 30 min off', 'end -20 min off'],
  ],
  ['a ferry in its slip', { class: 'ferry' }, { counts: false, kind: 'berth' }, []],
  [
    'a museum vessel of a cargo type',
    {},
    { counts: false, kind: 'berth' },
    ['counts, and is no merchant vessel', 'found as a wait'],
  ],
  ['a tug that does not count', { class: 'unknown' }, { counts: false }, []],
  ['a merchant vessel without a type', { class: 'unknown' }, {}, ['does not count: its type is not stated']],
  ['missed', undefined, {}, ['missed']],
  [
    'at another time',
    { endAt: AT + MINUTE },
    { fromAt: AT + 60 * MINUTE },
    ['not judged, or invented', 'missed'],
  ],
  ['of a vessel under way', {}, { kind: 'none' }, ['not judged, or invented']],
])('a stay %s', (_what, stay, truth, wrong) => {
  const comparisons = compareStays(stay ? [{ ...found, ...stay }] : [], [{ ...judged, ...truth }]);
  expect(comparisons.flatMap((comparison) => comparison.wrong)).toEqual(wrong);
});

it('the engine invents no stay in the real hour, and has 18 of the 28 merchant stays right or more', () => {
  const { comparisons, judged: all } = studyNewYork(`${RECORDINGS}noaa-new-york`, 'hour');
  expect(comparisons.filter((comparison) => comparison.judged === undefined)).toEqual([]);
  expect(all.filter((judgement) => judgement.counts)).toHaveLength(28);
  const right = comparisons.filter(
    (comparison) => comparison.judged?.counts && comparison.wrong.length === 0,
  );
  expect(right.length).toBeGreaterThanOrEqual(18);
});
