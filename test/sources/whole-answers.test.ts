/** Replies that concern the whole key or service, through the real client: the reason they get, and the requests they cost. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { source as singapore } from '../../core/sources/mpa-singapore/source.ts';
import { source as korea } from '../../core/sources/portmis-korea/source.ts';
import { source as taiwan } from '../../core/sources/tipc-taiwan/source.ts';
import { source as census } from '../../core/sources/us-census-trade/source.ts';
import { fetchHttpClient } from '../../core/upstream/fetch-client.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import type { FetchedFiles, Source } from '../../core/upstream/source.ts';
import { fetchContext, refusalOf, requestIn } from '../builders/source-replies.ts';

const NOW_AT = Date.parse('2026-03-10T12:00:00Z');
const HOUR_MS = 3_600_000;
const KEY = 'key-of-the-test';
const UNTIL_MIDNIGHT_IN_KOREA = 3 * 3600;

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const page = (title: string): string =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>x</body></html>`;

/** Runs one fetch of `source` whose requests are answered by `respond`. */
async function given(
  source: Source,
  respond: (url: URL) => Response,
  changes: Parameters<typeof fetchContext>[1] = {},
) {
  const asked: URL[] = [];
  globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    asked.push(url);
    return respond(url);
  };
  const http = fetchHttpClient(source.declaration, {
    now: () => NOW_AT,
    random: () => 0.5,
    sleep: async () => undefined,
  });
  const context = fetchContext(http, { now: () => NOW_AT, secret: KEY, ...changes });
  const outcome = await Promise.resolve(source.fetch(context)).catch((error: unknown) => error);
  return { asked, outcome };
}

const answer = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers });

const CASES: readonly (readonly [string, Source, () => Response, string, number?])[] = [
  ['PORT-MIS 401', korea, () => answer(401, 'Unauthorized'), 'key-refused'],
  ['PORT-MIS 403', korea, () => answer(403, 'Forbidden'), 'key-refused'],
  ['PORT-MIS 200 Unauthorized', korea, () => answer(200, 'Unauthorized'), 'key-refused'],
  ['PORT-MIS 200 Forbidden', korea, () => answer(200, 'Forbidden\n'), 'key-refused'],
  ['PORT-MIS 404', korea, () => answer(404, 'API not found'), 'not-subscribed'],
  ['PORT-MIS 200 not found', korea, () => answer(200, 'API not found'), 'not-subscribed'],
  ['PORT-MIS 410', korea, () => answer(410, ''), 'refused'],
  ['PORT-MIS 429', korea, () => answer(429, 'API token quota exceeded'), 'quota', UNTIL_MIDNIGHT_IN_KOREA],
  ['PORT-MIS 429 without a text', korea, () => answer(429, ''), 'quota', UNTIL_MIDNIGHT_IN_KOREA],
  ['PORT-MIS 429 with a pause', korea, () => answer(429, '', { 'retry-after': '600' }), 'quota', 600],
  [
    'PORT-MIS 200 quota',
    korea,
    () => answer(200, 'API token quota exceeded'),
    'quota',
    UNTIL_MIDNIGHT_IN_KOREA,
  ],
  [
    'a redirect that states a key error',
    census,
    () =>
      answer(302, '', {
        location: 'https://api.census.gov/data/invalid_key.html',
        'X-DataWebAPI-KeyError': '1',
      }),
    'key-refused',
  ],
  [
    'a redirect to the page about a missing key',
    census,
    () => answer(302, '', { location: '/data/missing_key.html' }),
    'key-refused',
  ],
  ['the page about a wrong key', census, () => answer(200, page('Invalid Key')), 'key-refused'],
  ['Census under maintenance', census, () => answer(200, page('Scheduled Maintenance')), 'maintenance'],
  ['MPA under maintenance', singapore, () => answer(200, page('Maintenance')), 'maintenance'],
  [
    'MPA 200 with code 403',
    singapore,
    () => answer(200, '{"code":"403","message":"API key is not valid"}'),
    'key-refused',
  ],
  ['MPA 200 with code 401', singapore, () => answer(200, '{"message":"x","code":401}'), 'key-refused'],
  ['MPA 401', singapore, () => answer(401, ''), 'key-refused'],
  ['MPA 403', singapore, () => answer(403, ''), 'not-subscribed'],
  ['TIPC under maintenance', taiwan, () => answer(200, page('System maintenance')), 'maintenance'],
];

