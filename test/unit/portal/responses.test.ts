/** Requests and responses: paths, tables, series, outcomes, the limit that the session knows. */
import { describe, expect, it } from '@jest/globals';
import { createResponses, type Fetcher, requestPath, send, toTable } from '../../../portal/api/responses.ts';
import { toPeriods } from '../../../portal/chart/timeline.ts';
import { trendChart } from '../../../portal/chart/trend.ts';

describe('the path of a request', () => {
  it('has the path parameter, escaped, and the query', () => {
    expect(requestPath('ports')).toBe('/v1/ports');
    expect(requestPath('trend', { UNLOCODE: 'USLAX', window: '7d' })).toBe('/v1/ports/USLAX/trend?window=7d');
    expect(requestPath('hsImports', { code: '8/5?' })).toBe('/v1/hs/8%2F5%3F/imports');
  });
});

describe('the table of a response', () => {
  it('has a row for each record, and an empty cell for what it lacks', () => {
    expect(toTable([{ a: 'x', b: null }, { b: 1 }])).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['x', ''],
        ['', '1'],
      ],
    });
  });
});

describe('the series in a response', () => {
  it('have the figures of their days, and a gap where one is missing', () => {
    const row = {
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-01T06:30:00Z',
      kind: 'wait',
      hours: 6.5,
    } as const;
    const period = { startAt: Date.parse(row.start), endAt: Date.parse(row.end), kind: 'wait', hours: 6.5 };
    expect(toPeriods([row])).toEqual([period]);
    const days = [
      { date: '2026-01-01', congestion_score: 0.5, avg_wait_hours: 1 },
      { date: '2026-01-03', congestion_score: 0.6, avg_wait_hours: 3 },
    ];
    const forecast = [{ date: '2026-01-04', p10: 1, p50: 2, p90: 3, method: 'median' } as const];
    const { times, lines, bands } = trendChart(days, { marks: [], forecast });
    expect(times).toEqual(['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']);
    expect(lines.map(({ values }) => values)).toEqual([
      [0.5, null, 0.6, null],
      [1, null, 3, null],
      [null, null, null, 3],
      [null, null, null, 1],
      [null, null, null, 2],
    ]);
    expect(bands).toEqual([[2, 3]]);
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

  it('is absent when nothing responds, and sends no empty key', async () => {
    let sent: Record<string, string> | undefined;
    const outcome = await send('/', '', async (_, { headers }) => {
      sent = headers;
      throw new TypeError('failed');
    });
    expect([outcome, sent]).toEqual([{ kind: 'no-response' }, {}]);
  });
});

describe('the responses', () => {
  const headers = {
    'Content-Type': 'application/json',
    'RateLimit-Limit': '60',
    'RateLimit-Remaining': '5',
    'RateLimit-Reset': '1',
  };
  /** Responses to a reader with a key, and the paths that were requested. */
  function asReader(respond: Fetcher) {
    const asked: string[] = [];
    const fetcher: Fetcher = (path, init) => {
      asked.push(path);
      return respond(path, init);
    };
    let changed = (): void => {};
    const responses = createResponses(fetcher, () => changed());
    const arrived = (): Promise<void> =>
      new Promise((resolve) => {
        changed = resolve;
      });
    responses.setKey(' key ');
    return { responses, asked, arrived };
  }

  it('are requested once each, without a key not at all, and again by a retry', async () => {
    const { responses, asked, arrived } = asReader(responding(200, '[1]', headers));
    const first = arrived();
    expect([responses.read('/a'), responses.read('/a')]).toEqual([undefined, undefined]);
    await first;
    expect(responses.read('/a')).toMatchObject({ kind: 'data', body: [1] });
    expect(asked).toEqual(['/a']);
    responses.retry('/a');
    expect([responses.read('/a'), asked]).toEqual([undefined, ['/a', '/a']]);
    responses.setKey('');
    expect([responses.read('/b'), asked]).toEqual([undefined, ['/a', '/a']]);
  });

  it('have the newest statement of the limit until another key is set', async () => {
    const { responses, arrived } = asReader(responding(200, '{}', headers));
    expect([responses.key, responses.limits]).toEqual(['key', undefined]);
    const first = arrived();
    responses.read('/');
    await first;
    expect(responses.limits).toEqual({ limit: 60, remaining: 5 });
    responses.setKey('other');
    expect([responses.key, responses.limits]).toEqual(['other', undefined]);
  });

  it('of another key are forgotten, those that arrive late too', async () => {
    let release = (_: Response): void => {};
    const { responses } = asReader(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    responses.read('/a');
    responses.setKey('other');
    release(new Response('[1]', { headers }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(responses.read('/a')).toBeUndefined();
  });

  it('of the request before stay in their place until those of the next are there', async () => {
    const { responses, arrived } = asReader(async (path) => new Response(`"${path}"`, { headers }));
    const first = arrived();
    expect(responses.readInto('trend', '/a')).toBeUndefined();
    await first;
    responses.readInto('trend', '/a');
    const second = arrived();
    expect(responses.readInto('trend', '/b')).toMatchObject({ body: '/a' });
    await second;
    expect(responses.readInto('trend', '/b')).toMatchObject({ body: '/b' });
  });
});
