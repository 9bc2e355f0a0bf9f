/** What the first screen says, from served figures: sentences, the banner, sparklines and the rows of the heat map. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changesRoute, type PortChange } from '../../../core/contracts/changes.ts';
import { type PortRecord, portsRoute } from '../../../core/contracts/ports.ts';
import { type BannerPort, bannerStatements } from '../../../portal/explorer/banner.ts';
import { changeSentence, noChangeText, worstSentence } from '../../../portal/explorer/first-screen.ts';
import { heatRows } from '../../../portal/explorer/heat-map.ts';
import { moverSentence } from '../../../portal/explorer/movers.ts';
import { mapSearch, readRoute } from '../../../portal/explorer/page-route.ts';
import { sparklinePath, sparklineText } from '../../../portal/explorer/sparkline.ts';

const LINES = { low: 0.5, medium: 0.6, high: 0.75 };
const change: PortChange = { ...changesRoute.example[0], scores: [...changesRoute.example[0].scores] };
const port: PortRecord = { ...portsRoute.example[0], sources: ['fintraffic-digitraffic'] };
const STOPPED: PortRecord = { ...port, name: 'Kaohsiung', stopped_since: '2025-09-22T14:00:00Z' };

describe('the sentence of a mover', () => {
  it.each<[string, Partial<PortChange>, string]>([
    [
      'a rise',
      {},
      'Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; average wait for a berth 11 h (7.1 h a week ago).',
    ],
    [
      'a fall to nothing',
      {
        congestion_score: 0.04,
        congestion_score_change: -0.48,
        at_anchor: 0,
        at_anchor_change: -3,
        avg_wait_hours: 0.4,
        avg_wait_hours_change: -77.2,
      },
      'Score fell from 0.52 to 0.04. No vessel at anchor, 3 fewer than a week ago; average wait for a berth 0.4 h (78 h a week ago).',
    ],
    [
      'no change',
      { congestion_score_change: 0, at_anchor: 1, at_anchor_change: 0, avg_wait_hours_change: 0.1 },
      'Score 0.41, as a week ago. 1 vessel at anchor, unchanged; average wait for a berth 11 h.',
    ],
    [
      'a young port',
      { congestion_score_change: null, at_anchor_change: null, avg_wait_hours_change: null },
      'Score 0.41. 21 vessels at anchor; average wait for a berth 11 h.',
    ],
    [
      'an unobserved port',
      { congestion_score: null, congestion_score_change: null, at_anchor: null, avg_wait_hours: null },
      'Nothing has been observed yet.',
    ],
  ])('says %s', (_, figures, sentence) => {
    expect(moverSentence({ ...change, ...figures }, port)).toBe(sentence);
  });

  it('begins with the stop of a port', () => {
    expect(moverSentence(change, STOPPED)).toMatch(
      /^Stopped since 22 Sept 2025, 14:00 UTC\. Score rose from /,
    );
  });

  it('has no average where too few have berthed', () => {
    expect(moverSentence(change, { ...port, wait_basis: 'mixed' })).toBe(
      'Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; too few berthed to average.',
    );
  });
});

describe('the first sentence', () => {
  const text = (sentence: ReturnType<typeof worstSentence>): string =>
    sentence === undefined ? '' : `${sentence.before}${sentence.name}${sentence.after}`;

  it('says that a port is stopped before any class of its score, and how many are', () => {
    expect(text(worstSentence([STOPPED, port], LINES, false))).toBe(
      'Stopped now: Kaohsiung (since 22 Sept 2025, 14:00 UTC; 1 vessel at anchor).',
    );
    expect(text(worstSentence([STOPPED, STOPPED, STOPPED, port], LINES, true))).toBe(
      'Stopped in the recording: Kaohsiung (since 22 Sept 2025, 14:00 UTC; 1 vessel at anchor) and 2 more.',
    );
  });

  it('never says that no port is congested, or free: an alert may be open beside a low score', () => {
    for (const score of [0, 0.04, 0.3, 0.49])
      expect(text(worstSentence([{ ...port, congestion_score: score }], LINES, true))).not.toMatch(
        /no port|free/i,
      );
  });

  it('names the port with the highest score', () => {
    expect(
      text(
        worstSentence([{ ...port, congestion_score: 0.78, at_anchor: 23, avg_wait_hours: 41 }], LINES, false),
      ),
    ).toBe(
      'Most congested now: Helsinki (severe, score 0.78 of 1; 23 vessels at anchor; average wait for a berth 41 h).',
    );
    expect(text(worstSentence([port], LINES, true))).toMatch(/^Highest score in the recording: Helsinki/);
    expect(text(worstSentence([port], LINES, false))).toBe(
      'Highest score now: Helsinki (small, score 0.14 of 1; 1 vessel at anchor; average wait for a berth 1.8 h).',
    );
    expect(text(worstSentence([{ ...port, evidence: 'simulated' }], LINES, false))).toMatch(
      /^Highest score in the sample: /,
    );
    expect(text(worstSentence([{ ...port, wait_basis: 'open' }], LINES, false))).toContain(
      '(small, score 0.14 of 1; 1 vessel at anchor; too few berthed to average).',
    );
    expect(
      [undefined, { ...port, congestion_score: null }].map((one) =>
        worstSentence(one ? [one] : [], LINES, false),
      ),
    ).toEqual([undefined, undefined]);
  });

  it('names the port that changed most, unless none has', () => {
    const none = (): boolean => false;
    expect(text(changeSentence([change], none))).toBe(
      'Changed most in seven days: Hong Kong (rose from 0.29 to 0.41).',
    );
    expect(changeSentence([{ ...change, congestion_score_change: null }], none)).toBeUndefined();
    expect(changeSentence([{ ...change, congestion_score_change: -0.004 }], none)).toBeUndefined();
    expect(changeSentence([], none)).toBeUndefined();
    const other = { ...change, port: 'TWKHH', name: 'Kaohsiung' };
    expect(changeSentence([other, change], (code) => code === 'TWKHH')?.name).toBe('Hong Kong');
  });

  it('says why no port changed most: still, not two weeks old, or a recording that is too short', () => {
    const young = { ...change, congestion_score_change: null };
    expect([noChangeText([], false), noChangeText([young, change], false)]).toEqual(['', '']);
    expect(noChangeText([young, { ...change, congestion_score_change: 0.004 }], true)).toBe(
      'No score has moved within seven days.',
    );
    expect(noChangeText([young], false)).toContain('No port has been observed for two weeks');
    expect(noChangeText([young], true)).toContain('The recording is too short to say what changed');
  });
});

describe('the banner', () => {
  const of = (
    evidence: BannerPort['evidence'],
    as_of: string | null = '2026-11-20T12:00:00Z',
  ): BannerPort => ({
    evidence,
    as_of,
    sources: ['hk-marine-department'],
  });
  const titles = (ports: readonly BannerPort[], until?: string): string[] =>
    bannerStatements(ports, until).map(({ title }) => title);

  it('says nothing before the ports are known', () => {
    expect(bannerStatements([], undefined)).toEqual([]);
  });

  it('says that a sample is made up, and nothing else', () => {
    expect(titles([of('simulated'), of('simulated')])).toEqual(['Sample data.']);
    expect(bannerStatements([of('simulated'), of('observed')], undefined)[0]?.text).toBe(
      'The figures of 1 port are made up.',
    );
  });

  it('says where the clock of a replay stands still, and of when the figures are', () => {
    const until = '2025-10-04T14:20:27Z';
    expect(titles([], until)).toEqual(['Real data, recorded up to 4 Oct 2025.']);
    const ports = [of('recorded', '2019-10-23T12:41:00Z'), of('recorded', '2025-10-04T14:00:00Z')];
    expect(bannerStatements(ports, until)[0]?.text).toBe(
      'Not live: the clock stands still at 4 Oct 2025, 14:20 UTC. Each port has figures of its own last day, 23 Oct 2019 to 4 Oct 2025.',
    );
  });

  it('counts what is measured now, and names the sources that are down and the ports that are experimental', () => {
    const ports = [
      of('observed'),
      of('observed'),
      of('recorded', '2026-11-18T09:30:00Z'),
      of('expected', null),
    ];
    expect(bannerStatements(ports, undefined)).toEqual([
      {
        tone: 'measured',
        title: 'Measured.',
        text: '2 of 4 ports are measured by this service, with current data.',
      },
      {
        tone: 'caution',
        title: 'A source is down.',
        text: 'The figures of 1 port are the last good ones, the newest of 18 Nov 2026, 09:30 UTC: hk-marine-department.',
      },
      {
        tone: 'caution',
        title: 'Experimental.',
        text: '1 port can be read by published formats only; no real reply has been read.',
      },
    ]);
    expect(titles([of('read', null)])).toEqual(['Nothing is measured now.']);
  });
});

const scores = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), {
  minLength: 1,
  maxLength: 30,
});

describe('a sparkline', () => {
  it('lies within its box, with a move for each run of days and a point for each score', () => {
    fc.assert(
      fc.property(scores, (given) => {
        const path = sparklinePath(given);
        const known = given.filter((score) => score !== null).length;
        const runs = given.filter((score, i) => score !== null && (given[i - 1] ?? null) === null).length;
        expect(path.match(/[ML]/g)?.length ?? 0).toBe(known);
        expect(path.match(/M/g)?.length ?? 0).toBe(runs);
        for (const [, x, y] of path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)) {
          expect(Number(x)).toBeLessThanOrEqual(112);
          expect(Number(y)).toBeLessThanOrEqual(30);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('has words for readers who do not see it', () => {
    expect(sparklineText([null, 0.2, 0.5, 0.3])).toBe(
      'Score of 30 days: from 0.20 to 0.30, lowest 0.20, highest 0.50.',
    );
    expect(sparklineText([null])).toBe('No score in 30 days.');
  });
});

describe('the heat map', () => {
  it('lays the days of every port on one calendar, worst first, without ports that have no day', () => {
    const last = {
      ...change,
      port: 'AAAAA',
      as_of: '2026-11-20T06:00:00Z',
      congestion_score: 0.2,
      scores: [0.1, 0.2],
    };
    const older = {
      ...change,
      port: 'BBBBB',
      as_of: '2026-11-18T06:00:00Z',
      congestion_score: 0.9,
      scores: [0.8, 0.9],
    };
    const { days, rows } = heatRows([last, { ...change, port: 'CCCCC', as_of: null, scores: [] }, older], []);
    expect([days.length, days[0], days.at(-1)]).toEqual([30, '2026-10-22', '2026-11-20']);
    expect(rows.map((row) => [row.port, row.scores.slice(-4)])).toEqual([
      ['BBBBB', [0.8, 0.9, null, null]],
      ['AAAAA', [null, null, 0.1, 0.2]],
    ]);
    expect(heatRows([], [])).toEqual({ days: [], rows: [] });
    const stopped = heatRows([last, older], [{ port: 'AAAAA', stopped_since: '2026-11-19T02:00:00Z' }]).rows;
    expect(stopped.map((row) => [row.port, row.stoppedOn])).toEqual([
      ['AAAAA', '2026-11-19'],
      ['BBBBB', null],
    ]);
  });
});

it('the address of a view leads back to it', () => {
  for (const listing of ['table', 'heat map'] as const)
    for (const port of [undefined, 'HKHKG']) {
      const route = { view: 'map', port, window: '7d', listing } as const;
      expect(readRoute(mapSearch(route).slice(1))).toEqual(route);
    }
});
