/** What the first screen says, from served figures: sentences, the banner and sparklines. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changesRoute, type PortChange } from '../../../core/contracts/changes.ts';
import { type PortRecord, portsRoute } from '../../../core/contracts/ports.ts';
import { type BannerPort, bannerStatements } from '../../../portal/explorer/banner.ts';
import { moverSentence } from '../../../portal/explorer/movers.ts';
import { mapSearch, readRoute } from '../../../portal/explorer/page-route.ts';
import { sparklinePath, sparklineText } from '../../../portal/explorer/sparkline.ts';

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
const STOPPED: PortRecord = { ...port, name: 'Kaohsiung', stopped_since: '2025-09-22T14:00:00Z' };

describe('the sentence of a mover', () => {
  it.each<[Partial<PortChange>, string]>([
    [
      {},
      'Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; average wait for a berth 11 h (7.1 h a week ago).',
    ],
    [
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
      { congestion_score_change: 0, at_anchor: 1, at_anchor_change: 0, avg_wait_hours_change: 0.1 },
      'Score 0.41, as a week ago. 1 vessel at anchor, unchanged; average wait for a berth 11 h.',
    ],
    [
      { congestion_score_change: null, at_anchor_change: null, avg_wait_hours_change: null },
      'Score 0.41. 21 vessels at anchor; average wait for a berth 11 h.',
    ],
    [
      { congestion_score: null, congestion_score_change: null, at_anchor: null, avg_wait_hours: null },
      'Nothing has been observed yet.',
    ],
  ])('with %j', (figures, sentence) => {
    expect(moverSentence({ ...change, ...figures }, port)).toBe(sentence);
  });

  it('begins with the stop of a port, and has no average where too few have berthed', () => {
    expect(moverSentence(change, { ...STOPPED, wait_basis: 'mixed' })).toBe(
      'Stopped since 22 Sept 2025, 14:00 UTC. Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; too few berthed to average.',
    );
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
    expect(bannerStatements(ports, until)[0]?.text).toBe('Not live: each port as of its own last day.');
    expect(bannerStatements(ports.slice(0, 1), until)[0]?.text).toBe(
      'Not live: the figures are of 23 Oct 2019.',
    );
  });

  it('counts what is measured now, and names the sources that are down and the ports that are experimental', () => {
    const ports = [
      of('observed'),
      of('observed'),
      of('recorded', '2026-11-18T09:30:00Z'),
      of('expected', null),
    ];
    const said = bannerStatements(ports, undefined).map(({ tone, title, text }) => [
      tone,
      `${title} ${text}`,
    ]);
    expect(said).toEqual([
      ['measured', 'Measured. 2 of 4 ports are measured by this service, with current data.'],
      [
        'caution',
        'A source is down. The figures of 1 port are the last good ones, the newest of 18 Nov 2026, 09:30 UTC: hk-marine-department.',
      ],
      ['caution', 'Experimental. 1 port can be read by published formats only; no real reply has been read.'],
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
      'Score of 4 days: from 0.20 to 0.30, lowest 0.20, highest 0.50.',
    );
    expect(sparklineText([null])).toBe('No score.');
  });
});

it('the address of a view leads back to it', () => {
  for (const port of [undefined, 'HKHKG'])
    for (const day of [undefined, '2025-09-23']) {
      const route = { view: 'map', port, window: '7d', day } as const;
      expect(readRoute(mapSearch(route).slice(1))).toEqual(route);
    }
  expect(readRoute('day=2025-13-45')).toMatchObject({ view: 'map', day: undefined });
});

it('an address that lists several ports leads to the first, however people write them', () => {
  for (const [address, port] of [
    ['?ports=HKHKG,TWKHH', 'HKHKG'],
    ['?ports=twkhh%2C%20hkhkg', 'TWKHH'],
    ['?ports=', undefined],
  ] as const)
    expect(readRoute(address)).toMatchObject({ view: 'map', port });
});
