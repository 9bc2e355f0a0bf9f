/** Sections 1 and 2: what the service serves, and the fields of its resources. */
import { describe, expect, it } from '@jest/globals';
import type { Alert } from '../../core/contracts/alerts.ts';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import type { HsImportPoint } from '../../core/contracts/hs-imports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import type { SourceRecord } from '../../core/contracts/sources.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import { columnsOf, rowsOf } from './csv-rows.ts';
import { exchange } from './exchange.ts';
import {
  ALL_PATHS,
  get,
  HS,
  isDeployed,
  KEYED_PATHS,
  keyOf,
  PORT,
  serviceNow,
  serviceUrl,
} from './service.ts';
import { expectError, TIMESTAMP } from './statements.ts';

const isTimestamp = (text: unknown): boolean => typeof text === 'string' && TIMESTAMP.test(text);
const decimalsOf = (value: number): number => (String(value).split('.')[1] ?? '').length;
const trend = async (query: string): Promise<TrendPoint[]> =>
  (await get(`/v1/ports/${PORT}/trend?${query}`)).json();

describe('1. What the service does', () => {
  it('[S1.01] "a read-only HTTP API": writes are refused and change nothing', async () => {
    const path = `/v1/ports/${PORT}/snapshot`;
    const before = await get(path);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expectError(
        await get(path, { method, body: '{}', headers: { 'Content-Type': 'application/json' } }),
        404,
        'not_found',
      );
    expect((await get(path)).text).toBe(before.text);
  });

  it('[S1.02] "Serves port-level congestion metrics over HTTP, as JSON"', async () => {
    for (const path of KEYED_PATHS) {
      const reply = await get(path);
      expect([path, reply.status, reply.headers['content-type']]).toEqual([path, 200, 'application/json']);
      expect(typeof reply.json()).toBe('object');
    }
  });

  it('[S1.03] [S2.16] [S2.41] [S2.44] "or (on some endpoints) CSV": on every endpoint that returns a list, with the values of the JSON', async () => {
    for (const path of KEYED_PATHS) {
      const json = await get(path);
      const csv = await get(`${path}${path.includes('?') ? '&' : '?'}format=csv`);
      if (!Array.isArray(json.json())) {
        // A forecast is an object with rows, and has a CSV form of its own.
        if (!path.endsWith('/forecast')) expect([path, csv.text]).toEqual([path, json.text]);
        continue;
      }
      expect([path, csv.headers['content-type']]).toEqual([path, 'text/csv; charset=utf-8']);
      const records = json.json<Record<string, unknown>[]>();
      const header = csv.text.split('\n', 1)[0]?.split(',') ?? [];
      const cells = (record: Record<string, unknown>): string[] => {
        const values = columnsOf(record);
        for (const name of Object.keys(values)) expect(header).toContain(name);
        return header.map((name) => [values[name] ?? ''].flat().join(' '));
      };
      expect([path, rowsOf(csv.text)]).toEqual([path, records.map(cells)]);
    }
  });

  it('[S1.04] "Ports are identified by UN/LOCODE (five-character code in upper case)"', async () => {
    const ports = isDeployed ? [PORT] : ['USLAX', 'SGSIN', 'NLRTM'];
    for (const port of ports) {
      const { port: returned } = (await get(`/v1/ports/${port}/snapshot`)).json<Snapshot>();
      expect(returned).toBe(port);
      expect(returned).toMatch(/^[A-Z]{2}[A-Z0-9]{3}$/);
    }
  });
});

/** Endpoints that the interface specification does not have; their records may contain null. */
const OURS = /^\/v1\/(?:alerts|changes|ports(?:\?|$|\/[^/]+\/(?:waits|forecast)))/;

