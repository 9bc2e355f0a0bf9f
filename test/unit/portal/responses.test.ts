/** Reading responses: tables from JSON and CSV, outcomes from responses, the pace of the session. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCsv } from '../../../portal/api/csv-text.ts';
import { type Fetcher, send } from '../../../portal/api/outcome.ts';
import { numbersOf, tableOf, textsOf } from '../../../portal/api/response-table.ts';
import { createSession } from '../../../portal/api/session.ts';
import { periodsOf, trendOf } from '../../../portal/chart/response-series.ts';

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

describe('CSV', () => {
  it('is read as it was written', () => {
    const cell = fc.string().filter((text) => !text.includes('\r'));
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      );
    fc.assert(
      fc.property(rows, (table) => {
        fc.pre(table.every((row) => row.join('') !== ''));
        const text = table.map((row) => `${row.map(quoted).join(',')}\n`).join('');
        expect(readCsv(text)).toEqual(table);
      }),
    );
  });

  it('may end without a line end, and have line ends of either kind', () => {
    expect(readCsv('a,b\r\n1,"x\ny"')).toEqual([
      ['a', 'b'],
      ['1', 'x\ny'],
    ]);
    expect(readCsv('')).toEqual([]);
  });
});

describe('the table of a response', () => {
  it('is the same from JSON and CSV', () => {
    const json = tableOf({
      isCsv: false,
      text: '[{"month":"2026-01","index":104.2},{"month":"2026-02","index":99}]',
    });
    expect(tableOf({ isCsv: true, text: 'month,index\n2026-01,104.2\n2026-02,99\n' })).toEqual(json);
    expect(numbersOf(json, 'index')).toEqual([104.2, 99]);
    expect(textsOf(json, 'month')).toEqual(['2026-01', '2026-02']);
    expect([textsOf(json, 'nothing'), numbersOf(json, 'nothing')]).toEqual([[], [null, null]]);
  });

  it('has a row for an object, the fields within it with a dot, and a cell for what some rows lack', () => {
    expect(tableOf({ isCsv: false, text: '{"port":"USLAX","vessels":{"in_port":3}}' })).toEqual({
      columns: ['port', 'vessels.in_port'],
      rows: [['USLAX', '3']],
    });
    expect(tableOf({ isCsv: false, text: '[{"a":["x","y"]},{"b":1}]' }).rows).toEqual([
      ['x y', ''],
      ['', '1'],
    ]);
  });
});

describe('the series in a response', () => {
  it('are drawn alike from JSON and CSV', () => {
    const row = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T06:30:00Z', kind: 'wait', hours: 6.5 };
    const json = tableOf({ isCsv: false, text: JSON.stringify([row]) });
    const csv = tableOf({
      isCsv: true,
      text: `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`,
    });
    const period = { startAt: Date.parse(row.start), endAt: Date.parse(row.end), kind: 'wait', hours: 6.5 };
    expect(periodsOf(json)).toEqual([period]);
    expect(periodsOf(csv)).toEqual([period]);
  });

  it('keep a gap where a figure is missing', () => {
    const table = tableOf({
      isCsv: true,
      text: 'date,congestion_score,avg_wait_hours\n2026-01-01,0.5,\n2026-01-02,,3\n',
    });
    expect(trendOf(table)).toEqual({
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
  it('is data with tag and limits', async () => {
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      ETag: '"t"',
      'RateLimit-Limit': '60',
      'RateLimit-Remaining': '57',
      'RateLimit-Reset': '1800000000',
    };
    const outcome = await send('/v1/x', 'key', responding(200, 'a\n', headers));
    expect(outcome).toMatchObject({
      kind: 'data',
      isCsv: true,
      etag: '"t"',
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
