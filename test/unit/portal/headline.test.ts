/** The headline: an open closure, else a queue, else the latest stop, else the worst week of a season, else the highest score. */
import { describe, expect, it } from '@jest/globals';
import { changesRoute, type PortChange } from '../../../core/contracts/changes.ts';
import { type PortRecord, portsRoute } from '../../../core/contracts/ports.ts';
import type { Stop } from '../../../core/contracts/published-files.ts';
import { changeSentence, headline, type Moment, noChangeText } from '../../../portal/explorer/headline.ts';

const LINES = { low: 0.5, medium: 0.6, high: 0.75 };
const change: PortChange = {
  ...changesRoute.example[0],
  port: 'HKHKG',
  name: 'Hong Kong',
  congestion_score: 0.412,
  congestion_score_change: 0.118,
  avg_wait_hours: 11.3,
  avg_wait_hours_change: 4.2,
  at_anchor: 21,
  at_anchor_change: 12,
  scores: [...changesRoute.example[0].scores],
};
const port: PortRecord = {
  ...portsRoute.example[1],
  port: 'FIHEL',
  name: 'Helsinki',
  sources: ['fintraffic-digitraffic'],
  congestion_score: 0.142,
  avg_wait_hours: 1.8,
  at_anchor: 1,
};

/** Kaohsiung in September 2025, as a replay of the lists of the port knew it at the ends of the days. */
const KAOHSIUNG: PortRecord = {
  ...port,
  port: 'TWKHH',
  name: 'Kaohsiung',
  evidence: 'read',
  wait_basis: 'berthed',
};
const CLOSED: PortRecord = {
  ...KAOHSIUNG,
  as_of: '2025-09-23T21:05:00Z',
  congestion_score: 0.6,
  avg_wait_hours: 1.6,
  at_anchor: 1,
  stopped_since: '2025-09-21T21:00:00Z',
};
const REOPENED: PortRecord = {
  ...KAOHSIUNG,
  as_of: '2025-09-25T21:05:00Z',
  congestion_score: 0.017,
  avg_wait_hours: 0.4,
  at_anchor: 1,
};
const SEPTEMBER: Stop = {
  port: 'TWKHH',
  name: 'Kaohsiung',
  first_day: '2025-09-22',
  last_day: '2025-09-23',
  alerted_at: '2025-09-22T06:00:00Z',
  stopped_since: '2025-09-21T21:00:00Z',
  lowest: { date: '2025-09-23', berthed: 0 },
  usual: 33,
  missed: 65,
  queue: { date: '2025-09-26', waiting: 10 },
  scores: [],
};
const JULY: Stop = {
  ...SEPTEMBER,
  first_day: '2025-07-05',
  last_day: '2025-07-06',
  lowest: { date: '2025-07-06', berthed: 0 },
  usual: 35,
  missed: 69,
};
const PARTLY: Stop = {
  ...SEPTEMBER,
  first_day: '2025-07-30',
  last_day: '2025-07-30',
  lowest: null,
  missed: 0,
};

const TARRAGONA = { as_of: '2019-12-31T00:00:00Z', first_day: '2019-01-02', last_day: '2019-12-30' };

const said = (given: Partial<Moment>): string => {
  const sentence = headline({
    ports: [],
    stops: [],
    week: undefined,
    day: undefined,
    isRecorded: false,
    lines: LINES,
    ...given,
  });
  return sentence === undefined ? '' : `${sentence.before}${sentence.port.name}${sentence.after}`;
};

