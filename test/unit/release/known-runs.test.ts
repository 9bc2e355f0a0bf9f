/** Runs of days: a row ends with the first day that does not have it, and begins again when it comes back. */
import { expect, it } from '@jest/globals';
import { KnownRuns } from '../../../core/release/rows.ts';

const served = (hours: number, backfilled = false, methodology = '1.1') => [
  { row: { id: 'a', hours }, made: { backfilled, methodology } },
];

it('end where a figure or its flag changes, and only there', () => {
  const runs = new KnownRuns('id');
  const ended = [
    ...runs.change('2026-01-01', served(1)),
    ...runs.change('2026-01-02', served(1)),
    ...runs.change('2026-01-03', served(2)),
    ...runs.change('2026-01-04', []),
    ...runs.change('2026-01-06', served(2, true)),
  ];
  expect([...ended, ...runs.current()]).toEqual([
    {
      id: 'a',
      hours: 1,
      known_from: '2026-01-01',
      known_to: '2026-01-03',
      backfilled: false,
      methodology: '1.1',
    },
    {
      id: 'a',
      hours: 2,
      known_from: '2026-01-03',
      known_to: '2026-01-04',
      backfilled: false,
      methodology: '1.1',
    },
    { id: 'a', hours: 2, known_from: '2026-01-06', known_to: null, backfilled: true, methodology: '1.1' },
  ]);
});

it('have the version that made the row first: the same row of a later one is the same value', () => {
  const runs = new KnownRuns('id');
  runs.change('2026-01-01', served(1));
  expect(runs.change('2026-01-02', served(1, false, '2.0'))).toEqual([]);
  expect(runs.change('2026-01-03', served(2, false, '2.0'))).toMatchObject([
    { hours: 1, methodology: '1.1' },
  ]);
  expect(runs.current()).toMatchObject([{ hours: 2, methodology: '2.0' }]);
});

it('of no day are left out: at the end of the day the row was another', () => {
  const runs = new KnownRuns('id');
  expect([...runs.change('2026-01-01', served(1)), ...runs.change('2026-01-01', served(2))]).toEqual([]);
  expect(runs.current()).toMatchObject([{ hours: 2, known_from: '2026-01-01' }]);
});