// A parameter beyond the length of a row would be the callback `done`.
it.each(CASES)('%s ends the pass after one request', async (...[, source, respond, reason, pause]) => {
  const { asked, outcome } = await given(source, respond);
  expect(outcome).toBeInstanceOf(UpstreamFailure);
  expect(outcome).toMatchObject({ reason, ...(pause !== undefined && { retryAfterSeconds: pause }) });
  expect(String(outcome)).not.toContain(KEY);
  expect(asked).toHaveLength(1);
});

it('states the status of PORT-MIS when it means neither the key nor the quota', async () => {
  const { outcome } = await given(korea, () => answer(410, ''));
  expect(String(outcome)).toContain('status 410');
});

it.each([
  ['an error object', '{"code":"500","message":"Internal error"}', 'malformed'],
  ['a web page', page('Welcome'), 'html'],
])('archives the first list of MPA that is %s, and requests no other', async (_what, body, reason) => {
  const { asked, outcome } = await given(singapore, () => answer(200, body));
  const files = outcome as FetchedFiles;
  expect([...files.keys()]).toEqual(['arrivals-2026-02-08.json']);
  expect(asked).toHaveLength(1);
  expect(refusalOf(() => singapore.parse({ fetchedAt: NOW_AT, files }))).toBe(reason);
});

describe('a firewall of the Census API that rejects the last 15 of 23 requests', () => {
  const table = JSON.stringify([
    ['I_COMMODITY', 'CTY_CODE', 'GEN_VAL_MO', 'time'],
    ['01', '-', '1000', '2026-01'],
  ]);
  const rejected = page('Request Rejected');
  const first = async () => {
    let requests = 0;
    const { outcome } = await given(census, () => {
      requests += 1;
      return answer(200, requests > 8 ? rejected : table);
    });
    return outcome as FetchedFiles;
  };

  it('leaves a note of the rejected requests, and no file of them', async () => {
    const files = await first();
    expect(requestIn(files).unanswered).toHaveLength(15);
    expect(files.size).toBe(8 + 1);
    const { refusals } = census.parse({ fetchedAt: NOW_AT, files });
    expect(refusals.byReason).toEqual({ 'no-reply': 15 });
  });

  it('gets them again in the next pass, beside the months that may be new', async () => {
    const files = await first();
    const changes = { lastFetchAt: NOW_AT - 24 * HOUR_MS, lastFiles: async () => files };
    const { asked, outcome } = await given(census, () => answer(200, table), changes);
    const next = outcome as FetchedFiles;
    expect([...next.keys()]).toEqual(expect.arrayContaining(requestIn(files).unanswered));
    expect(next.has('request.json')).toBe(false);
    const spans = asked.map(
      ({ searchParams }) => `${searchParams.get('COMM_LVL')} ${searchParams.get('time')}`,
    );
    expect(spans).toContain('HS6 from 2023-01 to 2023-03');
    expect(new Set(spans).size).toBe(spans.length);
  });

  it('stays in the note while the firewall still rejects them', async () => {
    const files = await first();
    let requests = 0;
    const { outcome } = await given(
      census,
      () => {
        requests += 1;
        return answer(200, requests > 4 ? rejected : table);
      },
      { lastFetchAt: NOW_AT - 24 * HOUR_MS, lastFiles: async () => files },
    );
    expect(requestIn(outcome as FetchedFiles).unanswered.sort()).toEqual(requestIn(files).unanswered.sort());
  });

  it('fails the pass when it rejects every request', async () => {
    const { outcome } = await given(census, () => answer(200, rejected));
    expect(outcome).toMatchObject({ name: 'UpstreamFailure', reason: 'rate-limited' });
  });
});
