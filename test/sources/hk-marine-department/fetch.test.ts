import { describe, expect, it } from '@jest/globals';
import { fetchReports, hkMarineDepartment } from '../../../core/sources/hk-marine-department/source.ts';
import { type HttpClient, type HttpReply, UpstreamFailure } from '../../../core/sources/http/http-client.ts';
import type { FetchContext } from '../../../core/sources/source.ts';

const bytes = new TextEncoder().encode('<RP06005IXML/>');
const reply = (status: number): HttpReply => ({ status, headers: {}, body: bytes });

/** Replies by file name; a file without one is found. */
function contextOf(
  responses: Readonly<Record<string, HttpReply | Error>>,
  asked: string[] = [],
): FetchContext {
  const http: HttpClient = {
    get: async (url) => {
      asked.push(url);
      const response = responses[url.slice(url.lastIndexOf('/') + 1)] ?? reply(200);
      if (response instanceof Error) throw response;
      return response;
    },
  };
  return { http, now: () => 0, lastFetchAt: undefined, secret: undefined };
}

const down = new UpstreamFailure('timed-out', 'no whole reply in time', 30);

describe('fetching the reports', () => {
  it('asks for all four on the declared host, and keeps them as they came', async () => {
    const asked: string[] = [];
    const files = await fetchReports(contextOf({}, asked));
    expect([...files.keys()].sort()).toEqual([
      'RP04005i.XML',
      'RP05005i.XML',
      'RP05505i.XML',
      'RP06005i.XML',
    ]);
    expect(files.get('RP06005i.XML')).toBe(bytes);
    const hosts = new Set(asked.map((url) => new URL(url).host));
    expect([...hosts]).toEqual(hkMarineDepartment.declaration.hosts);
  });

  it('does without a report that is missing', async () => {
    const files = await fetchReports(contextOf({ 'RP05505i.XML': reply(404), 'RP05005i.XML': down }));
    expect([...files.keys()].sort()).toEqual(['RP04005i.XML', 'RP06005i.XML']);
  });

  it('fails when nothing of a poll is there, with the reason and the pause asked for', async () => {
    const responses = { 'RP05005i.XML': down, 'RP05505i.XML': reply(503), 'RP06005i.XML': reply(404) };
    await expect(fetchReports(contextOf(responses))).rejects.toMatchObject({
      name: 'UpstreamFailure',
      reason: 'timed-out',
      retryAfterSeconds: 30,
    });
  });

  it('does not hide a fault of the program as a missing report', async () => {
    await expect(fetchReports(contextOf({ 'RP06005i.XML': new TypeError('bug') }))).rejects.toThrow(
      TypeError,
    );
  });
});
