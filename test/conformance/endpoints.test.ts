/** Section 4: paths, parameters, CSV, conditional requests, statuses and headers. */
import { describe, expect, it } from '@jest/globals';
import type { Alert } from '../../core/contracts/alerts.ts';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import { addDays, dayOf } from '../../core/reference/time.ts';
import { seenStatuses } from './exchange.ts';
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
  UNKNOWN_PORT,
} from './service.ts';
import { expectError, expectId, UUID } from './statements.ts';

const trendPath = (query: string, port = PORT): string => `/v1/ports/${port}/trend?${query}`;
const portPaths = (port: string): string[] => [
  trendPath('window=7d', port),
  ...['snapshot', 'dwell', 'alerts', 'waits', 'forecast'].map((end) => `/v1/ports/${port}/${end}`),
];
const importsPath = (code: string): string => `/v1/hs/${code}/imports`;
const CSV_PATHS = [
  trendPath('window=7d&format=csv'),
  `/v1/hs/${HS}/imports?format=csv`,
  ...['/v1/meta/sources', '/v1/sources', '/v1/ports'].map((path) => `${path}?format=csv`),
  ...['dwell', 'alerts'].map((end) => `/v1/ports/${PORT}/${end}?format=csv`),
];
const today = (): string => dayOf(serviceNow());
const daysAgo = (days: number): string => addDays(today(), -days);

const STATUS = { bad_request: 400, not_found: 404, conflict: 409, validation_failed: 422 } as const;
/** Requests that are refused, by the statement that says so. */
const REFUSED: readonly (readonly [
  statement: string,
  code: keyof typeof STATUS,
  paths: readonly string[],
])[] = [
  [
    '[S4.15] other malformed port codes are invalid',
    'validation_failed',
    ['USLA', 'USLAXX', '1SLAX', '12345', 'US-LA', 'US%20LA', '%E2%9A%93'].flatMap(portPaths),
  ],
  [
    '[S4.15] [gateway] a port code with an encoded slash or an encoded zero byte is invalid',
    'validation_failed',
    ['US%2FLA', '%00'].flatMap(portPaths),
  ],
  ['[S4.16] [S7.08] "Unknown UN/LOCODE: 404 with code not_found"', 'not_found', portPaths(UNKNOWN_PORT)],
  [
    '[S4.18] another HS code is invalid',
    'validation_failed',
    ['8', '851', '85171', '123456789012', '85a1', '85.17'].map(importsPath),
  ],
  [
    '[S4.19] an HS chapter that does not exist is 404',
    'not_found',
    ['00', '7701', '0000000000'].map(importsPath),
  ],
  ['[S4.23] window is required and has no default', 'validation_failed', [`/v1/ports/${PORT}/trend`]],
  [
    '[S4.26] any other days is invalid',
    'validation_failed',
    ['0', '31', '-1', '7.5', '7d', 'abc', '', '07', '%2B7', '7.0'].map((days) => trendPath(`days=${days}`)),
  ],
  [
    '[S4.27] [S7.03] [S7.04] [S7.05] [S7.09] window and days together conflict, whatever their values',
    'conflict',
    ['window=7d&days=7', 'window=7d&days=14', 'window=x&days=y', 'window=&days='].map((query) =>
      trendPath(query),
    ),
  ],
  [
    '[S4.28] the same parameter twice is invalid',
    'validation_failed',
    ['window=7d&window=7d', 'window=7d&window=30d', 'days=7&days=7'].map((query) => trendPath(query)),
  ],
  [
    '[S4.30] another format is invalid',
    'validation_failed',
    ['xml', 'CSV', ''].flatMap((format) => [
      trendPath(`window=7d&format=${format}`),
      `${importsPath(HS)}?format=${format}`,
    ]),
  ],
  [
    '[S4.35] an invalid window on dwell or alerts is 422',
    'validation_failed',
    [`/v1/ports/${PORT}/dwell?window=12h`, `/v1/ports/${PORT}/alerts?window=1y`],
  ],
  [
    '[S4.48] [S7.06] [gateway] "400 bad request": broken percent-encoding',
    'bad_request',
    [
      '/v1/ports/%ZZ/snapshot',
      ...['window=%ZZ', 'window=%4%31', 'window=7d&format=%', 'window=%FF', 'window=7d&format=%C3%28'].map(
        (query) => trendPath(query),
      ),
      '/v1/hs/8%5/imports',
    ],
  ],
  [
    '[S4.49] "404 not found": also a wrong path, however long',
    'not_found',
    [
      ...['/v1', '/v1/nope', `/v1/ports/${PORT}`, `/v1/ports/${PORT}/nope`, `/v1/hs/${HS}`],
      '/v1/ports'.repeat(50),
      `/v1/${'%E2%98%83'.repeat(100)}`,
    ],
  ],
  [
    '[S4.49] [gateway] "404 not found": a path with a slash too many',
    'not_found',
    ['/v1/health/', '/v1//health', `/v1/ports/${PORT}/snapshot/`, '/v1/meta/sources/'],
  ],
  [
    '[S6.01] "Events (webhooks, notifications or streams): not shown", so there are none',
    'not_found',
    ['/v1/events', '/v1/webhooks'],
  ],
  [
    '[S9.01] "The major version is part of every path: /v1"',
    'not_found',
    ['/health', `/ports/${PORT}/snapshot`, '/v2/health'],
  ],
];

