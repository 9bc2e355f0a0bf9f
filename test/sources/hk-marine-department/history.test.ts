/** Back-fill of past polls: grouping, resuming after a stop, politeness, and what the archive's faults do. */
import { describe, expect, it } from '@jest/globals';
import {
  backfillDay,
  HISTORY_HOSTS,
  POLITE_CONCURRENCY,
} from '../../../core/sources/hk-marine-department/source.ts';
import type { HttpClient } from '../../../core/upstream/http-client.ts';
import { clientOf, memoryPast, reply } from '../../builders/source-replies.ts';

/** An archive with the given versions of each report, and counts the requests under way. */
function upstream(versions: Record<string, string[]>, failing: (stamp: string) => boolean = () => false) {
  const state = { asked: [] as URL[], underWay: 0, mostAtOnce: 0 };
  const http: HttpClient = {
    get: async (address) => {
      const url = new URL(address);
      state.asked.push(url);
      state.underWay += 1;
      state.mostAtOnce = Math.max(state.mostAtOnce, state.underWay);
      await new Promise((resolve) => setImmediate(resolve));
      state.underWay -= 1;
      const report = (url.searchParams.get('url') ?? '').split('/').at(-1) ?? '';
      if (url.pathname.endsWith('/list-file-versions'))
        return reply(200, { timestamps: versions[report] ?? [] });
      const stamp = url.searchParams.get('time') ?? '';
      return failing(stamp) ? reply(500, '') : reply(200, `<${report} ${stamp}>`);
    },
  };
  return { state, http };
}

const at = (text: string): number => Date.parse(text);
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** Two polls; the second lacks one report. Hong Kong is 8 hours ahead. */
const TWO_POLLS = {
  'RP05005i.XML': ['20250817-1320', '20250817-1340'],
  'RP05505i.XML': ['20250817-1321'],
  'RP06005i.XML': ['20250817-1322', '20250817-1341'],
};

describe('a day', () => {
  it('becomes one fetch a poll, as of its latest file, in UTC', async () => {
    const archive = memoryPast();
    await backfillDay(upstream(TWO_POLLS).http, archive, '2025-08-17');
    expect([...archive.written.keys()].sort()).toEqual([
      at('2025-08-17T05:22:00Z'),
      at('2025-08-17T05:41:00Z'),
    ]);
    const first = archive.written.get(at('2025-08-17T05:22:00Z'));
    expect([...(first?.keys() ?? [])].sort()).toEqual(['RP05005i.XML', 'RP05505i.XML', 'RP06005i.XML']);
    expect(text(first?.get('RP05505i.XML'))).toBe('<RP05505i.XML 20250817-1321>');
  });

  it('asks for the Hong Kong days that it touches and takes what lies in it', async () => {
    const { state, http } = upstream({
      'RP06005i.XML': ['20250817-0759', '20250817-0800', '20250818-0759', '20250818-0800'],
    });
    const archive = memoryPast();
    await backfillDay(http, archive, '2025-08-17');
    expect(state.asked[0]?.searchParams.get('start')).toBe('20250817');
    expect(state.asked[0]?.searchParams.get('end')).toBe('20250818');
    expect([...archive.written.keys()].sort()).toEqual([
      at('2025-08-17T00:00:00Z'),
      at('2025-08-17T23:59:00Z'),
    ]);
  });

  it('passes over bundles of a whole day and other stamps', async () => {
    const { http } = upstream({ 'RP06005i.XML': ['20250817', '20250817-9999', '', '20250817-1322'] });
    const archive = memoryPast();
    await backfillDay(http, archive, '2025-08-17');
    expect([...archive.written.keys()]).toEqual([at('2025-08-17T05:22:00Z')]);
  });

  it('never asks for more than a polite number at once', async () => {
    const stamps = Array.from({ length: 24 }, (_, hour) => `20250817-${String(hour).padStart(2, '0')}30`);
    const { state, http } = upstream({ 'RP06005i.XML': stamps });
    await backfillDay(http, memoryPast(), '2025-08-17');
    expect(state.mostAtOnce).toBe(POLITE_CONCURRENCY);
  });
});

describe('stopping and going on', () => {
  it('keeps whole polls only, and fetches again only what is missing', async () => {
    const archive = memoryPast();
    const broken = upstream(TWO_POLLS, (stamp) => stamp === '20250817-1341');
    await expect(backfillDay(broken.http, archive, '2025-08-17')).rejects.toMatchObject({
      reason: 'refused',
    });
    expect([...archive.written.keys()]).toEqual([at('2025-08-17T05:22:00Z')]);

    const healed = upstream(TWO_POLLS);
    await backfillDay(healed.http, archive, '2025-08-17');
    const files = healed.state.asked.filter((url) => url.pathname.endsWith('/get-file'));
    expect(files.map((url) => url.searchParams.get('time'))).toEqual(['20250817-1340', '20250817-1341']);
  });
});

describe('a list of versions', () => {
  it.each([
    ['refused', reply(404, '')],
    ['malformed', reply(200, '<html>')],
    ['malformed', reply(200, { files: [] })],
    ['malformed', reply(200, 'null')],
  ])('that is %s ends the run', async (reason, response) => {
    const { http } = clientOf(() => response);
    await expect(backfillDay(http, memoryPast(), '2025-08-17')).rejects.toMatchObject({ reason });
  });
});

it('asks the declared hosts of the archive', async () => {
  const { asked, http } = clientOf(() => reply(200, { timestamps: [] }));
  await backfillDay(http, memoryPast(), '2025-08-17');
  expect(asked.every(({ host }) => HISTORY_HOSTS.includes(host))).toBe(true);
});
