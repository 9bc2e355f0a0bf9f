/** The sentence of a port and the wait that is usual there, from served figures. */
import { describe, expect, it } from '@jest/globals';
import { portsRoute } from '../../../core/contracts/ports.ts';
import { type SpreadDay, usualWait, waitHistory } from '../../../portal/chart/wait-spread.ts';
import { errorText, tableSources } from '../../../portal/explorer/port-head.ts';
import { daySentence, portSentence } from '../../../portal/explorer/port-sentence.ts';
import { evidenceWords } from '../../../portal/view/evidence.ts';

const DAY_MS = 86_400_000;
const TODAY = '2026-10-20';
const dayBefore = (days: number): string =>
  new Date(Date.parse(TODAY) - days * DAY_MS).toISOString().slice(0, 10);

/** One row a day, `count` days up to today, each with five berthings that waited `hoursOn(day)`. */
const daysUpTo = (count: number, hoursOn: (day: string) => number): SpreadDay[] =>
  Array.from({ length: count }, (_, i) => dayBefore(count - 1 - i)).map((date) => {
    const hours = hoursOn(date);
    return {
      date,
      coverage: 1,
      berthed: 5,
      waits: hours === 0 ? [] : Array.from({ length: 5 }, () => hours),
      waiting: 9,
      waiting_hours: 0,
      recent_arrivals: 0,
      recent_wait_hours: 0,
    };
  });

const OBSERVED = {
  ...portsRoute.example[1],
  sources: [],
  as_of: `${TODAY}T11:00:00Z`,
  avg_wait_hours: 29,
  at_anchor: 21,
  first_day: '2024-01-01',
};
const COMPARED = { today: TODAY, waits: undefined, change: { at_anchor: 21, at_anchor_change: 12 } };
type Given = Parameters<typeof portSentence>;
const said = (port: Partial<Given[0]> = {}, compared: Partial<Given[1]> = {}): string =>
  portSentence({ ...OBSERVED, ...port }, { ...COMPARED, ...compared });
const isThisMonth = (day: string) => day.startsWith('2026-10');

describe('what is usual at a port', () => {
  const spreadsOf = (days: SpreadDay[]) => waitHistory(days).spreads;

  it('is the median of the daily averages of the same month a year before', () => {
    const days = daysUpTo(400, (day) => (day.startsWith('2025-10') ? 8 : 20));
    expect(usualWait(spreadsOf(days), TODAY)).toEqual({ hours: 8, month: 'October 2025' });
  });

  it('is that of the 90 days before the week where the month is not known, and nothing at a young port', () => {
    const days = daysUpTo(120, (day) => (isThisMonth(day) ? 50 : 4));
    expect(usualWait(spreadsOf(days), TODAY)).toEqual({ hours: 4, month: undefined });
    expect(usualWait(spreadsOf(days.slice(-34)), TODAY)).toBeUndefined();
    expect(usualWait(spreadsOf(days.slice(-35)), TODAY)).toBeDefined();
    expect(usualWait(new Map(), TODAY)).toBeUndefined();
  });
});

describe('the sentence of a port', () => {
  it('says the average, what is usual in the month, and how many lie at anchor against a week ago', () => {
    const waits = waitHistory(daysUpTo(400, (day) => (isThisMonth(day) ? 29 : 8)));
    expect(said({}, { waits })).toBe(
      'Vessels waited 29 h on average this week; 8 h is usual here in October; 21 lie at anchor, twelve more than a week ago.',
    );
  });

  it('says no month where it compares with the 90 days before, and nothing usual at a young port', () => {
    const waits = waitHistory(daysUpTo(120, () => 0));
    expect(said({ avg_wait_hours: 0 }, { waits })).toBe(
      'Vessels went to the berth without waiting this week; no wait was usual in the three months before; 21 lie at anchor, twelve more than a week ago.',
    );
    const young = waitHistory(daysUpTo(5, () => 2));
    expect(said({ avg_wait_hours: 2 }, { waits: young })).toBe(
      'Vessels waited 2 h on average this week; 21 lie at anchor, twelve more than a week ago.',
    );
  });

  it('has no usual wait without wait days, and no change that is not known or belongs to another count', () => {
    expect(said()).toMatch(/^Vessels waited 29 h on average this week; 21 lie at anchor, /);
    for (const change of [
      undefined,
      { at_anchor: 21, at_anchor_change: null },
      { at_anchor: 20, at_anchor_change: 11 },
    ])
      expect(said({}, { change })).toMatch(/; 21 lie at anchor\.$/);
  });

  it.each([
    [21, 21, '21 lie at anchor, as many as a week ago.'],
    [0, 0, 'none lies at anchor, as a week ago.'],
    [1, 4, 'one lies at anchor, three fewer than a week ago.'],
    [30, 4, '30 lie at anchor, 26 more than a week ago.'],
  ])('counts %d now and %d a week ago', (now, before, clause) => {
    const change = { at_anchor: now, at_anchor_change: now - before };
    expect(said({ at_anchor: now }, { change })).toContain(`; ${clause}`);
  });

  it.each(['mixed', 'open'] as const)('has no average where too few have berthed: %s', (wait_basis) => {
    const waits = waitHistory(daysUpTo(400, () => 8));
    expect(said({ wait_basis }, { waits })).toBe(
      '21 waiting, too few berthed to average; twelve more than a week ago.',
    );
    expect(said({ wait_basis }, { change: undefined })).toBe('21 waiting, too few berthed to average.');
  });

  it('begins with the stop of a port, and says that nothing has berthed and none has waited', () => {
    expect(said({ wait_basis: null, stopped_since: '2026-10-19T14:00:00Z' })).toBe(
      'Stopped since 19 Oct 2026, 14:00 UTC. No vessel has berthed here and none has waited for a berth in the 28 days up to 20 October 2026.',
    );
  });

  it('names the longer window where few vessels berthed, and the day of old figures', () => {
    const quiet = daysUpTo(12, () => 3).map((day, i) => ({
      ...day,
      ...(i > 0 ? { berthed: 0, waits: [] } : {}),
    }));
    expect(said({ avg_wait_hours: 3 }, { waits: waitHistory(quiet) })).toContain(
      '3 h on average in the last 14 days',
    );
    expect(said({}, { today: '2026-11-20' })).toContain('in the week up to 20 October 2026;');
  });
});

