/** What a reply may say before it is believed no more. */
import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import type { PortCounts } from '../../../core/upstream/change-doubts.ts';
import { judge } from '../../../core/upstream/judgement.ts';
import { learned, type ShownLists } from '../../../core/upstream/list-doubts.ts';
import type { ListCount } from '../../../core/upstream/source.ts';

const PORT: PortCounts = {
  port: 'TWKHH',
  isWhole: false,
  named: 0,
  rewritten: 0,
  relocated: 0,
  past: 0,
  strangers: 0,
  due: 0,
  unsaid: 0,
  open: 0,
  withdrawn: 0,
  known: 0,
  moved: 0,
  movedHours: 0,
  renamed: 0,
  expectedAgain: 0,
  expectedOtherwise: 0,
  listed: 0,
  elsewhere: 0,
};
const list = (rows: number, more: Partial<ListCount> = {}): ListCount => ({
  list: 'in-port',
  port: 'TWKHH',
  rows,
  refused: 0,
  days: 17,
  ...more,
});
const shownBy = (...replies: ListCount[]): ShownLists =>
  replies.reduce((shown, reply) => learned(shown, [reply]), {} as ShownLists);
const judged = (
  lists: readonly ListCount[],
  ports: readonly Partial<PortCounts>[],
  shown = shownBy(list(798)),
  sinceMs = HOUR_MS,
) => judge({ lists, ports: ports.map((port) => ({ ...PORT, ...port })) }, shown, sinceMs);

describe('a reply is accepted', () => {
  it.each<[string, readonly ListCount[], readonly Partial<PortCounts>[], number?]>([
    ['of another list than before', [list(22, { list: 'out-port' })], []],
    ['whose request asks for more days', [list(3046, { days: 67 })], []],
    ['that is an empty feed of changes', [{ list: 'changes', rows: 0, refused: 0 }], []],
    ['that withdraws a call in 160', [list(798)], [{ open: 160, withdrawn: 1 }]],
    ['that withdraws both calls of a small port', [list(798)], [{ open: 2, withdrawn: 2 }]],
    ['whose open calls are gone after an outage', [list(798)], [{ open: 100, withdrawn: 90 }], 3 * DAY_MS],
    ['that is a feed of changes without a change', [], [{ due: 56, unsaid: 56 }]],
    ['of a feed that fills up after an outage', [], [{ past: 60, strangers: 50 }]],
    ['that corrects the hour of some calls', [list(798)], [{ known: 400, moved: 40, movedHours: 8 }]],
    ['that corrects some forecasts', [list(798)], [{ expectedAgain: 400, expectedOtherwise: 40 }]],
    ['that is written twice, row by row', [list(1596, { repeated: 798 })], []],
    ['with a row at the edge of the span', [list(798, { outside: 3 })], []],
    ['of a small port that moves its few forecasts', [], [{ expectedAgain: 4, expectedOtherwise: 4 }]],
  ])('%s', (_, lists, ports, sinceMs = HOUR_MS) => {
    expect(judged(lists, ports, undefined, sinceMs)).toEqual({ outcome: 'accepted', by: 'judgement' });
  });
});

