/** Sections 2 and 4 on data that the test knows: calls go in through the ingest, responses come out over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CallRecord, RecordedStop } from '../../core/calls/observation.ts';
import type { Alert } from '../../core/contracts/alerts.ts';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import type { SourceRecord } from '../../core/contracts/sources.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import {
  addDays,
  DAY_MS,
  dayOf,
  formatInstant,
  HOUR_MS,
  type Instant,
  startOfDay,
} from '../../core/reference/time.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import { scriptedSource } from '../builders/scripted-source.ts';
import { recomputed, statedChange } from '../builders/stated-change.ts';
import { type PreparedService, startPreparedService } from './prepared-service.ts';
import { isDeployed } from './service.ts';
import { expectError } from './statements.ts';

const local = isDeployed ? describe.skip : describe;
/** Noon of a day, so that a day is half over. */
const NOW = Date.UTC(2026, 4, 20, 12);
const hoursAgo = (hours: number): Instant => NOW - hours * HOUR_MS;

type Zone = RecordedStop['zone'];
let calls = 0;

/** A call of the given stops, `[zone, hours ago of arrival, hours ago of departure]`. */
function call(vesselId: string, stops: readonly [Zone, number, number?][]): CallRecord {
  calls += 1;
  return {
    callId: `call-${calls}`,
    vesselId,
    traffic: 'cargo',
    recordedAt: NOW,
    stops: stops.map(([zone, from, to], place) => ({
      zone,
      place: `place ${place}`,
      ataAt: hoursAgo(from),
      ...(to === undefined ? {} : { atdAt: hoursAgo(to) }),
    })),
  };
}

/** 40 days of waits around `from` hours, then 10 days of waits around `to` hours. */
const steppedWaits = (from: number, to: number): CallRecord[] =>
  Array.from({ length: 50 * 6 }, (_, i) => {
    const berthAgo = 1 + i * 4;
    const wait = (berthAgo < 240 ? to : from) + (((i * 7) % 5) - 2) / 2;
    return call(`stepped ${i}`, [
      ['anchorage', berthAgo + wait, berthAgo],
      ['berth', berthAgo, Math.max(0.5, berthAgo - 3)],
    ]);
  });