describe('the headline', () => {
  it('tells of an open closure before everything: 23 September 2025', () => {
    const other = { ...port, as_of: '2025-09-23T20:00:00Z' };
    const day = { ports: [CLOSED, other], stops: [JULY, SEPTEMBER], day: '2025-09-23' };
    expect(said(day)).toBe(
      'Kaohsiung was stopped: hardly any vessel had berthed since 21 Sept 2025, 21:00 UTC; 33 vessels berth on a usual day. 1 at anchor, 1.6 h average wait.',
    );
    // Before a release knows the stop, nothing is said of what is usual.
    expect(said({ ports: [CLOSED, CLOSED, CLOSED, other], stops: [JULY] })).toBe(
      'Kaohsiung is stopped: hardly any vessel has berthed since 21 Sept 2025, 21:00 UTC. 1 at anchor, 1.6 h average wait. Two more ports are stopped.',
    );
  });

  it('tells of the stop of the week where the port is open again: 25 September 2025', () => {
    expect(said({ ports: [REOPENED, port], stops: [JULY, PARTLY, SEPTEMBER], day: '2025-09-25' })).toBe(
      'Kaohsiung stopped three times in 2025. On 23 September no vessel berthed; 33 is usual. On 25 September: 0.4 h average wait, 1 at anchor.',
    );
  });

  it('tells of a queue before a stop that is over', () => {
    const queued = { ...REOPENED, congestion_score: 0.78, at_anchor: 23, avg_wait_hours: 41 };
    expect(said({ ports: [queued], stops: [SEPTEMBER] })).toBe(
      'Most congested now: Kaohsiung. 23 vessels at anchor, average wait for a berth 41 h, score 0.78 of 1, severe.',
    );
  });

  it('tells of the latest stop of a year, and of now where the figures are of now', () => {
    const now = {
      ...KAOHSIUNG,
      as_of: '2025-11-04T12:05:00Z',
      congestion_score: 0.15,
      at_anchor: 4,
      avg_wait_hours: 6,
    };
    expect(said({ ports: [now], stops: [{ ...JULY, missed: 71 }, SEPTEMBER] })).toBe(
      'Kaohsiung stopped twice in 2025. On 23 September no vessel berthed; 33 is usual. Today: 6 h average wait, 4 at anchor.',
    );
    expect(said({ ports: [now], stops: [PARTLY], isRecorded: true })).toBe(
      'Kaohsiung stopped once in 2025. Stopped on 30 July. On 4 November: 6 h average wait, 4 at anchor.',
    );
    expect(said({ ports: [now], stops: [{ ...JULY, first_day: '2024-12-30' }, SEPTEMBER] })).toContain(
      'twice within a year',
    );
  });

  it('tells of the latest stop of any season of a recording, and not of an older year where ports are observed now', () => {
    const ports = [{ ...KAOHSIUNG, congestion_score: 0.15, at_anchor: 4, avg_wait_hours: 6 }];
    const old = {
      ...JULY,
      port: 'ESTAR',
      name: 'Tarragona',
      first_day: '2019-06-05',
      last_day: '2019-06-06',
    };
    expect(said({ ports, stops: [old, JULY], isRecorded: true })).toMatch(/^Kaohsiung stopped once/);
    expect(said({ ports, stops: [old], isRecorded: true })).toMatch(/^Tarragona stopped once in 2019/);
    expect(said({ ports, stops: [old] })).toMatch(/^Highest score now: Kaohsiung/);
    expect(said({ ports, stops: [old], isRecorded: true, day: '2025-03-01' })).toMatch(
      /^Highest score that day/,
    );
  });

  it('tells of the worst week of a season where nothing has stopped', () => {
    const season = { ...port, port: 'ESTAR', name: 'Tarragona', ...TARRAGONA };
    const week = {
      port: 'ESTAR',
      season,
      first_day: '2019-11-04',
      last_day: '2019-11-10',
      berthed: 39,
      hours: 21,
    };
    expect(said({ ports: [season], week, isRecorded: true })).toBe(
      'Tarragona, 2019: the 39 vessels that berthed from 4 to 10 November took 21 h from arrival to berth on average, longer than in any other week.',
    );
    expect(said({ ports: [season], week, stops: [JULY], isRecorded: true })).toMatch(/^Kaohsiung stopped/);
    expect(said({ ports: [{ ...season, congestion_score: 0.7 }], week })).toMatch(/^Most congested/);
  });

  it('ranks no port whose newest observation is more than a week old', () => {
    const old = { ...port, ...TARRAGONA, name: 'Tarragona', congestion_score: 0.9, stopped_since: null };
    const closed = { ...old, stopped_since: '2019-12-30T01:00:00Z' };
    expect(said({ ports: [closed, old, port] })).toMatch(/^Highest score now: Helsinki/);
  });

  it('names the port with the highest score where none has stopped', () => {
    expect(said({ ports: [port] })).toBe(
      'Highest score now: Helsinki (score 0.14 of 1; 1 at anchor; 1.8 h average wait).',
    );
    expect(said({ ports: [{ ...port, wait_basis: 'open', evidence: 'simulated' }] })).toBe(
      'Highest score in the sample: Helsinki (score 0.14 of 1; 1 at anchor; too few berthed to average).',
    );
    expect(said({ ports: [port], isRecorded: true })).toMatch(/^Highest score in the recording: Helsinki/);
    expect([said({}), said({ ports: [{ ...port, congestion_score: null }] })]).toEqual(['', '']);
  });

  it('never says that no port is congested, or free: an alert may be open beside a low score', () => {
    for (const score of [0, 0.04, 0.3, 0.49])
      for (const stops of [[], [SEPTEMBER]])
        expect(said({ ports: [{ ...REOPENED, congestion_score: score }], stops })).not.toMatch(
          /no port|free|small/i,
        );
  });
});

describe('beside it', () => {
  const text = (sentence: ReturnType<typeof changeSentence>): string =>
    sentence === undefined ? '' : `${sentence.before}${sentence.port.name}${sentence.after}`;

  it('is the port that changed most, unless none has', () => {
    const none = (): boolean => false;
    expect(text(changeSentence([change], none))).toBe(
      'Changed most in seven days: Hong Kong (rose from 0.29 to 0.41).',
    );
    expect(changeSentence([{ ...change, congestion_score_change: null }], none)).toBeUndefined();
    expect(changeSentence([{ ...change, congestion_score_change: -0.004 }], none)).toBeUndefined();
    expect(changeSentence([], none)).toBeUndefined();
    const other = { ...change, port: 'TWKHH', name: 'Kaohsiung' };
    expect(changeSentence([other, change], (code) => code === 'TWKHH')?.port.name).toBe('Hong Kong');
  });

  it('is why no port changed most: still, not two weeks old, or a recording that is too short', () => {
    const young = { ...change, congestion_score_change: null };
    expect([noChangeText([], false), noChangeText([young, change], false)]).toEqual(['', '']);
    expect(noChangeText([young, { ...change, congestion_score_change: 0.004 }], true)).toBe(
      'No score has moved within seven days.',
    );
    expect(noChangeText([young], false)).toContain('No port has been observed for two weeks');
    expect(noChangeText([young], true)).toContain('The recording is too short to say what changed');
  });
});