describe('2. Resources and their fields', () => {
  // `get` checks every response against its schema, with the type of each field.
  it('[S2.01] [S2.02] "Timestamps are ISO 8601 UTC strings" and every field has its type, none is null', async () => {
    const stamps = new Set(['time', 'last_fetch_iso', 'as_of', 'start', 'end']);
    const walk = (name: string, value: unknown): void => {
      expect(value).not.toBeNull();
      if (Array.isArray(value)) for (const element of value) walk(name, element);
      else if (typeof value === 'object')
        for (const [field, inner] of Object.entries(value as object)) walk(field, inner);
      if (stamps.has(name)) expect([name, isTimestamp(value)]).toEqual([name, true]);
    };
    for (const path of ALL_PATHS.filter((path) => !OURS.test(path))) walk(path, (await get(path)).json());
  });

  it('[S2.03] [S2.04] [S2.05] health: "status", "time", "region"', async () => {
    const health = (await get('/v1/health')).json<Record<string, string>>();
    expect(Object.keys(health).sort()).toEqual(['region', 'status', 'time']);
    expect(health.status).toBe('ok');
    expect(isTimestamp(health.time)).toBe(true);
    if (!isDeployed) expect(health.region).toBe('local');
  });

  it('[S2.06] source record: "name of an upstream data source", one row each', async () => {
    const rows = (await get('/v1/meta/sources')).json<SourceRecord[]>();
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ source }) => source)).size).toBe(rows.length);
    for (const { source, last_fetch_iso } of rows) {
      expect(source).not.toBe('');
      expect(Date.parse(last_fetch_iso)).toBeLessThanOrEqual(serviceNow());
    }
  });

  it('[S2.09] [S2.10] [S2.14] trend point: four fields, a real calendar date, oldest first', async () => {
    const points = await trend('window=30d');
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) {
      expect(Object.keys(point).sort()).toEqual(['avg_wait_hours', 'congestion_score', 'date', 'vessels']);
      expect(new Date(`${point.date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(point.date);
    }
    const dates = points.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort());
  });

  it('[S2.11] [S2.12] [S2.13] trend: "fractional score", "hours", "vessel count"', async () => {
    for (const { congestion_score, avg_wait_hours, vessels } of await trend('window=30d')) {
      expect(congestion_score).toBeGreaterThanOrEqual(0);
      expect(congestion_score).toBeLessThanOrEqual(1);
      expect(decimalsOf(congestion_score)).toBeLessThanOrEqual(3);
      expect(avg_wait_hours).toBeGreaterThanOrEqual(0);
      expect(decimalsOf(avg_wait_hours)).toBeLessThanOrEqual(1);
      expect(Number.isInteger(vessels) && vessels >= 0).toBe(true);
    }
  });

  it('[S2.15] "CSV form of the trend: header row date,congestion_score,avg_wait_hours,vessels"', async () => {
    const { text } = await get(`/v1/ports/${PORT}/trend?window=30d&format=csv`);
    expect(text.split('\n')[0]).toBe('date,congestion_score,avg_wait_hours,vessels');
  });

  it('[S2.17] [S2.18] [S2.20] [S2.21] snapshot: "single object", its port, figures and counts', async () => {
    const snapshot = (await get(`/v1/ports/${PORT}/snapshot`)).json<Snapshot>();
    expect(Object.keys(snapshot)).toEqual(['port', 'as_of', 'congestion_score', 'avg_wait_hours', 'vessels']);
    expect(snapshot.port).toBe(PORT);
    expect(decimalsOf(snapshot.congestion_score)).toBeLessThanOrEqual(3);
    expect(decimalsOf(snapshot.avg_wait_hours)).toBeLessThanOrEqual(1);
    const counts = Object.entries(snapshot.vessels);
    expect(counts.map(([name]) => name)).toEqual(['arrivals_24h', 'departures_24h', 'at_anchor', 'in_port']);
    for (const [, count] of counts) expect(Number.isInteger(count) && count >= 0).toBe(true);
    expect(snapshot.vessels.at_anchor).toBeLessThanOrEqual(snapshot.vessels.in_port);
  });

  it('[S2.25] [S2.26] [S2.27] [S2.29] dwell period: "start", "end", "kind", "hours", oldest first', async () => {
    const periods = (await get(`/v1/ports/${PORT}/dwell?window=30d`)).json<DwellPeriod[]>();
    expect(periods.length).toBeGreaterThan(0);
    for (const { start, end, kind, hours } of periods) {
      expect(Date.parse(start)).toBeLessThanOrEqual(Date.parse(end));
      expect(['wait', 'berth']).toContain(kind);
      expect(Math.abs(hours - (Date.parse(end) - Date.parse(start)) / 3_600_000)).toBeLessThanOrEqual(
        0.005 + 1e-9,
      );
      expect(decimalsOf(hours)).toBeLessThanOrEqual(2);
      expect(Date.parse(end)).toBeLessThanOrEqual(serviceNow());
    }
    const order = periods.map(({ start, end, kind }) => `${start} ${end} ${kind}`);
    expect(order).toEqual([...order].sort());
    expect(new Set(periods.map(({ kind }) => kind))).toEqual(new Set(['wait', 'berth']));
  });

  it('[S2.30] [S2.35] [S2.36] alert: six fields, newest first, a reason for people', async () => {
    const alerts = (await get(`/v1/ports/${PORT}/alerts`)).json<Alert[]>();
    if (!isDeployed) expect(alerts.length).toBeGreaterThan(0);
    for (const alert of alerts) {
      // Only a closure says when it began.
      const { began, ...fields } = alert;
      if (began !== undefined) expect(alert.metric).toBe('berthings');
      expect(Object.keys(fields)).toEqual(['type', 'metric', 'severity', 'change_pct', 'as_of', 'explain']);
      expect(alert.explain).toContain(alert.metric);
      expect(decimalsOf(alert.change_pct)).toBeLessThanOrEqual(4);
      expect(Date.parse(alert.as_of)).toBeLessThanOrEqual(serviceNow());
    }
    const stamps = alerts.map(({ as_of }) => as_of);
    expect(stamps).toEqual([...stamps].sort().reverse());
  });

  it('[S2.37] [S2.38] [S2.39] HS import point: "month", "index", oldest first, as CSV month,index', async () => {
    const points = (await get(`/v1/hs/${HS}/imports`)).json<HsImportPoint[]>();
    expect(points.length).toBeGreaterThan(0);
    for (const { month, index } of points) {
      expect(month).toMatch(/^\d{4}-(0[1-9]|1[0-2])$/);
      expect(decimalsOf(index)).toBeLessThanOrEqual(1);
    }
    const months = points.map(({ month }) => month);
    expect(months).toEqual([...new Set(months)].sort());
    expect(months.length).toBeLessThanOrEqual(36);
    const { text } = await get(`/v1/hs/${HS}/imports?format=csv`);
    expect(text.split('\n')[0]).toBe('month,index');
  });
});

describe('3. States and transitions', () => {
  it('[S3.01] "The service exposes no stateful resources": a read is the same before and after all others', async () => {
    const before = await get(`/v1/ports/${PORT}/snapshot`);
    for (const path of ALL_PATHS) await get(path);
    const after = await get(`/v1/ports/${PORT}/snapshot`);
    expect(after.text).toBe(before.text);
    const moving = new Set(['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']);
    // API Gateway adds ids of its own.
    const isMoving = (name: string): boolean => moving.has(name) || name.startsWith('x-amz');
    const still = ({ headers }: typeof before) => Object.entries(headers).filter(([name]) => !isMoving(name));
    expect(still(after)).toEqual(still(before));
    expect((await exchange(serviceUrl(), '/v1/health', { key: keyOf('demo') })).status).toBe(200);
  });
});
