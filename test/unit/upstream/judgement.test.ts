/** What a reply may say before it is believed no more. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import {
  judge,
  learned,
  type MonthCounts,
  type PortCounts,
  RULES,
  rulesTable,
  type ShownLists,
} from '../../../core/upstream/judgement.ts';
import type { ListCount } from '../../../core/upstream/source.ts';

const PORT: PortCounts = {
  port: 'TWKHH',
  form: 'feed',
  inPort: 0,
  ended: 0,
  compared: 0,
  named: 0,
  rewritten: 0,
  relocated: 0,
  past: 0,
  strangers: 0,
  listedEvents: 0,
  lateEvents: 0,
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
    ['of a window with a log in ten that has lost a stop', [], [{ form: 'window', due: 40, unsaid: 4 }]],
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
    ['few-rows', list(1000, { days: 67 }), '2,145 of 3,145 usual rows are missing; the last reply had 798'],
    ['repeated-ids', list(798, { repeated: 500 }), '500 of 798 rows have the id of another'],
    ['outside-span', list(3046, { days: 67, outside: 45 }), '45 of 3,046 rows are outside the span asked'],
  ])('for %s', (reason, reply, words) => {
    const detail = `TWKHH in-port: ${words}`;
    expect(judged([reply], [])).toEqual({ outcome: 'held', by: 'judgement', reason, detail });
  });

  it.each<[string, Partial<PortCounts>, string]>([
    [
      'withdrawn-calls',
      { open: 87, withdrawn: 40 },
      '40 of 87 known calls would be withdrawn, or are missing',
    ],
    [
      'moved-times',
      { known: 400, moved: 350, movedHours: -8 },
      'the times of 350 of 400 known calls moved by -8 h',
    ],
    [
      'changed-identities',
      { compared: 400, renamed: 200 },
      '200 of 400 known calls have another vessel or type',
    ],
    [
      'moved-forecasts',
      { form: 'list', expectedAgain: 400, expectedOtherwise: 340 },
      '340 of 400 known calls were expected at another time',
    ],
    [
      'late-events',
      { form: 'list', listedEvents: 70, lateEvents: 10 },
      '10 of 70 past events of a list are new',
    ],
    ['two-ports', { listed: 50, elsewhere: 49 }, '49 of 50 calls are at another port too'],
    [
      'unsaid-changes',
      { listed: 1, due: 56, unsaid: 55 },
      '55 of 56 changes that were stated before are missing',
    ],
    [
      'unsaid-changes',
      { form: 'window', due: 40, unsaid: 5 },
      '5 of 40 changes that were stated before are missing',
    ],
    [
      'unknown-calls',
      { form: 'list', listed: 560, past: 560, strangers: 504 },
      '504 of 560 past events are of calls that no reply had',
    ],
  ])('for %s', (reason, port, words) => {
    const detail = `TWKHH: ${words}`;
    expect(judged([], [port])).toEqual({ outcome: 'held', by: 'judgement', reason, detail });
  });

  it('for ports together that are small alone, and for several doubts at once', () => {
    const small = ['FIHKO', 'FIKTK'].map((port) => ({ port, open: 2, withdrawn: 2 }));
    expect(judged([], small).detail).toBe('all ports: 4 of 4 known calls would be withdrawn, or are missing');
    const { reason, detail } = judged([list(0)], [{ open: 40, withdrawn: 40 }]);
    expect([reason, detail]).toEqual([
      'few-rows',
      'TWKHH in-port: 798 of 798 usual rows are missing; the last reply had 798; TWKHH: 40 of 40 known calls would be withdrawn, or are missing',
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
    months: [] as readonly MonthCounts[],
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

  const month = (more: Partial<MonthCounts>): MonthCounts => ({
    month: '2021-06',
    back: 1,
    chapters: 97,
    apart: 6,
    medianRatio: 1.24,
    ...more,
  });

  it.each<[string, Partial<MonthCounts>, string]>([
    ['strange-month', { medianRatio: 1000, apart: 0 }, '97 of 97 chapters are of another size'],
    ['strange-month', { medianRatio: 0.6, apart: 0 }, 'the month before (median 0.600)'],
    ['strange-month', { back: 12, medianRatio: 2.1 }, 'the year before (median 2.10)'],
    ['scattered-month', { apart: 20 }, '20 of 97 chapters differ by a factor of two from the month before'],
  ])('is held for a %s', (reason, more, words) => {
    const { detail, ...verdict } = publication({ months: [month(more)] });
    expect(verdict).toEqual({ outcome: 'held', by: 'judgement', reason });
    expect(detail).toContain(words);
  });

  it.each([
    ['as far from the one before as any real one', {}],
    ['as far from the year before as any real one', { back: 12, apart: 17, medianRatio: 1.41 }],
    ['of few chapters', { chapters: 5, medianRatio: 1000, apart: 5 }],
  ])('is accepted with a month %s', (_, more) => {
    expect(publication({ months: [month(more)] }).outcome).toBe('accepted');
  });

  it.each<[string, Partial<typeof values>, string]>([
    [
      'revised-values',
      { revised: 50 },
      'all values: 50 of 120 known values would change by more than a tenth',
    ],
    [
      'displaced-values',
      { changed: 5, displaced: 4 },
      'all values: 4 of 5 new values are known ones of another month or code',
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

describe('each limit', () => {
  const forms = RULES.flatMap(({ reason, limits }) =>
    Object.entries(limits).map(([form, limit]) => [reason, form, limit] as const),
  );
  it.each(forms)('of %s for a %s is a share from 0 to 3 of at least one', (_reason, _form, limit) => {
    expect(limit.atLeast).toBeGreaterThanOrEqual(1);
    expect(limit.share).toBeGreaterThanOrEqual(0);
    expect(limit.share).toBeLessThanOrEqual(3);
  });

  /** The counts of a port whose named part is `part` of `whole`. */
  const verdictOn = (
    form: PortCounts['form'],
    part: keyof PortCounts,
    whole: keyof PortCounts,
    is: number,
    of: number,
  ) =>
    judged(
      [],
      [{ form, [whole]: of, [part]: is, listed: 1000, ...(whole === 'listed' && { listed: of }) }],
      undefined,
      0,
    );

  it.each([
    ['withdrawn-calls', 'list', 'withdrawn', 'open', 4, 100],
    ['departed-calls', 'list', 'ended', 'inPort', 20, 100],
    ['departed-calls', 'window', 'ended', 'inPort', 20, 100],
    ['moved-times', 'window', 'moved', 'known', 50, 100],
    ['changed-identities', 'window', 'renamed', 'compared', 10, 100],
    ['rewritten-calls', 'list', 'rewritten', 'named', 30, 1000],
    ['rewritten-calls', 'window', 'rewritten', 'named', 50, 1000],
    ['relocated-vessels', 'list', 'relocated', 'open', 10, 100],
    ['unsaid-changes', 'feed', 'unsaid', 'due', 30, 100],
    ['unsaid-changes', 'window', 'unsaid', 'due', 10, 100],
    ['unknown-calls', 'window', 'strangers', 'past', 30, 100],
    ['late-events', 'list', 'lateEvents', 'listedEvents', 4, 100],
    ['two-ports', 'feed', 'elsewhere', 'listed', 5, 100],
  ] as const)('of %s for a %s holds above it and not at it', (reason, form, part, whole, at, of) => {
    expect(verdictOn(form, part, whole, at - 1, of).outcome).toBe('accepted');
    expect(verdictOn(form, part, whole, at, of).outcome).toBe('accepted');
    expect(verdictOn(form, part, whole, at + 1, of)).toMatchObject({ outcome: 'held', reason });
  });

  it('of departures widens with the time since the last accepted reply', () => {
    const gone: Partial<PortCounts> = { form: 'list', inPort: 100, ended: 38, listed: 1 };
    expect(judged([], [gone], undefined, HOUR_MS).outcome).toBe('held');
    expect(judged([], [gone], undefined, 12 * HOUR_MS).outcome).toBe('accepted');
  });

  it('of calls that are missing from a list widens after a day, in which lists state what has left', () => {
    const missing: Partial<PortCounts> = { form: 'list', open: 45, withdrawn: 12, listed: 1 };
    expect(judged([], [missing], undefined, DAY_MS).outcome).toBe('held');
    expect(judged([], [missing], undefined, 1.5 * DAY_MS).outcome).toBe('accepted');
  });

  it('has a row in the table of the runbook, and the table has no other', () => {
    const lines = readFileSync('docs/runbook.md', 'utf8').split('\n');
    const first = lines.indexOf(rulesTable().split('\n')[0] ?? '');
    expect(lines.slice(first, first + RULES.length + 3)).toEqual([...rulesTable().split('\n'), '']);
  });
});

describe('a reply is refused', () => {
  it('for refused rows where they are rare', () => {
    expect(judged([list(798, { refused: 41 })], [])).toEqual({
      outcome: 'refused',
      by: 'judgement',
      reason: 'refused-rows',
      detail: 'TWKHH in-port: 41 of 798 rows are refused, 0.0% usually',
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
