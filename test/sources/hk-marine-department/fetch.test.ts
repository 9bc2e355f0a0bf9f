import { describe, expect, it } from '@jest/globals';
import {
  fetchReports,
  source as hkMarineDepartment,
} from '../../../core/sources/hk-marine-department/source.ts';
import { type HttpReply, UpstreamFailure } from '../../../core/upstream/http-client.ts';
import { bytesOf, clientOf, fetchContext, reply } from '../../builders/source-replies.ts';

const REPORT = bytesOf('<RP06005IXML/>');

/** Replies by file name; a file without one is found. */
function given(responses: Readonly<Record<string, HttpReply | Error>>) {
  const { asked, http } = clientOf(({ pathname }) => {
    const response = responses[pathname.split('/').at(-1) ?? ''] ?? reply(200, REPORT);
    if (response instanceof Error) throw response;
    return response;
  });
  return { asked, fetched: fetchReports(fetchContext(http)) };
}

const down = new UpstreamFailure('timed-out', 'no whole reply in time', 30);

describe('fetching the reports', () => {
  it('asks for all four on the declared host, and keeps them as they came', async () => {
    const { asked, fetched } = given({});
    const files = await fetched;
    expect([...files.keys()].sort()).toEqual([
      'RP04005i.XML',
      'RP05005i.XML',
      'RP05505i.XML',
      'RP06005i.XML',
    ]);
    expect(files.get('RP06005i.XML')).toBe(REPORT);
    const hosts = new Set(asked.map(({ host }) => host));
    expect([...hosts]).toEqual(hkMarineDepartment.declaration.hosts);
  });

  it('does without a report that is missing', async () => {
    const files = await given({ 'RP05505i.XML': reply(404), 'RP05005i.XML': down }).fetched;
    expect([...files.keys()].sort()).toEqual(['RP04005i.XML', 'RP06005i.XML']);
  });

  it('fails when nothing of a poll is there, with the reason and the pause asked for', async () => {
    const responses = { 'RP05005i.XML': down, 'RP05505i.XML': reply(503), 'RP06005i.XML': reply(404) };
    await expect(given(responses).fetched).rejects.toMatchObject({
      name: 'UpstreamFailure',
      reason: 'timed-out',
      retryAfterSeconds: 30,
    });
  });

  it('does not hide a fault of the program as a missing report', async () => {
    await expect(given({ 'RP06005i.XML': new TypeError('bug') }).fetched).rejects.toThrow(TypeError);
  });
});
