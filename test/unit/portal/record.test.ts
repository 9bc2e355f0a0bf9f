/** What the page of the record says of a forecast, of an alert and of revisions. */
import { describe, expect, it } from '@jest/globals';
import type { RecordAlert, ScoredForecast, ServiceRecord } from '../../../core/contracts/published-files.ts';
import { courseText, worstMisses } from '../../../portal/docs/record.ts';
import { finalLine, recordLine, revisionText } from '../../../portal/view/text.ts';

const record = (made: 'issued' | 'replayed'): ServiceRecord => ({
  release: '2025-10-04',
  scores: [],
  misses: [],
  next_day: [
    { port: 'TWKHH', made, error: 1.12, persistence: 1.94 },
    { port: 'HKHKG', made, error: 0.5, persistence: 0.4 },
  ],
  closures: { confirmed: 0, false: 0 },
  ports: [
    { port: 'HKHKG', name: 'Hong Kong', path: '' },
    { port: 'TWKHH', name: 'Kaohsiung', path: '' },
  ],
});

describe('the line of the first screen', () => {
  it('has the error beside that of the value of the day before', () => {
    expect(recordLine(record('issued'))).toBe(
      'The last 30 forecasts of the next day’s wait at Kaohsiung were off by 1.1 h, the value of the day before by 1.9 h.',
    );
    expect(recordLine(record('issued'), 'HKHKG')).toContain('at Hong Kong were off by 0.5 h');
  });

  it('says what was made afterwards', () => {
    expect(recordLine(record('replayed'))).toContain('30 forecasts, made afterwards from recordings, of');
  });

  it('is none without thirty forecasts', () => {
    expect(recordLine(record('issued'), 'FIHEL')).toBeUndefined();
    expect(recordLine({ ...record('issued'), next_day: [] })).toBeUndefined();
  });
});

describe('how long until a figure is final', () => {
  it.each([
    [{ age: 0, days: 120 }, '99 % of daily waits are final when their day ends (120 days compared).'],
    [{ age: 1, days: 273 }, '99 % of daily waits are final after 1 day (273 days compared).'],
    [{ age: 9, days: 273 }, '99 % of daily waits are final after 9 days (273 days compared).'],
    [
      { age: null, days: 245 },
      'More than 1 % of daily waits still change after 30 days (245 days compared).',
    ],
  ])('of a port with %j is said in a sentence', (known, text) => {
    const service = { ...record('issued'), final: [{ port: 'TWKHH', ...known }] };
    expect(finalLine(service, 'TWKHH')).toBe(text);
    expect(finalLine(service, 'HKHKG')).toBeUndefined();
  });

  it('is not said by a release of an earlier version', () => {
    expect(finalLine(record('issued'), 'TWKHH')).toBeUndefined();
  });

  it.each([
    ['vessels', 0.1563, 0.1758, '15.6 %, 0.18'],
    ['mean_hours', 0.02, 0.5, '2.0 %, 0.50 h'],
    ['congestion_score', 0.0273, 0, '2.7 %, under 0.001'],
    ['berthed', 0, 0, '0.0 %'],
    ['berthed', 0.25, null, '25.0 %'],
  ] as const)(
    'of %s with a changed share of %p and a difference of %p is %s',
    (metric, changed, difference, text) => {
      expect(revisionText({ metric, age: 1, days: 200, changed, difference })).toBe(text);
    },
  );
});

it('the worst misses come first, and are five', () => {
  const rows = [1, 9, 3, 7, 5, 2].map((value): ScoredForecast => [`day ${value}`, 0, 0, 0, value, 0, 0]);
  const misses = worstMisses({ metric: 'avg_wait_hours', horizon: 1, made: 'issued', rows });
  expect(misses.map(([day]) => day)).toEqual(['day 9', 'day 7', 'day 5', 'day 3', 'day 2']);
});

it.each<[Partial<RecordAlert>, string]>([
  [{}, 'open'],
  [{ ended_known: '2025-07-30T17:05:00Z' }, 'end not known'],
  [{ ended: '2025-08-05T03:00:00Z' }, 'ended 5 Aug 2025, 03:00 UTC'],
  [
    { withdrawn: '2025-08-05T03:00:00Z', withdrawal: 'fell_back' },
    'withdrawn 5 Aug 2025, 03:00 UTC: the wait fell back',
  ],
])('an alert %j is %s', (course, text) => {
  const alert = { ended: null, withdrawn: null, withdrawal: null, ...course } as RecordAlert;
  expect(courseText(alert)).toBe(text);
});
