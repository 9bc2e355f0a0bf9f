/** The past of a source, brought in before it is applied: with the real adapter of Hong Kong on a made-up archive. */
import { describe, expect, it } from '@jest/globals';
import { type BackFill, createBackFill, type OpenedBackFill } from '../../core/ingest/back-fill.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { type HttpClient, UpstreamFailure } from '../../core/upstream/http/http-client.ts';
import { hkFetchAt, hkVisits } from '../builders/hk-polls.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { valuesOf } from '../builders/table-dump.ts';

const START = Date.UTC(2026, 0, 5);
const NOW = START + 30 * DAY_MS;
const HONG_KONG_MS = 8 * 60 * MINUTE_MS;
const { id } = hkMarineDepartment.declaration;
const visits = hkVisits({ seed: 5, startAt: START, days: 4, arrivalsPerDay: 15 });

const stampOf = (at: Instant): string =>
  new Date(at + HONG_KONG_MS).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
const instantOf = (stamp: string): Instant =>
  Date.parse(stamp.replace(/(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:00Z')) - HONG_KONG_MS;

/** The historical archive of DATA.GOV.HK with a poll every two hours; down while `down()` says so. */
function historicalArchive(down: (stamp: string) => boolean = () => false) {
  const asked: string[] = [];
  const reply = (content: string | Uint8Array) => ({
    status: 200,
    headers: {},
    body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  });
  const http: HttpClient = {
    async get(address) {
      const { pathname, searchParams: of } = new URL(address);
      asked.push(address);
      if (pathname.endsWith('list-file-versions')) {
        const polls = Array.from({ length: 48 }, (_, n) => stampOf(START + n * 120 * MINUTE_MS));
        return reply(JSON.stringify({ timestamps: polls }));
      }
      const stamp = of.get('time') ?? '';
      if (down(stamp)) throw new UpstreamFailure('timed-out', 'no response');
      const file = (of.get('url') ?? '').split('/').at(-1) ?? '';
      return reply(hkFetchAt(visits, instantOf(stamp)).files.get(file) ?? '');
    },
  };
  return { http, asked };
}

function start(http: HttpClient) {
  const ingest = startMemoryIngest({ nowAt: NOW });
  const withHttp = (client: HttpClient) =>
    createBackFill({ ...ingest.dependencies(), httpFor: () => client });
  return { ingest, backFill: withHttp(http), withHttp, archive: ingest.archive };
}
const history = { fromDay: '2026-01-05', toDay: '2026-01-07' } as const;

/** Walks the partitions and closes the back-fill. */
async function rest(backFill: BackFill, { partitions }: OpenedBackFill) {
  for (const partition of partitions) await backFill.walk(hkMarineDepartment, partition);
  return backFill.close(hkMarineDepartment);
}

describe('the past of a source', () => {
  it('is applied to empty tables as if it had been polled at the time', async () => {
    const { ingest, backFill, archive } = start(historicalArchive().http);
    const opened = await backFill.open(hkMarineDepartment, { history });
    expect(opened).toEqual({ partitions: [{ source: id, part: 'whole', until: '2026-01-07T22:00:00Z' }] });
    expect(await archive.fetches(id, undefined, NOW)).toHaveLength(36);
    await rest(backFill, opened);

    const polled = startMemoryIngest({ nowAt: START });
    for (let n = 0; n < 36; n += 1) {
      const { fetchedAt, files } = hkFetchAt(visits, START + n * 120 * MINUTE_MS);
      polled.clock.nowAt = fetchedAt;
      await polled.pass({ ...hkMarineDepartment, fetch: async () => files });
    }
    expect(await valuesOf(ingest.tables)).toEqual(await valuesOf(polled.tables));
  });
});