local('2. and 4. with prepared data', () => {
  let prepared: PreparedService;
  beforeAll(async () => {
    prepared = await startPreparedService({ at: NOW });
  });
  afterAll(() => prepared?.close());

  /** A source of one port that has reported `records`, as of now. */
  async function observe(port: string, records: readonly CallRecord[], coveredDays = 40): Promise<void> {
    const source = scriptedSource(`of-${port.toLowerCase()}`, [port]);
    const coveredFromAt = NOW - coveredDays * DAY_MS;
    source.turns.push({
      asOfAt: NOW,
      observations: [{ kind: 'call-batch', port, observedAt: NOW, coveredFromAt, records }],
    });
    expect(await prepared.ingest(source)).toMatchObject({ state: 'ok' });
  }
  const snapshotOf = async (port: string) =>
    (await prepared.get(`/v1/ports/${port}/snapshot`)).json<Snapshot>();
  const trendOf = async (port: string, query = 'window=30d') =>
    (await prepared.get(`/v1/ports/${port}/trend?${query}`)).json<TrendPoint[]>();
  const dwellOf = async (port: string, query = '') =>
    (await prepared.get(`/v1/ports/${port}/dwell${query}`)).json<DwellPeriod[]>();

  it('[S2.07] [S2.08] "UTC time of the most recent successful fetch": moves on success only, never-fetched sources are absent', async () => {
    const sources = async () => (await prepared.get('/v1/meta/sources')).json<SourceRecord[]>();
    const good = scriptedSource('zulu', []);
    good.turns.push({ asOfAt: NOW, observations: [] });
    const bad = scriptedSource('alpha', []);
    await prepared.ingest(good);
    await prepared.ingest(bad);
    const once = [{ source: 'zulu', last_fetch_iso: formatInstant(NOW), evidence: 'expected' }];
    expect((await sources()).filter(({ source }) => !source.startsWith('of-'))).toEqual(once);
    prepared.clock.at = NOW + HOUR_MS;
    good.turns.push(new UpstreamFailure('timed-out', 'no response'));
    await prepared.ingest(good);
    expect((await sources()).filter(({ source }) => source === 'zulu')).toEqual(once);
    good.turns.push({ asOfAt: NOW + HOUR_MS, observations: [] });
    bad.turns.push({ asOfAt: NOW + HOUR_MS, observations: [] });
    await prepared.ingest(good);
    await prepared.ingest(bad);
    const names = (await sources()).map(({ source }) => source);
    expect(names).toEqual([...names].sort());
    expect(await sources()).toContainEqual({
      source: 'alpha',
      last_fetch_iso: formatInstant(NOW + HOUR_MS),
      evidence: 'expected',
    });
    prepared.clock.at = NOW;
  });

  it('[S4.36] [S4.37] a covered port without data: empty lists, a header row, and no snapshot', async () => {
    await prepared.cover('GBSOU');
    for (const end of ['dwell', 'alerts', 'trend?window=7d']) {
      const reply = await prepared.get(`/v1/ports/GBSOU/${end}`);
      expect([end, reply.status, reply.text]).toEqual([end, 200, '[]']);
    }
    const csv = await prepared.get('/v1/ports/GBSOU/trend?window=7d&format=csv');
    expect(csv.text).toBe('date,congestion_score,avg_wait_hours,vessels\n');
    expect(expectError(await prepared.get('/v1/ports/GBSOU/snapshot'), 404, 'not_found').hint).toMatch(
      /nothing has been observed yet\. GET \/v1\/ports/,
    );
  });

  it('[S2.19] [S2.22] [S2.23] snapshot counts: begun and ended in (as_of - 24 h, as_of], at anchor, in port', async () => {
    await observe('SGSIN', [
      call('at anchor 1', [['anchorage', 30]]),
      call('at anchor 2', [['anchorage', 24]]),
      call('berth 1', [['berth', 24 - 1 / 3600]]),
      call('berth 2', [['berth', 0]]),
      call('berth 3', [
        ['anchorage', 40, 39],
        ['berth', 38],
      ]),
      call('moving', [
        ['anchorage', 50, 49],
        ['moving', 49],
      ]),
      call('left at the edge', [['berth', 60, 24]]),
      call('left behind it', [['berth', 60, 24 - 1 / 3600]]),
      call('left now', [['berth', 60, 0]]),
    ]);
    const { as_of, vessels } = await snapshotOf('SGSIN');
    expect(as_of).toBe(formatInstant(NOW));
    expect(vessels).toEqual({ arrivals_24h: 2, departures_24h: 2, at_anchor: 2, in_port: 6 });
  });

  it('[S2.24] a vessel that arrived more than 60 days ago counts nowhere, one of 59 days does', async () => {
    // One visit a day, over by noon: without recent berthings the days have no wait, and the trend no rows.
    const visits = Array.from({ length: 30 }, (_, day) =>
      call(`visit ${day}`, [['berth', day * 24 + 4, day * 24 + 1]]),
    );
    await observe('NLRTM', [
      ...visits,
      call('old', [['berth', 61 * 24]]),
      call('young', [['berth', 59 * 24]]),
    ]);
    expect((await snapshotOf('NLRTM')).vessels).toMatchObject({ in_port: 1, at_anchor: 0 });
    expect((await trendOf('NLRTM')).at(-1)).toMatchObject({ date: dayOf(NOW), vessels: 2 });
  });

  it('[S2.12] [S2.26] [S2.28] [S4.11] "dwell and wait sequences derived from vessel calls": closed periods with the hours of the calls', async () => {
    await observe('DEHAM', [
      call('one', [
        ['anchorage', 40, 30],
        ['berth', 29, 10],
      ]),
      call('two', [
        ['anchorage', 40, 36],
        ['berth', 36, 20],
      ]),
      call('three', [['berth', 50, 45]]),
      call('still waiting', [['anchorage', 5]]),
    ]);
    expect(await dwellOf('DEHAM')).toEqual([
      { start: formatInstant(hoursAgo(50)), end: formatInstant(hoursAgo(45)), kind: 'berth', hours: 5 },
      { start: formatInstant(hoursAgo(40)), end: formatInstant(hoursAgo(36)), kind: 'wait', hours: 4 },
      { start: formatInstant(hoursAgo(40)), end: formatInstant(hoursAgo(30)), kind: 'wait', hours: 10 },
      { start: formatInstant(hoursAgo(36)), end: formatInstant(hoursAgo(20)), kind: 'berth', hours: 16 },
      { start: formatInstant(hoursAgo(29)), end: formatInstant(hoursAgo(10)), kind: 'berth', hours: 19 },
    ]);
    const snapshot = await snapshotOf('DEHAM');
    expect(snapshot.vessels.at_anchor).toBe(1);
    // Three calls berthed after 10, 4 and 0 hours, and one has waited 5 so far: with three berthings each weighs a quarter.
    expect(snapshot.avg_wait_hours).toBe(4.8);
  });

  it('[S2.13] "vessel count": distinct vessels in port at any time of that UTC day', async () => {
    const midnight = (NOW - startOfDay('2026-05-18')) / HOUR_MS;
    await observe('BEANR', [
      call('twice', [['berth', midnight - 2, midnight - 4]]),
      call('twice', [['berth', midnight - 8, midnight - 10]]),
      call('across', [['berth', midnight - 20, midnight - 30]]),
      ...Array.from({ length: 5 }, (_, i) =>
        call(`earlier ${i}`, [['berth', midnight + 30 + i, midnight + 25 + i]]),
      ),
    ]);
    const byDay = new Map((await trendOf('BEANR')).map(({ date, vessels }) => [date, vessels]));
    expect([byDay.get('2026-05-18'), byDay.get('2026-05-19')]).toEqual([2, 1]);
  });

  it('[S4.33] dwell is chosen by the end of the period, not by its start', async () => {
    await observe('FRLEH', [
      call('long', [['berth', 20 * 24, 24]]),
      call('short', [['berth', 150, 140]]),
      call('before', [['berth', 20 * 24, 8 * 24]]),
    ]);
    expect((await dwellOf('FRLEH', '?window=7d')).map(({ hours }) => hours)).toEqual([19 * 24, 10]);
    expect(await dwellOf('FRLEH', '?window=14d')).toHaveLength(3);
  });

  it('[S4.21] [S2.10] a window is the last N days by the clock, today included; after the last row it is empty', async () => {
    const perDay = Array.from({ length: 36 }, (_, day) =>
      call(`daily ${day}`, [
        ['anchorage', day * 24 + 6, day * 24 + 5],
        ['berth', day * 24 + 4, day * 24 + 1],
      ]),
    );
    await observe('ESVLC', perDay);
    const dates = (await trendOf('ESVLC', 'window=7d')).map(({ date }) => date);
    expect(dates).toEqual(Array.from({ length: 7 }, (_, i) => addDays(dayOf(NOW), i - 6)));
    expect((await trendOf('ESVLC', 'window=30d')).length).toBe(30);
    prepared.clock.at = NOW + 60 * DAY_MS;
    expect(await trendOf('ESVLC', 'window=30d')).toEqual([]);
    expect(await dwellOf('ESVLC', '?window=30d')).toEqual([]);
    prepared.clock.at = NOW;
  });

  it('[S4.22] [S4.10] [S4.46] a day without a reliable value is omitted; new data change snapshot, rows and tags', async () => {
    const daily = (day: number) =>
      call(`gap ${day}`, [
        ['anchorage', day * 24 + 6, day * 24 + 5],
        ['berth', day * 24 + 4, day * 24 + 1],
      ]);
    const source = scriptedSource('of-gap', ['PTSIE']);
    const batch = (fromDay: number, toDay: number, records: CallRecord[]) => ({
      asOfAt: NOW - toDay * DAY_MS,
      observations: [
        {
          kind: 'call-batch' as const,
          port: 'PTSIE',
          observedAt: NOW - toDay * DAY_MS,
          coveredFromAt: NOW - fromDay * DAY_MS,
          records,
        },
      ],
    });
    source.turns.push(
      batch(
        30,
        10,
        Array.from({ length: 20 }, (_, i) => daily(i + 10)),
      ),
    );
    await prepared.ingest(source);
    const before = await prepared.get('/v1/ports/PTSIE/trend?window=30d&format=csv');
    const old = await snapshotOf('PTSIE');
    prepared.clock.at = NOW + 1000;
    source.turns.push(
      batch(
        7,
        0,
        Array.from({ length: 7 }, (_, i) => daily(i)),
      ),
    );
    await prepared.ingest(source);
    prepared.clock.at = NOW;

    const days = new Set((await trendOf('PTSIE')).map(({ date }) => date));
    const hasDay = (count: number): boolean => days.has(addDays(dayOf(NOW), -count));
    expect([11, 10, 9, 8, 7, 6, 5].map(hasDay)).toEqual([true, false, false, false, false, true, true]);
    const after = await prepared.get('/v1/ports/PTSIE/trend?window=30d&format=csv', {
      headers: { 'If-None-Match': before.headers.etag },
    });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect((await snapshotOf('PTSIE')).as_of > old.as_of).toBe(true);
  });

  it('[S2.31] [S2.32] [S2.33] [S2.34] [S4.12] alerts of both types, all metrics and severities; a doubled level is about 1', async () => {
    const alertsOf = async (port: string) => (await prepared.get(`/v1/ports/${port}/alerts`)).json<Alert[]>();
    const types = ['threshold', 'change_point'] as const;
    const metrics = ['congestion_score', 'avg_wait_hours', 'at_anchor'] as const;
    const severities = ['low', 'medium', 'high'] as const;
    await prepared.cover('ITGOA');
    const rows = types.flatMap((type, t) =>
      metrics.map((metric, m) => ({
        type,
        metric,
        severity: severities[(t + m) % 3] ?? 'low',
        changeFraction: 1.02,
        asOfAt: hoursAgo(10 * t + m),
        explain: `${metric} moved.`,
      })),
    );
    await prepared.stores.alerts.replace('ITGOA', rows, [], { day: dayOf(hoursAgo(0)), backfilled: false });
    const served = await alertsOf('ITGOA');
    expect(new Set(served.map(({ type }) => type))).toEqual(new Set(types));
    expect(new Set(served.map(({ metric }) => metric))).toEqual(new Set(metrics));
    expect(new Set(served.map(({ severity }) => severity))).toEqual(new Set(severities));

    await observe('GRPIR', steppedWaits(9, 18), 49);
    const doubled = (await alertsOf('GRPIR')).find(
      ({ type, metric }) => type === 'change_point' && metric === 'avg_wait_hours',
    );
    expect(doubled?.change_pct).toBeGreaterThan(0.8);
    expect(doubled?.change_pct).toBeLessThan(1.2);
  });

  it('[S2.36] both figures of a change point are medians of rows of the trend as served', async () => {
    await observe('HRRJK', steppedWaits(5, 40), 49);
    const trend = await trendOf('HRRJK');
    const alerts = (await prepared.get('/v1/ports/HRRJK/alerts')).json<Alert[]>();
    const changes = alerts.filter(({ type, metric }) => type === 'change_point' && metric !== 'at_anchor');
    expect(new Set(changes.map(({ metric }) => metric))).toEqual(
      new Set(['avg_wait_hours', 'congestion_score']),
    );
    for (const { metric, explain, as_of, change_pct } of changes) {
      const stated = statedChange(explain);
      expect(stated.metric).toBe(metric);
      const figureOf = (point: TrendPoint): number =>
        metric === 'avg_wait_hours' ? point.avg_wait_hours : point.congestion_score;
      const rows = trend.map((point) => ({ day: point.date, figure: figureOf(point) }));
      const found = recomputed(stated, rows, Date.parse(as_of));
      const rounding = metric === 'avg_wait_hours' ? 0.051 : 0.00051;
      expect(Math.abs(stated.before - found.before)).toBeLessThan(rounding);
      expect(Math.abs(stated.after - found.after)).toBeLessThan(rounding);
      expect([stated.rowsBefore, stated.rowsAfter]).toEqual([found.rowsBefore, found.rowsAfter]);
      expect(change_pct).toBeCloseTo((stated.after - stated.before) / stated.before, 3);
    }
  });

  it('[S4.41] equal data give equal tags from a second instance and after a restart', async () => {
    const second = await startPreparedService({ at: NOW, storeEndpoint: prepared.service.storeEndpoint });
    try {
      for (const path of [
        '/v1/ports/ESVLC/trend?window=30d&format=csv',
        '/v1/ports/ESVLC/snapshot',
        '/v1/ports/ESVLC/dwell',
      ])
        expect((await second.get(path)).headers.etag).toBe((await prepared.get(path)).headers.etag);
    } finally {
      await second.close();
    }
  });
});
