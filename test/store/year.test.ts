/** A slice of `npm run faults -- year`, and every guarantee broken once to see that the check detects it. */
import { describe, expect, it } from '@jest/globals';
import type { Stay } from '../../core/calls/port-call.ts';
import { INGEST_TABLES } from '../../core/ingest/dependencies.ts';
import type { Alert } from '../../core/metrics/figures.ts';
import { addDays, DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { extent } from '../builders/extent.ts';
import { memoryTables } from '../builders/memory-table.ts';
import { YearArchive } from '../faults/year/process.ts';
import {
  AlertMemory,
  type AlertRow,
  holdEpisodes,
  holdSnapshot,
  holdStays,
  holdTrend,
  type Snapshot,
  type TrendTruth,
} from '../faults/year/promises.ts';
import { Twin } from '../faults/year/twin.ts';
import { shareCovered } from '../faults/year/upstream.ts';
import { simulateYear } from '../faults/year/year.ts';

const T0 = Date.UTC(2026, 0, 10);
const CASE_DAYS = extent(3, 10);

it('some days of a service on which everything befalls that can', async () => {
  const { counts, runs } = await simulateYear({ seed: 11, days: CASE_DAYS });
  expect(runs).toBeGreaterThan(CASE_DAYS * 100);
  // Faults occur, and the service continues.
  for (const met of [
    'pass StoreFailure',
    'pass ArchiveFailure',
    'pass not-json',
    'pass timed-out',
    'restarts',
  ])
    expect([met, (counts[met] ?? 0) > 0]).toEqual([met, true]);
  expect(counts['pass ok']).toBeGreaterThan(CASE_DAYS * 60);
  expect(counts.twoAtOnce).toBeGreaterThan(CASE_DAYS);
  expect(counts.rows).toBeGreaterThan(CASE_DAYS * 50);
});

it('the same seed is the same life', async () => {
  const [one, other] = [await simulateYear({ seed: 4, days: 1 }), await simulateYear({ seed: 4, days: 1 })];
  expect(one).toEqual(other);
});

describe('a broken guarantee is detected:', () => {
  const broken = (what: RegExp | string, run: () => unknown) => expect(run).toThrow(what);
  const snapshot = (in_port: number, at_anchor: number, at = T0): Snapshot => ({
    port: 'HKHKG',
    as_of: new Date(at).toISOString().replace('.000', ''),
    congestion_score: 0.5,
    avg_wait_hours: 1,
    vessels: { arrivals_24h: 1, departures_24h: 1, at_anchor, in_port },
  });
  const shown = new Map([
    [T0, { in_port: 3, at_anchor: 1 }],
    [T0 + HOUR_MS, undefined],
  ]);

  it('snapshots', () => {
    const good = snapshot(3, 1);
    holdSnapshot(undefined, good, shown, T0);
    holdSnapshot(good, snapshot(9, 9, T0 + HOUR_MS), shown, T0 + HOUR_MS);
    broken('has disappeared', () => holdSnapshot(good, undefined, shown, T0));
    broken('went back', () => holdSnapshot(snapshot(3, 1, T0 + 1000), good, shown, T0));
    broken('to come', () => holdSnapshot(undefined, good, shown, T0 - 1000));
    broken('not the counts', () => holdSnapshot(undefined, snapshot(4, 1), shown, T0));
    broken('not the counts', () => holdSnapshot(undefined, snapshot(3, 0), shown, T0));
    broken('the port was not observed', () => holdSnapshot(undefined, snapshot(3, 1, T0 - 1000), shown, T0));
    broken('impossible', () => holdSnapshot(undefined, { ...good, congestion_score: 1.1 }, shown, T0));
  });

  it('trends', () => {
    const row = (date: string) => ({ date, congestion_score: 0.2, avg_wait_hours: 3, vessels: 4 });
    const truth = (over: Partial<TrendTruth> = {}): TrendTruth => ({
      port: 'HKHKG',
      covered: () => 1,
      settledBefore: '2026-01-08',
      judgedBefore: '2026-01-10',
      fullFrom: '2026-01-06',
      ...over,
    });
    const rows = ['2026-01-06', '2026-01-07'].map(row);
    holdTrend(rows, '2026-01-10', truth());
    broken('has no row', () => holdTrend(rows.slice(1), '2026-01-10', truth()));
    broken('hardly covered', () => holdTrend(rows, '2026-01-10', truth({ covered: () => 0.79 })));
    const ahead = truth({ covered: (day) => (day < '2026-01-07' ? 1 : 0.5), judgedBefore: '2026-01-07' });
    holdTrend(rows, '2026-01-10', ahead);
    broken('out of order', () => holdTrend([...rows].reverse(), '2026-01-10', truth()));
    broken('future day', () => holdTrend([...rows, row('2026-01-11')], '2026-01-10', truth()));
  });

  it('stays', () => {
    const stay = (callId: string, from: number, to: number): Stay => ({
      callId,
      kind: 'berth',
      startAt: T0 + from * HOUR_MS,
      endAt: T0 + to * HOUR_MS,
    });
    const vesselOf = (callId: string) => ({ a1: 'A', a2: 'A', b1: 'B' })[callId];
    holdStays([stay('a1', 0, 2), stay('b1', 1, 3), stay('a2', 2, 4)], vesselOf);
    broken('overlap', () => holdStays([stay('a1', 0, 2), stay('a2', 1, 3)], vesselOf));
    broken('of no call', () => holdStays([stay('c1', 0, 2)], vesselOf));
  });

  it('alerts', () => {
    const row = (as_of: string): AlertRow => ({
      type: 'threshold',
      metric: 'congestion_score',
      severity: 'low',
      change_pct: 1,
      as_of,
      explain: 'x',
    });
    const memory = new AlertMemory();
    memory.hold([row('2026-01-01T00:00:00Z')], T0);
    memory.hold([row('2026-01-02T00:00:00Z')], T0);
    broken('reappeared', () => memory.hold([row('2026-01-01T00:00:00Z')], T0));
    broken('twice', () =>
      new AlertMemory().hold([row('2026-01-01T00:00:00Z'), row('2026-01-01T00:00:00Z')], T0),
    );
  });

  it('episodes', () => {
    const alert = (days: number, type: Alert['type'] = 'threshold'): Alert => ({
      type,
      metric: 'congestion_score',
      severity: 'low',
      changeFraction: 1,
      asOfAt: T0 + days * DAY_MS,
      explain: 'x',
    });
    const day = (number: number, congestionScore: number) => {
      return { day: addDays('2026-01-10', number), coverage: 1, vessels: 1, congestionScore };
    };
    const calm = [day(0, 0.9), day(1, 0.4), day(2, 0.9)];
    holdEpisodes([alert(0), alert(3)], calm);
    broken('one episode', () => holdEpisodes([alert(0), alert(3)], [day(0, 0.9), day(1, 0.46), day(2, 0.9)]));
    broken('one episode', () => holdEpisodes([alert(2), alert(3)], calm));
    broken('two weeks', () => holdEpisodes([alert(0, 'change_point'), alert(13, 'change_point')], calm));
  });

  it('the tables of the undisturbed run', async () => {
    const twin = new Twin(new YearArchive());
    const tables = memoryTables(INGEST_TABLES);
    expect(await twin.expectSame('both are empty', tables)).toBe(0);
    await tables.stayDays.put({ port: 'HKHKG', day: '2026-01-01', stays: '[]' });
    await expect(twin.expectSame('the two', tables)).rejects.toThrow('stayDays has');
  });

  it('coverage, as a client sees it', () => {
    const hourly = Array.from({ length: 25 }, (_, i) => T0 + i * HOUR_MS);
    expect(shareCovered(hourly, T0, T0 + DAY_MS)).toBe(1);
    const gap = hourly.filter((at) => at <= T0 + 6 * HOUR_MS || at >= T0 + 12 * HOUR_MS);
    expect(shareCovered(gap, T0, T0 + DAY_MS)).toBe(0.75);
    expect(shareCovered([T0, T0 + 4 * HOUR_MS + MINUTE_MS], T0, T0 + DAY_MS)).toBe(0);
  });
});
