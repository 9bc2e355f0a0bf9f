/** How far figures change after their day, on vintages whose answer was worked out by hand. */
import { describe, expect, it } from '@jest/globals';
import { addDays } from '../../../core/reference/time.ts';
import type { ReleaseRow } from '../../../core/release/columns.ts';
import { Revisions } from '../../../core/release/record.ts';

const PORT = 'XXAAA';
const BEGIN = '2025-01-01';
const day = (at: number): string => addDays(BEGIN, at);
const port = (lastDay: string) => ({ port: PORT, lastDay });

/** The values of one day by the age at which each was first served; null: no value any more. */
type ByAge = Readonly<Record<number, number | null>>;

function vintages(at: number, byAge: ByAge): ReleaseRow[] {
  const steps = Object.entries(byAge).map(([age, value]) => ({ age: Number(age), value }));
  return steps.flatMap(({ age, value }, index) => {
    const next = steps[index + 1];
    if (value === null) return [];
    const until = next === undefined ? null : day(at + next.age);
    const times = { known_from: day(at + age), known_to: until };
    return [{ class: 'all', date: day(at), mean_hours: value, berthed: 10, ...times }];
  });
}

function counted(days: readonly ByAge[], lastDay: string) {
  const revisions = new Revisions('2026-01-01');
  revisions.add(
    port(lastDay),
    'vintages_waits',
    days.flatMap((byAge, at) => vintages(at, byAge)),
  );
  return revisions.of(PORT);
}

const waits = (revisions: ReturnType<typeof counted>) =>
  revisions
    .revisions()
    .filter(({ metric }) => metric === 'mean_hours')
    .map(({ age, days, changed, difference }) => [age, days, changed, difference]);

describe('revisions of a port', () => {
  it('compare each age with the release, over the days that have reached it', () => {
    const days: ByAge[] = [
      { 0: 4, 2: 5 }, // changes by 1 after a day of age 1
      { 0: 4, 3: 6, 8: 5 }, // 1 too low up to age 2, 1 too high up to age 7
      { 0: 4 }, // never changes
      { 5: 4, 6: 2 }, // is not known before age 5
      { 0: 3, 1: null }, // is withdrawn on the day after
    ];
    expect(waits(counted(days, day(12)))).toEqual([
      [1, 3, 0.6667, 0.6667],
      [2, 3, 0.3333, 0.3333],
      [3, 3, 0.3333, 0.3333],
      [7, 4, 0.25, 0.25],
    ]);
  });

  it('count a value that the release no longer has as changed, without a difference', () => {
    expect(waits(counted([{ 0: 3, 2: null }, { 0: 3 }], day(3)))).toEqual([
      [1, 2, 0.5, 0],
      [2, 1, 0, 0],
    ]);
  });

  it('end with the last day of the port, not with that of the release', () => {
    expect(waits(counted([{ 0: 3 }, { 0: 3 }, { 0: 3 }], day(2)))).toEqual([
      [1, 2, 0, 0],
      [2, 1, 0, 0],
    ]);
  });

  it('are those of all vessels together', () => {
    const revisions = new Revisions('2026-01-01');
    const rows = vintages(0, { 0: 1, 2: 2 }).map((row) => ({ ...row, class: 'container' }));
    revisions.add(port(day(9)), 'vintages_waits', rows);
    expect(revisions.of(PORT).revisions()).toEqual([]);
  });
});

describe('daily waits are final', () => {
  /** `late` of 200 days change at age 5; the last day is old enough to have been seen at every age. */
  const with200 = (late: number) =>
    counted(
      Array.from({ length: 200 }, (_, at): ByAge => (at < late ? { 0: 1, 5: 2 } : { 0: 1 })),
      day(240),
    ).finalAge();

  it('after the age from which on at most one in a hundred changes', () => {
    expect(with200(3)).toEqual({ age: 5, days: 200 });
    expect(with200(2)).toEqual({ age: 0, days: 200 });
  });

  it('no earlier than they are known', () => {
    const days = Array.from({ length: 200 }, (): ByAge => ({ 2: 1 }));
    expect(counted(days, day(240)).finalAge()).toEqual({ age: 2, days: 200 });
  });

  it('at no known age when more change after 30 days', () => {
    const days = Array.from({ length: 200 }, (_, at): ByAge => (at < 3 ? { 0: 1, 40: 2 } : { 0: 1 }));
    expect(counted(days, day(300)).finalAge()).toEqual({ age: null, days: 200 });
  });

  it('at no stated age with fewer than a hundred days', () => {
    const days = Array.from({ length: 99 }, () => ({ 0: 1 }));
    expect(counted(days, day(300)).finalAge()).toBeUndefined();
  });
});
