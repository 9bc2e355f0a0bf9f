/** Requests and responses: paths, tables, series, outcomes, the limit that the session knows. */
import { describe, expect, it } from '@jest/globals';
import { numbers, texts, toTable } from '../../../portal/api/response-table.ts';
import { createSession, type Fetcher, requestPath, send } from '../../../portal/api/session.ts';
import { periods, trendSeries } from '../../../portal/chart/response-series.ts';

describe('the path of a request', () => {
  it('has the path parameter, escaped, and the query', () => {
    expect(requestPath('ports')).toBe('/v1/ports');
    expect(requestPath('trend', { UNLOCODE: 'USLAX', window: '7d' })).toBe('/v1/ports/USLAX/trend?window=7d');
    expect(requestPath('hsImports', { code: '8/5?' })).toBe('/v1/hs/8%2F5%3F/imports');
  });
});

describe('the table of a response', () => {
  it('has a row for an object, the fields within it with a dot, and a cell for what some rows lack', () => {
    expect(toTable('{"port":"USLAX","vessels":{"in_port":3}}')).toEqual({
      columns: ['port', 'vessels.in_port'],
      rows: [['USLAX', '3']],
    });
    const table = toTable('[{"a":["x","y"]},{"b":1}]');
    expect(table.rows).toEqual([
      ['x y', ''],
      ['', '1'],
    ]);
    expect([texts(table, 'nothing'), numbers(table, 'nothing')]).toEqual([[], [null, null]]);
  });
});

describe('the series in a response', () => {
  it('have the figures of their columns, and a gap where one is missing', () => {
    const row = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T06:30:00Z', kind: 'wait', hours: 6.5 };
    const period = { startAt: Date.parse(row.start), endAt: Date.parse(row.end), kind: 'wait', hours: 6.5 };
    expect(periods(toTable(JSON.stringify([row])))).toEqual([period]);
    const days = [
      { date: '2026-01-01', congestion_score: 0.5, avg_wait_hours: null },
      { date: '2026-01-02', avg_wait_hours: 3 },
    ];
    expect(trendSeries(toTable(JSON.stringify(days)))).toEqual({
      days: ['2026-01-01', '2026-01-02'],
      scores: [0.5, null],
      waitHours: [null, 3],
    });
  });
});

const responding =
  (status: number, body: string, headers: Record<string, string> = {}): Fetcher =>
  async () =>
    new Response(body, { status, headers });

describe('an outcome', () => {
  it('is data with limits', async () => {
    const headers = {
      'Content-Type': 'application/json',
      'RateLimit-Limit': '60',
      'RateLimit-Remaining': '57',
      'RateLimit-Reset': '1800000000',
    };
    const outcome = await send('/v1/x', 'key', responding(200, '[]', headers));
    expect(outcome).toMatchObject({
      kind: 'data',
      limits: { limit: 60, remaining: 57 },
    });
  });

  it('is an error with the envelope of the API, or with one of its own where a proxy responded', async () => {
    const envelope = { code: 'rate_limited', message: 'm', request_id: 'r', hint: 'h' };
    const limited = await send('/', 'k', responding(429, JSON.stringify(envelope), { 'Retry-After': '7' }));
    expect(limited).toMatchObject({ kind: 'error', status: 429, error: envelope, retryAfterSeconds: 7 });
    const proxy = await send('/', 'k', responding(502, '<html>'));
    expect(proxy).toMatchObject({
      kind: 'error',
      error: { code: 'upstream_error' },
      retryAfterSeconds: undefined,
    });
  });

  it('is an error where a page comes instead of a response', async () => {
    const page = await send('/', 'k', responding(200, '<html>', { 'Content-Type': 'text/html' }));
    expect(page).toMatchObject({ kind: 'error', status: 200, error: { code: 'upstream_error' } });
  });

  it('is no response when nothing responds, and sends no empty key', async () => {
    let sent: Record<string, string> | undefined;
    const outcome = await send('/', '', async (_, { headers }) => {
      sent = headers;
      throw new TypeError('failed');
    });
    expect([outcome, sent]).toEqual([{ kind: 'no-response' }, {}]);
  });
});

describe('the session', () => {
  it('has the newest statement of the limit until another key is set', async () => {
    const headers = { 'RateLimit-Limit': '60', 'RateLimit-Remaining': '5', 'RateLimit-Reset': '1' };
    const session = createSession(responding(200, '{}', headers));
    expect(session.limits).toBeUndefined();
    await session.ask('/');
    expect(session.limits).toEqual({ limit: 60, remaining: 5, resetsAt: 1 });
    session.setKey(' other ');
    expect([session.key, session.limits]).toEqual(['other', undefined]);
  });
});