describe('What is refused, with the one envelope of all errors', () => {
  it.each(REFUSED)('%s', async (_statement, code, paths) => {
    for (const path of paths) expectError(await get(path), STATUS[code], code);
  });
});

describe('4. Endpoints', () => {
  it('[S4.01] "All endpoints are GET": other methods are 404, HEAD is GET without its body', async () => {
    for (const path of ALL_PATHS) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        expectError(await get(path, { method }), 404, 'not_found');
      const [whole, head] = [await get(path), await get(path, { method: 'HEAD' })];
      expect(head.text).toBe('');
      if (!isDeployed) expect(head.headers['content-length']).toBe(whole.headers['content-length']);
      for (const name of ['content-type', 'cache-control', 'etag', 'vary'])
        if (path !== '/v1/health' || name !== 'etag')
          expect([path, name, head.headers[name]]).toEqual([path, name, whole.headers[name]]);
      expect(head.status).toBe(whole.status);
    }
  });

  it('[S4.02] [S4.06] [S4.07] [S4.09] [S4.10] [S4.11] [S4.12] [S4.13] "Successful responses are 200"', async () => {
    for (const path of ALL_PATHS) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('[S4.03] [S4.04] "Read endpoints send Cache-Control with public and max-age=300", and vary by key', async () => {
    for (const path of [...KEYED_PATHS, ...CSV_PATHS]) {
      const whole = await get(path);
      const unchanged = await get(path, { headers: { 'If-None-Match': whole.headers.etag } });
      expect([path, whole.status, unchanged.status]).toEqual([path, 200, 304]);
      for (const { headers } of [whole, unchanged]) {
        expect(headers['cache-control']).toBe('public, max-age=300');
        expect(headers.vary).toMatch(/X-API-Key/i);
      }
    }
  });

  it('"strong ETag validator": gzip where the client takes it, under a tag of its own', async () => {
    const gzip = { 'Accept-Encoding': 'br, gzip;q=0.8' };
    for (const path of ['/v1/ports', `/v1/ports/${PORT}/dwell?days=30&format=csv`, trendPath('window=30d')]) {
      const plain = await get(path);
      const packed = await get(path, { headers: gzip });
      expect([path, packed.headers['content-encoding'], packed.text]).toEqual([path, 'gzip', plain.text]);
      expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 2);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      for (const headers of [plain.headers, packed.headers]) expect(headers.vary).toMatch(/Accept-Encoding/i);
      const unchanged = await get(path, { headers: { ...gzip, 'If-None-Match': packed.headers.etag } });
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, packed.headers.etag]);
      expect(unchanged.headers['content-encoding']).toBeUndefined();
    }
  });

  it('[S4.05] errors and health are no-store', async () => {
    expect((await get('/v1/health')).headers['cache-control']).toBe('no-store');
    expectError(await get('/v1/nope'), 404, 'not_found');
  });

  it('[S4.08] [S9.02] "/v1/sources is a retained alias", byte for byte, leading to its successor', async () => {
    const [preferred, alias] = [await get('/v1/meta/sources'), await get('/v1/sources')];
    expect(alias.text).toBe(preferred.text);
    for (const name of ['etag', 'cache-control']) expect(alias.headers[name]).toBe(preferred.headers[name]);
    // As a client resolves it: also where the base address has a path of its own, such as the stage's name.
    const [, target = ''] = /^<([^>]+)>; rel="successor-version"$/.exec(alias.headers.link ?? '') ?? [];
    for (const base of [serviceUrl(), `${serviceUrl()}/stage`])
      expect(new URL(target, `${base}/v1/sources`).href).toBe(`${base}/v1/meta/sources`);
  });

  it('[S4.14] a port code in lower case is invalid, and the hint gives the upper-case form', async () => {
    for (const code of [PORT.toLowerCase(), `${PORT.slice(0, 1)}${PORT.slice(1).toLowerCase()}`])
      for (const path of portPaths(code))
        expect(expectError(await get(path), 422, 'validation_failed').hint).toContain(PORT);
  });

  it('[S4.17] "{code} is an HS code (numeric string)" of 2, 4, 6, 8 or 10 digits', async () => {
    for (const code of ['85', '8517', '851712', '85171200', '8517120000', '98', '99']) {
      const reply = await get(`/v1/hs/${code}/imports`);
      expect(reply.status).toBe(200);
      expect(Array.isArray(reply.json())).toBe(true);
    }
  });

  it('[S4.20] window: "7d, 14d, 30d", each the last days up to today', async () => {
    const whole = (await get(trendPath('window=30d'))).json<TrendPoint[]>();
    for (const days of [7, 14, 30]) {
      const points = (await get(trendPath(`window=${days}d`))).json<TrendPoint[]>();
      for (const { date } of points) expect(date > daysAgo(days) && date <= today()).toBe(true);
      expect(points).toEqual(whole.filter(({ date }) => date > daysAgo(days)));
    }
  });

  it('[S4.24] any other window is invalid; the hint names a request that works', async () => {
    for (const window of ['12h', '1d', '31d', '7', '7D', '07d', '']) {
      const { message, hint = '' } = expectError(
        await get(trendPath(`window=${window}`)),
        422,
        'validation_failed',
      );
      expect(message).toMatch(/window must be like 7d, 14d, 30d/);
      const [, named = ''] = /GET (\S+)/.exec(hint) ?? [];
      expect((await get(named)).status).toBe(200);
    }
  });

  it('[S4.25] days is an alias: an integer 1 to 30', async () => {
    for (const days of [7, 14, 30])
      expect((await get(trendPath(`days=${days}`))).text).toBe(
        (await get(trendPath(`window=${days}d`))).text,
      );
    for (let days = 1; days <= 30; days += 1) expect((await get(trendPath(`days=${days}`))).status).toBe(200);
    for (const { date } of (await get(trendPath('days=1'))).json<TrendPoint[]>()) expect(date).toBe(today());
  });

  it('[S4.29] format is optional and defaults to json', async () => {
    expect((await get(trendPath('window=7d&format=json'))).text).toBe(
      (await get(trendPath('window=7d'))).text,
    );
    expect((await get(`/v1/hs/${HS}/imports?format=json`)).text).toBe(
      (await get(`/v1/hs/${HS}/imports`)).text,
    );
  });

  it('[S4.31] Accept plays no part', async () => {
    const as = (path: string, Accept: string) => get(path, { headers: { Accept } });
    expect((await as(trendPath('window=7d'), 'text/csv')).headers['content-type']).toBe('application/json');
    expect((await as(CSV_PATHS[0] ?? '', 'application/json')).headers['content-type']).toMatch(/^text\/csv/);
    expect((await as('/v1/meta/sources', 'image/png')).status).toBe(200);
  });

  it('[S4.32] no other endpoint needs a query parameter, and unknown ones are ignored', async () => {
    for (const path of KEYED_PATHS) {
      const joined = `${path}${path.includes('?') ? '&' : '?'}foo=1&foo=2`;
      expect([path, (await get(joined)).text]).toEqual([path, (await get(path)).text]);
    }
    // `format` chooses no rows, so it is ignored where there is one form only.
    const snapshot = `/v1/ports/${PORT}/snapshot`;
    expect((await get(`${snapshot}?format=csv`)).text).toBe((await get(snapshot)).text);
    for (const [path, query] of [
      [`/v1/hs/${HS}/imports`, 'from=2020-01-01'],
      [snapshot, 'window=7d'],
      [trendPath('window=7d'), 'class=container'],
      [`/v1/ports/${PORT}/waits`, 'until=2025-08-01'],
      ['/v1/ports', 'limit=3'],
      ['/v1/changes', 'country=FI'],
    ] as const) {
      const joined = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      const { hint = '' } = expectError(await get(joined), 422, 'validation_failed');
      const [, named = ''] = /Try GET (\S+)/.exec(hint) ?? [];
      expect([joined, (await get(named)).status]).toEqual([joined, 200]);
    }
    for (const name of ['t', 'ts', 'tz', '_'])
      expect((await get(`/v1/ports/${PORT}/waits?${name}=1764316800000`)).status).toBe(200);
    for (const query of ['days=7&fomat=csv', 'windw=7d', 'DAYS=7'])
      expect(expectError(await get(trendPath(query)), 422, 'validation_failed').hint).toMatch(
        /^Did you mean/,
      );
    expect((await get('/v1/health?foo=1&fomat=csv')).status).toBe(200);
  });

  it('[S4.33] [S4.34] dwell and alerts take an optional window, default 14d and 30d', async () => {
    const dwell = `/v1/ports/${PORT}/dwell`;
    const alerts = `/v1/ports/${PORT}/alerts`;
    expect((await get(`${dwell}?window=14d`)).text).toBe((await get(dwell)).text);
    expect((await get(`${alerts}?window=30d`)).text).toBe((await get(alerts)).text);
    const periods = (await get(`${dwell}?window=30d`)).json<DwellPeriod[]>();
    const raised = (await get(alerts)).json<Alert[]>();
    for (const days of [7, 14, 30]) {
      const beginsAt = `${daysAgo(days - 1)}T00:00:00Z`;
      expect((await get(`${dwell}?window=${days}d`)).json()).toEqual(
        periods.filter(({ end }) => end >= beginsAt),
      );
      // An `as_of` of midnight is the end of the day before.
      expect((await get(`${alerts}?window=${days}d`)).json()).toEqual(
        raised.filter(({ as_of }) => as_of > beginsAt),
      );
    }
  });

  it('[S4.25] [S4.27] days is the same alias on dwell and alerts, and excludes window', async () => {
    for (const path of [`/v1/ports/${PORT}/dwell`, `/v1/ports/${PORT}/alerts`]) {
      for (const days of [7, 14, 30])
        expect((await get(`${path}?days=${days}`)).text).toBe((await get(`${path}?window=${days}d`)).text);
      for (const days of ['0', '31', '7.0', '07', ''])
        expectError(await get(`${path}?days=${days}`), 422, 'validation_failed');
      expectError(await get(`${path}?window=7d&days=7`), 409, 'conflict');
    }
  });

  it('[S4.67] [S4.68] [S4.69] as_of is the end of a day that is over, or today', async () => {
    const paths = [
      `/v1/ports/${PORT}/trend?window=30d`,
      `/v1/ports/${PORT}/waits?format=csv`,
      `/v1/ports/${PORT}/alerts?days=30`,
      `/v1/ports/${PORT}/snapshot?`,
      '/v1/ports?format=csv',
      '/v1/hs/85/imports?format=csv',
    ];
    for (const path of paths) {
      const now = await get(path);
      const asOfToday = await get(`${path}&as_of=${today()}`);
      expect([asOfToday.text, asOfToday.headers.etag]).toEqual([now.text, now.headers.etag]);
      for (const as_of of [daysAgo(-1), '2026-02-30', 'yesterday', ''])
        expect(expectError(await get(`${path}&as_of=${as_of}`), 422, 'validation_failed').hint).toBeTruthy();
      const before = await get(`${path}&as_of=2000-01-01`);
      if (path.includes('snapshot')) expectError(before, 404, 'not_found');
      else {
        expect([path, before.status, before.text.trimEnd().split('\n')]).toEqual([
          path,
          200,
          [expect.any(String)],
        ]);
        expect(before.headers['x-vintages-from']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      }
    }
    for (const query of [`trend?window=7d&until=${today()}`, `waits?to=${today()}`, `waits?from=${today()}`])
      expectError(await get(`/v1/ports/${PORT}/${query}&as_of=${daysAgo(1)}`), 422, 'validation_failed');
    for (const path of [`/v1/ports/${PORT}/dwell`, '/v1/meta/sources'])
      expectError(await get(`${path}?as_of=${today()}`), 422, 'validation_failed');
  });

  it('until is the last day of the window on trend, dwell and alerts', async () => {
    /** The day that a record belongs to: midnight, as the `as_of` of an alert, is the end of the day before. */
    const dayIn = ({ date, end, as_of = '' }: Record<string, string>): string =>
      date ?? end?.slice(0, 10) ?? new Date(Date.parse(as_of) - 1).toISOString().slice(0, 10);
    for (const end of ['trend', 'dwell', 'alerts']) {
      const at = (query: string): string => `/v1/ports/${PORT}/${end}?${query}`;
      const read = async (query: string) => (await get(at(query))).json<Record<string, string>[]>();
      expect(await read(`window=30d&until=${today()}`)).toEqual(await read('window=30d'));
      const inWindow = (record: Record<string, string>): boolean =>
        dayIn(record) > daysAgo(12) && dayIn(record) <= daysAgo(5);
      expect(await read(`window=7d&until=${daysAgo(5)}`)).toEqual(
        (await read('window=30d')).filter(inWindow),
      );
      expect(await read('window=30d&until=2000-01-01')).toEqual([]);
      for (const until of [daysAgo(-1), '9999-12-31', '2026-02-30', '2026-1-1', 'yesterday', ''])
        expect(
          expectError(await get(at(`window=7d&until=${until}`)), 422, 'validation_failed').hint,
        ).toBeTruthy();
      expectError(await get(at('window=7d&until=2026-01-01&until=2026-01-01')), 422, 'validation_failed');
    }
  });
});

