/** Ports that another source serves are compared week by week, and none of their calls is reported. */
import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../core/calls/observation.ts';
import { compareWaits } from '../../../core/ingest/compare-waits.ts';
import {
  type ComparedCalls,
  compareCalls,
  toBerthing,
  weekFigures,
} from '../../../core/positions/compared-waits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { collection, files } from '../../builders/geojson-feed.ts';
import { feature, POLLED_AT, stepsOver } from '../../sources/open-waters-ais/polls.ts';

const PORT = 'TWKHH';
/** A Monday. */
const MONDAY = Date.UTC(2026, 2, 2);
const SETTLED = 3 * 86_400;

const recordAt = (callId: string, berthedAt: number, waitHours: number): CallRecord => ({
  callId,
  vesselId: `mmsi:${callId}`,
  traffic: 'cargo',
  recordedAt: berthedAt,
  stops: [
    ...(waitHours > 0
      ? [
          {
            zone: 'anchorage' as const,
            place: '',
            ataAt: berthedAt - (waitHours + 1) * HOUR_MS,
            atdAt: berthedAt - HOUR_MS,
          },
        ]
      : []),
    { zone: 'berth', place: '', ataAt: berthedAt },
  ],
});

describe('a berthing', () => {
  it('has the hours at anchor before the first berth', () => {
    expect(toBerthing(recordAt('a', MONDAY, 7))).toEqual([MONDAY / 1000, 7]);
    expect(toBerthing(recordAt('a', MONDAY, 0))).toEqual([MONDAY / 1000, 0]);
  });

  it.each([
    ['of a ferry', { traffic: 'ferry' }],
    ['that was withdrawn', { cancelled: true }],
    ['of unknown wait', { waitKnown: false }],
    ['that has not come', { stops: [] }],
  ] as const)('is none %s', (_name, change) => {
    expect(toBerthing({ ...recordAt('a', MONDAY, 7), ...change })).toBeUndefined();
  });
});

it('the median is of the waits of three hours or more', () => {
  expect(weekFigures([0, 0, 2.9, 3, 10, 20.5, 4])).toEqual({ berthed: 7, delayed: 4, medianHours: 7 });
  expect(weekFigures([0, 1])).toEqual({ berthed: 2, delayed: 0 });
});

describe('a week', () => {
  const ports = new Set([PORT]);
  const polled = (before: ComparedCalls | undefined, at: number, ...records: readonly CallRecord[]) =>
    compareCalls(
      before,
      ports,
      records.map((record) => ({ port: PORT, record })),
      at,
      SETTLED,
    );
  const began = polled(undefined, MONDAY - DAY_MS).calls;

  it('is reported once, when its calls have settled, as they stand then', () => {
    const first = polled(
      began,
      MONDAY + DAY_MS,
      recordAt('a', MONDAY + DAY_MS, 9),
      recordAt('b', MONDAY + DAY_MS, 5),
    );
    const withdrawn = polled(first.calls, MONDAY + 2 * DAY_MS, {
      ...recordAt('b', MONDAY, 5),
      cancelled: true,
    });
    const next = polled(withdrawn.calls, MONDAY + 8 * DAY_MS, recordAt('c', MONDAY + 7 * DAY_MS, 30));
    const due = MONDAY + 7 * DAY_MS + SETTLED * 1000;
    const before = polled(next.calls, due - MINUTE_MS);
    const ended = polled(before.calls, due);
    expect([first, withdrawn, next, before].flatMap(({ weeks }) => weeks)).toEqual([]);
    expect(ended.weeks).toEqual([{ port: PORT, week: '2026-03-02', berthed: 1, delayed: 1, medianHours: 9 }]);
    const later = polled(ended.calls, due + 5 * MINUTE_MS);
    expect(later.weeks).toEqual([]);
    expect(polled(later.calls, due + 7 * DAY_MS).weeks).toEqual([
      { port: PORT, week: '2026-03-09', berthed: 1, delayed: 1, medianHours: 30 },
    ]);
  });

  it('that had begun before the first poll is not reported', () => {
    const { calls } = polled(undefined, MONDAY + HOUR_MS, recordAt('a', MONDAY + DAY_MS, 9));
    expect(polled(calls, MONDAY + 11 * DAY_MS).weeks).toEqual([]);
    expect(polled(calls, MONDAY + 18 * DAY_MS).weeks).toHaveLength(1);
  });

  it('forgets the weeks before', () => {
    const first = polled(began, MONDAY + DAY_MS, recordAt('a', MONDAY + DAY_MS, 9));
    const due = polled(first.calls, MONDAY + 11 * DAY_MS);
    expect(polled(due.calls, MONDAY + 18 * DAY_MS).calls.berthings).toEqual({ [PORT]: {} });
  });
});

it('stands beside the waits that the port serves', async () => {
  const days = [
    { day: '2026-03-02', coverage: 1, all: { berthed: 3, waits: [2, 8, 12] } },
    { day: '2026-03-05', coverage: 1, all: { berthed: 2, waits: [10] } },
  ];
  const asked: unknown[] = [];
  const waitDays = {
    current: async (...range: unknown[]) => {
      asked.push(range);
      return days;
    },
  };
  const week = { port: PORT, week: '2026-03-02', berthed: 4, delayed: 2, medianHours: 9 };
  expect(
    await compareWaits([week, { port: PORT, week: '2026-03-02', berthed: 1, delayed: 0 }], waitDays),
  ).toEqual([
    {
      port: PORT,
      week: '2026-03-02',
      positionsBerthed: 4,
      positionsDelayed: 2,
      positionsMedianHours: 9,
      recordBerthed: 5,
      recordDelayed: 3,
      recordMedianHours: 10,
    },
  ]);
  expect(asked[0]).toEqual([PORT, { from: '2026-03-02', to: '2026-03-08' }]);
});

it('positions at a compared port make no report of it', () => {
  const polls = Array.from({ length: 20 }, (_, index) => {
    const at = POLLED_AT + index * 10 * MINUTE_MS;
    const vessels = [
      feature(at, { mmsi: 416_000_001, latitude: 22.6, longitude: 120.27 }),
      feature(at, { mmsi: 205_000_001 }),
      feature(at, { mmsi: 431_000_001, latitude: 35.44, longitude: 139.66, type: 52 }),
    ];
    return { fetchedAt: at, files: files({ 'vessels-1.geojson': collection(vessels) }) };
  });
  const reported = [...stepsOver(polls)].flatMap(({ reports }) =>
    reports.flatMap((report) => (report.kind === 'trade' ? [] : [report.port])),
  );
  expect(reported).toContain('USLAX');
  expect(reported).not.toContain(PORT);
});
