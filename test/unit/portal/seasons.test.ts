/** Seasons of the first screen: which ports are one, what is said of them, and where they stand in the list. */
import { describe, expect, it } from '@jest/globals';
import { type PortRecord, portsRoute } from '../../../core/contracts/ports.ts';
import { addDays } from '../../../core/reference/time.ts';
import { createDaysReader } from '../../../portal/api/files.ts';
import { type MapRoute, portSearch } from '../../../portal/explorer/page-route.ts';
import { isOneRanking, listGroups } from '../../../portal/explorer/port-list.ts';
import { seasonsOf, seasonText } from '../../../portal/explorer/seasons.ts';
import { ranked } from '../../../portal/explorer/shown-ports.ts';
import { spanOf } from '../../../portal/explorer/story.ts';

const portOf = (
  code: string,
  first: string | null,
  last: string | null,
  asOf: string | null,
): PortRecord => ({
  ...portsRoute.example[1],
  sources: [],
  port: code,
  name: code,
  first_day: first,
  last_day: last,
  as_of: asOf,
});
const KAOHSIUNG = portOf('TWKHH', '2025-01-02', '2025-10-04', '2025-10-04T14:05:00Z');
const TARRAGONA = portOf('ESTAR', '2019-01-02', '2019-12-30', '2019-12-31T00:00:00Z');
const HONG_KONG = portOf('HKHKG', '2025-10-04', '2025-10-04', '2025-10-04T14:19:27Z');
const RAUMA = portOf('FIRAU', '2019-10-22', '2019-10-23', '2019-10-23T12:41:00Z');
const UNHELD = portOf('FIKTK', null, null, null);
const START = [HONG_KONG, KAOHSIUNG, TARRAGONA, RAUMA, UNHELD];

const codes = (ports: readonly PortRecord[]): string[] => ports.map(({ port }) => port);

describe('a season', () => {
  it('is a port with months of figures: the newest comes first, ports with a day are left out', () => {
    expect(codes(seasonsOf(START, true))).toEqual(['TWKHH', 'ESTAR']);
  });

  it('leaves out a port that is observed now', () => {
    expect(codes(seasonsOf(START, false))).toEqual(['ESTAR']);
  });

  it('leaves out all ports where more than six have months', () => {
    const many = Array.from({ length: 7 }, (_, i) => ({ ...KAOHSIUNG, port: `XX00${i}` }));
    expect(seasonsOf(many, true)).toEqual([]);
    expect(seasonsOf(many.slice(1), true)).toHaveLength(6);
  });

  it.each([
    ['2019-01-02', '2019-12-30', '2019'],
    ['2025-01-02', '2025-10-04', 'Jan to Oct 2025'],
    ['2024-11-02', '2025-10-04', 'Nov 2024 to Oct 2025'],
    ['2019-01-02', '2020-12-30', 'Jan 2019 to Dec 2020'],
  ])('from %s to %s is %s', (first_day, last_day, text) => {
    expect(seasonText({ first_day, last_day })).toBe(text);
  });
});

describe('a ranking', () => {
  it('has the ports that were observed within the week before the newest observation', () => {
    expect(codes(ranked(START))).toEqual(['HKHKG', 'TWKHH']);
    const week = portOf('XXAAA', null, null, '2025-09-27T14:19:27Z');
    expect(codes(ranked([HONG_KONG, week, { ...week, as_of: '2025-09-27T14:19:26Z' }]))).toHaveLength(2);
    expect(codes(ranked([TARRAGONA]))).toEqual(['ESTAR']);
    expect(ranked([UNHELD])).toEqual([]);
  });

  it('stands in the list between the seasons and the ports that are not ranked', () => {
    const moved = START.map((port) => ({ ...port, congestion_score_change: null }));
    const groups = listGroups(moved, seasonsOf(START, true));
    expect(groups.map(({ title, ports }) => [title, codes(ports)])).toEqual([
      ['Seasons', ['TWKHH', 'ESTAR']],
      ['Worst first', ['HKHKG']],
      ['Not ranked: their newest figures are more than a week older', ['FIRAU']],
      ['Without figures', ['FIKTK']],
    ]);
    expect(isOneRanking(groups)).toBe(false);
    expect(isOneRanking(listGroups([...moved.slice(0, 2), ...moved.slice(4)], []))).toBe(true);
  });
});

describe('the days', () => {
  const known = {
    release: '2025-10-04',
    first_day: '2019-01-02',
    last_day: '2025-10-03',
    spans: [
      ['2019-01-02', '2019-12-30'],
      ['2025-01-01', '2025-10-03'],
    ],
    months: [],
    stops: [],
  } as const;

  it('of a port are the consecutive ones among which it has its own', () => {
    expect(spanOf(known, TARRAGONA)).toEqual(['2019-01-02', '2019-12-30']);
    expect(spanOf(known, KAOHSIUNG)).toEqual(['2025-01-01', '2025-10-03']);
    expect(spanOf(known, portOf('XXAAA', '2022-01-01', '2022-12-31', null))).toBeUndefined();
    expect(spanOf(known)).toEqual(['2025-01-01', '2025-10-03']);
  });

  it('of an earlier release are all consecutive', () => {
    const { spans: _, ...earlier } = known;
    expect(spanOf(earlier, KAOHSIUNG)).toEqual(['2019-01-02', '2025-10-03']);
    expect(spanOf({ ...earlier, first_day: null, last_day: null }, KAOHSIUNG)).toBeUndefined();
  });

  it('lead to a port on the day that is shown if it is one of its own, else to its newest figures', () => {
    const route: MapRoute = { view: 'map', port: undefined, window: '30d', day: '2025-09-23' };
    expect(portSearch(route, KAOHSIUNG)).toBe('/?port=TWKHH&day=2025-09-23');
    expect(portSearch(route, TARRAGONA)).toBe('/?port=ESTAR');
    expect(portSearch({ ...route, day: undefined }, TARRAGONA)).toBe('/?port=ESTAR');
  });

  it('state the last day of a port that was no longer observed', () => {
    const names = ['as_of', 'congestion_score'];
    const month = {
      days: ['2025-09-23'],
      figures: names,
      ports: [{ ...TARRAGONA, days: [['2019-12-31T00:00:00Z', 0.289]] }],
    };
    const files: Readonly<Record<string, unknown>> = {
      '/data/known-days.json': { ...known, months: [{ month: '2025-09', path: 'september' }] },
      '/data/september': month,
    };
    const days = createDaysReader(<T>(path: string) => files[path] as T);
    expect(days.portsOn('2025-09-23')).toMatchObject([
      { port: 'ESTAR', last_day: addDays('2019-12-31', -1), first_day: '2019-01-02' },
    ]);
  });
});