describe('4. CSV and conditional requests', () => {
  it('[S4.38] [S4.39] "format=csv ... returns CSV instead of JSON": text/csv, LF, a header always, ASCII', async () => {
    for (const path of CSV_PATHS) {
      const { headers, text } = await get(path);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(text).not.toContain('\r');
      expect(text).toMatch(/^[\x20-\x7e\n]+\n$/);
    }
  });

  it('[S4.40] [S4.42] "CSV responses carry a strong ETag validator", and so does JSON', async () => {
    for (const path of [...CSV_PATHS, ...KEYED_PATHS])
      expect((await get(path)).headers.etag).toMatch(/^"[^"]+"$/);
  });

  it('[S4.41] the ETag follows the exact bytes', async () => {
    for (const path of CSV_PATHS) {
      const json = await get(path.replace('csv', 'json'));
      expect((await get(path)).headers.etag).toBe((await get(path)).headers.etag);
      expect((await get(path)).headers.etag).not.toBe(json.headers.etag);
    }
  });

  it('[S4.43] [S4.44] [S4.45] "When a request sends If-None-Match with a current ETag, the response is 304"', async () => {
    for (const path of [...CSV_PATHS, ...KEYED_PATHS]) {
      const { headers } = await get(path);
      for (const value of [headers.etag, `"x", ${headers.etag}`, `W/${headers.etag}`, '*']) {
        const reply = await get(path, { headers: { 'If-None-Match': value } });
        expect([path, value, reply.status, reply.text]).toEqual([path, value, 304, '']);
        expect(reply.headers.etag).toBe(headers.etag);
        expect(reply.headers['content-type']).toBe(headers['content-type']);
        expectId(reply);
      }
    }
  });

  it('[S4.46] If-None-Match without the current ETag is 200', async () => {
    for (const path of [...CSV_PATHS, ...KEYED_PATHS])
      expect((await get(path, { headers: { 'If-None-Match': '"stale"' } })).status).toBe(200);
  });

  it('[S4.47] [S7.01] "Errors are always JSON, even when format=csv was requested"', async () => {
    const faults: [string, Parameters<typeof get>[1], number, Parameters<typeof expectError>[2]][] = [
      [trendPath('window=7d'), { key: undefined }, 401, 'auth_missing'],
      [trendPath('window=7d'), { key: 'abc' }, 401, 'auth_invalid'],
      [trendPath('window=7d', UNKNOWN_PORT), {}, 404, 'not_found'],
      [trendPath('window=12h'), {}, 422, 'validation_failed'],
      [trendPath('window=7d&days=7'), {}, 409, 'conflict'],
      [`/v1/hs/${HS}/imports?x=`, { key: keyOf('lite') }, 403, 'auth_forbidden'],
    ];
    for (const [path, sending, status, code] of faults)
      for (const headers of [{}, { 'If-None-Match': '*' }]) {
        expectError(await get(path, { ...sending, headers }), status, code);
        expectError(await get(`${path}&format=csv`, { ...sending, headers }), status, code);
      }
  });
});