describe('a reply is held', () => {
  it.each<[string, ListCount, string]>([
    ['few-rows', list(1000, { days: 67 }), '1,000 rows, 798 in the last reply, 3,145 expected'],
    ['repeated-ids', list(798, { repeated: 797 }), '797 of 798 rows have the id of another'],
    ['outside-span', list(3046, { days: 67, outside: 45 }), '45 of 3,046 rows are outside the span asked'],
  ])('for %s', (reason, reply, words) => {
    const detail = `TWKHH in-port: ${words}`;
    expect(judged([reply], [])).toEqual({ outcome: 'held', by: 'judgement', reason, detail });
  });

  it.each<[string, Partial<PortCounts>, string]>([
    ['withdrawn-calls', { open: 87, withdrawn: 40 }, '40 of 87 open calls would be withdrawn'],
    [
      'moved-times',
      { known: 400, moved: 350, movedHours: -8 },
      'the times of 350 of 400 known calls moved by -8 h',
    ],
    [
      'changed-identities',
      { known: 400, renamed: 200 },
      '200 of 400 known calls have another vessel or type',
    ],
    [
      'moved-forecasts',
      { expectedAgain: 400, expectedOtherwise: 340 },
      '340 of 400 known calls were expected at another time',
    ],
    ['two-ports', { listed: 50, elsewhere: 49 }, '49 of 50 calls are at another port too'],
    [
      'unsaid-changes',
      { listed: 1, due: 56, unsaid: 55 },
      '55 of 56 changes that were stated before are missing',
    ],
    [
      'unknown-calls',
      { listed: 560, past: 560, strangers: 504 },
      '504 of 560 past events are of calls that no reply had',
    ],
  ])('for %s', (reason, port, words) => {
    const detail = `TWKHH: ${words}`;
    expect(judged([], [port])).toEqual({ outcome: 'held', by: 'judgement', reason, detail });
  });

  it('for ports together that are small alone, and for several doubts at once', () => {
    const small = ['FIHKO', 'FIKTK'].map((port) => ({ port, open: 2, withdrawn: 2 }));
    expect(judged([], small).detail).toBe('all ports: 4 of 4 open calls would be withdrawn');
    const { reason, detail } = judged([list(0)], [{ open: 40, withdrawn: 40 }]);
    expect([reason, detail]).toEqual([
      'few-rows',
      'TWKHH in-port: 0 rows, 798 in the last reply, 798 expected; TWKHH: 40 of 40 open calls would be withdrawn',
    ]);
  });

  it('for rows many times the usual, once enough replies have shown it', () => {
    const many = [list(7980)];
    const usual = list(798);
    expect(judged(many, [], shownBy(usual)).outcome).toBe('accepted');
    expect(judged(many, [], shownBy(usual, usual, usual, usual, usual))).toMatchObject({
      reason: 'many-rows',
    });
  });
});

describe('a publication of monthly values', () => {
  const values = {
    list: 'HS2 GEN_VAL_MO',
    known: 120,
    revised: 0,
    stated: 120,
    strangers: 0,
    changed: 0,
    displaced: 0,
  };
  const publication = (
    more: Partial<typeof values>,
    shown = shownBy({ list: values.list, rows: 120, refused: 0 }),
  ) => judge({ lists: [], ports: [], values: [{ ...values, ...more }] }, shown, DAY_MS);

  it.each<[string, Partial<typeof values>]>([
    ['adds a month', { stated: 125, changed: 5 }],
    ['revises all of a year by little', { changed: 60 }],
    ['adds some codes', { stated: 150, changed: 30, strangers: 30 }],
    ['has a value by chance', { changed: 60, displaced: 1 }],
  ])('is accepted where it %s', (_, more) => {
    expect(publication(more).outcome).toBe('accepted');
  });

  it('is accepted with codes that are unknown where its list is new', () => {
    expect(publication({ known: 0, changed: 120, strangers: 120 }, {}).outcome).toBe('accepted');
  });

  it.each<[string, Partial<typeof values>, string]>([
    ['revised-values', { revised: 50 }, '50 of 120 known values would change by more than a tenth'],
    [
      'displaced-values',
      { changed: 5, displaced: 4 },
      '4 of 5 new values are known ones of another month or code',
    ],
    [
      'unknown-codes',
      { known: 0, changed: 120, strangers: 120 },
      'HS2 GEN_VAL_MO: 120 of 120 values are of codes that no publication had',
    ],
  ])('is held for %s', (reason, more, detail) => {
    expect(publication(more)).toEqual({ outcome: 'held', by: 'judgement', reason, detail });
  });
});

describe('a reply is refused', () => {
  it('for refused rows where they are rare', () => {
    expect(judged([list(798, { refused: 41 })], [])).toEqual({
      outcome: 'refused',
      by: 'judgement',
      reason: 'refused-rows',
      detail: 'TWKHH in-port: 41 refusals in 798 rows, 0.0% usually',
    });
  });

  it.each([
    ['not where they are usual', list(798, { refused: 60 }), shownBy(list(798, { refused: 24 }))],
    ['not in a short list', list(19, { refused: 10 }), shownBy(list(19))],
    ['not in a first reply that is mostly readable', list(798, { refused: 300 }), {}],
  ])('%s', (_, reply, shown) => {
    expect(judged([reply], [], shown).outcome).not.toBe('refused');
  });
});