it('a past day is said as it was known at its end', () => {
  const then = {
    ...OBSERVED,
    as_of: '2025-09-23T23:05:00Z',
    avg_wait_hours: 1.6,
    at_anchor: 1,
    stopped_since: '2025-09-21T21:00:00Z',
    first_day: '2025-01-01',
  };
  expect(daySentence(then, '2025-09-23')).toBe(
    'As known at the end of 23 September 2025: Stopped since 21 Sept 2025, 21:00 UTC. Vessels waited 1.6 h on average in the week up to 23 September 2025; one lies at anchor.',
  );
  for (const none of [undefined, { ...then, as_of: null }])
    expect(daySentence(none, '2025-09-23')).toBe('No figures of this port at the end of 23 September 2025.');
});

it('a young port is counted from the day on which its observation began', () => {
  expect(said({ first_day: TODAY })).toContain('29 h on average since observation began on 20 October 2026;');
  expect(said({ first_day: '2026-10-18' }, { today: '2026-12-01' })).toContain(
    'since observation began on 18 October 2026, up to 20 October 2026;',
  );
  expect(said({ first_day: '2026-10-14' })).toContain('on average this week;');
});

// What the data of a port are, and how exact, in a few words.

it.each([
  ['observed', TODAY, 'live'],
  ['recorded', TODAY, 'real, recorded'],
  ['read', TODAY, 'real, replayed'],
  ['expected', TODAY, 'real, recorded'],
  ['recorded', null, 'can be read'],
  ['read', null, 'can be read'],
  ['simulated', TODAY, 'simulated'],
] as const)('data whose evidence is %s, newest %s, are %s', (evidence, as_of, word) => {
  expect(evidenceWords({ evidence, as_of }).word).toBe(word);
});

it('a port without any reply does not say that replies have been read', () => {
  expect(evidenceWords({ evidence: 'recorded', as_of: null }).text).toBe(
    'A deployment can read the port; no figure of it is held here.',
  );
});

it('the error is that of the method: of polls half the time between two', () => {
  const sources = [{ everyMinutes: 20 }, { everyMinutes: 300 }];
  expect(errorText('polls', sources.slice(0, 1))).toBe('each end of a stay to 10 min');
  expect(errorText('polls', sources)).toBe('each end of a stay to 2.5 h');
  expect(errorText('records', [])).toBe('times as stated, to 0.05 h');
  expect(errorText('positions', [])).toBe('stays found from positions');
  expect([errorText('polls', []), errorText(null, sources)]).toEqual([undefined, undefined]);
});

describe('the tables of calls of a port', () => {
  const records: Parameters<typeof tableSources>[0] = [
    {
      source: 'call-tables',
      last_fetch_iso: '2026-01-01T00:00:00Z',
      evidence: 'given',
      tables: [
        {
          name: 'own',
          publisher: null,
          licence: null,
          attribution: null,
          calls: false,
          ports: ['ESBCN', 'ESTAR'],
        },
        {
          name: 'tarragona',
          publisher: 'The port',
          licence: 'CC BY 4.0',
          attribution: 'Port, CC BY 4.0',
          calls: true,
          ports: ['ESTAR'],
        },
      ],
    },
    { source: 'hk-marine-department', last_fetch_iso: '2026-01-01T00:00:00Z', evidence: 'recorded' },
  ];

  it('are sources with the terms that are stated of each', () => {
    const shown = tableSources(records, 'ESTAR').map(({ name, publisher, attribution, passesOnCalls }) => [
      name,
      publisher,
      attribution,
      passesOnCalls,
    ]);
    expect(shown).toEqual([
      ['table of calls own', 'own', 'Publisher: not stated, licence: not stated', false],
      ['table of calls tarragona', 'The port', 'Port, CC BY 4.0', true],
    ]);
    expect(tableSources(records, 'HKHKG')).toEqual([]);
  });
});