describe('4. Status codes and response headers', () => {
  it('[S4.51] [S4.52] "x-request-id ... unique id (UUID) of the request", on all responses', async () => {
    for (const path of ALL_PATHS) expectId(await get(path));
    const replies = await Promise.all(Array.from({ length: 100 }, () => get('/v1/meta/sources')));
    expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(100);
  });

  it("[S4.53] a client's own x-request-id is never reflected", async () => {
    const own = '11111111-1111-4111-8111-111111111111';
    for (const path of ['/v1/meta/sources', '/v1/nope', '/v1/health', trendPath('window=x')]) {
      const reply = await get(path, { headers: { 'x-request-id': own, 'x-amzn-requestid': own } });
      expect(reply.headers['x-request-id']).toMatch(UUID);
      expect(`${reply.text}${reply.headers['x-request-id']}`).not.toContain(own);
    }
  });

  it('[S4.54] "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset" on every response to an authenticated request', async () => {
    const key = keyOf('pro');
    const { headers } = await get(trendPath('window=7d'), { key });
    const replies = [
      await get(trendPath('window=7d'), { key }),
      await get(trendPath('window=7d'), { key, headers: { 'If-None-Match': headers.etag } }),
      await get(trendPath('window=7d', UNKNOWN_PORT), { key }),
      await get(trendPath('window=7d&days=7'), { key }),
      await get(trendPath('window=x'), { key }),
      await get(`/v1/hs/${HS}/imports`, { key: keyOf('lite') }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 304, 404, 409, 422, 403]);
    for (const reply of replies)
      for (const name of ['limit', 'remaining', 'reset'])
        expect(reply.headers[`ratelimit-${name}`]).toMatch(/^\d+$/);
  });

  it('[S4.55] [S8.12] "RateLimit-Limit: requests-per-minute allotment", 60 on every plan', async () => {
    for (const name of ['lite', 'starter', 'pro'] as const)
      expect((await get('/v1/meta/sources', { key: keyOf(name) })).headers['ratelimit-limit']).toBe('60');
  });

  it('[S4.50] no status is seen that the contract does not have', () => {
    const documented = new Set([200, 304, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504]);
    expect([...seenStatuses].filter((status) => !documented.has(status))).toEqual([]);
  });
});
