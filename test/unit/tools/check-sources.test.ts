/** What `npm run check:sources` says of replies in a folder, and of a reply of now. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { source as fintrafficDigitraffic } from '../../../core/sources/fintraffic-digitraffic/source.ts';
import { source as hkMarineDepartment } from '../../../core/sources/hk-marine-department/source.ts';
import { source as kystdatahusetAis } from '../../../core/sources/kystdatahuset-ais/source.ts';
import { source as tipcTaiwan } from '../../../core/sources/tipc-taiwan/source.ts';
import { createFolderArchive, verdictName } from '../../../core/store/raw-archive.ts';
import { UpstreamFailure } from '../../../core/upstream/http-client.ts';
import type { ArchivedFetch, FetchedFiles, Source } from '../../../core/upstream/source.ts';
import { checkSource, tableText } from '../../../tools/check-sources/source-check.ts';
import { collection } from '../../builders/geojson-feed.ts';
import { recordedFetches } from '../../builders/recordings.ts';
import * as norway from '../../sources/kystdatahuset-ais/snapshots.ts';
import { big5, inbound, listText, outbound, REQUEST } from '../../sources/tipc-taiwan/vessel-lists.ts';

const made: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'replies-'));
  made.push(path);
  return path;
};
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true });
});

const HK = recordedFetches('hk-marine-department', '20251004');
const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = HK as [
  ArchivedFetch,
  ArchivedFetch,
  ArchivedFetch,
  ArchivedFetch,
  ArchivedFetch,
];

/** The files with a change of each text. */
const changed = (files: FetchedFiles, change: (text: string) => string): FetchedFiles =>
  new Map(
    [...files].map(([name, bytes]) => [name, Buffer.from(change(Buffer.from(bytes).toString('utf8')))]),
  );

async function checkReplies(source: Source, replies: readonly ArchivedFetch[]) {
  const replay = folder();
  const archive = createFolderArchive(replay);
  for (const { fetchedAt, files } of replies) await archive.write(source.declaration.id, fetchedAt, files);
  const ask = () => Promise.reject(new Error('nothing is asked'));
  return checkSource(source, { replay, nowAt: 0, ask });
}

describe('replies in a folder', () => {
  let rows: Awaited<ReturnType<typeof checkReplies>>['rows'];
  let isAccepted: boolean;
  beforeAll(async () => {
    const renamed = changed(THIRD.files, (text) => text.replaceAll('CALL_SIGN>', 'CALLSIGN>'));
    const empty = changed(FOURTH.files, (text) => text.replaceAll(/<G_SQL1>[\s\S]*?<\/G_SQL1>/g, ''));
    const replies = [FIRST, SECOND, { ...THIRD, files: renamed }, { ...FOURTH, files: empty }, FIFTH];
    ({ rows, isAccepted } = await checkReplies(hkMarineDepartment, replies));
  });

  it('are accepted, with their rows, their fields and the age of the newest event', () => {
    expect(rows.slice(0, 2)).toEqual([
      expect.objectContaining({ reached: 'yes', missing: 'none', new: undefined, verdict: 'accepted' }),
      expect.objectContaining({ reached: 'yes', missing: 'none', new: 'none', verdict: 'accepted' }),
    ]);
    for (const { rows: count, newest } of rows.slice(0, 2)) {
      expect(Number(count)).toBeGreaterThan(100);
      expect(newest).toMatch(/^\d+ min ago$/);
    }
  });

  it('name a field that was renamed, and why it is refused', () => {
    expect(isAccepted).toBe(false);
    expect(rows[2]).toMatchObject({ missing: 'CALL_SIGN', new: 'CALLSIGN' });
    expect(rows[2]?.verdict).toMatch(/^refused: /);
  });

  it('are held like in a pass, and a good one after a lie is accepted', () => {
    expect(rows.slice(3).map(({ verdict }) => verdict)).toEqual([
      expect.stringMatching(/^held: few-rows, /),
      'accepted',
    ]);
  });

  it('are judged again whatever notes are beside them, and nothing is written there', async () => {
    const replay = folder();
    const archive = createFolderArchive(replay);
    await archive.write('hk-marine-department', FIRST.fetchedAt, new Map());
    const revoked = { outcome: 'revoked', by: 'operator' };
    await archive.writeNote('hk-marine-department', verdictName(FIRST.fetchedAt), revoked);
    const before = readdirSync(replay, { recursive: true });
    const ask = () => Promise.reject(new Error('nothing is asked'));
    const checked = await checkSource(hkMarineDepartment, { replay, nowAt: 0, ask });
    expect(checked.rows[0]?.verdict).toMatch(/^refused: /);
    expect(readdirSync(replay, { recursive: true })).toEqual(before);
  });

  it('of one list do not lack the fields of another', async () => {
    const { rows } = await checkReplies(fintrafficDigitraffic, recordedFetches('fintraffic-digitraffic'));
    expect(rows.map(({ missing }) => missing)).toEqual(['none', 'none']);
  });

  it('of positions are read by a step', async () => {
    const fetchedAt = Date.parse('2026-03-10T12:01:00Z');
    const snapshot = collection([
      norway.feature(fetchedAt, { speed: 0.1, status: 5 }),
      ...norway.surroundings(fetchedAt),
    ]);
    const files = new Map([['vessels.geojson', Buffer.from(snapshot)]]);
    expect(await checkReplies(kystdatahusetAis, [{ fetchedAt, files }])).toMatchObject({
      isAccepted: true,
      rows: [{ verdict: 'accepted' }],
    });
  });
});

describe('a reply of now', () => {
  const nowAt = FIRST.fetchedAt;
  const live = (source: Source, files: FetchedFiles, record?: string) =>
    checkSource(source, { record, nowAt, ask: async () => files });

  it('becomes a recording on request, which is read as it came', async () => {
    const record = folder();
    const { rows } = await live(hkMarineDepartment, FIRST.files, record);
    expect(rows[0]?.verdict).toContain('accepted, recorded in');
    const archive = createFolderArchive(record);
    const files = await archive.read('hk-marine-department', nowAt);
    expect([...(files ?? [])].map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')])).toEqual(
      [...FIRST.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')]).sort(),
    );
  });

  it('is not recorded when it is refused, nor where its licence does not say so', async () => {
    const record = folder();
    const page = changed(FIRST.files, () => '<!doctype html><title>Maintenance</title>');
    expect(await live(hkMarineDepartment, page, record)).toMatchObject({ isAccepted: false });
    const lists = new Map([
      ['request.json', Buffer.from(REQUEST)],
      ['in-port-KHH.xml', big5(listText('IN_PORT', [inbound({ ARRV_DT: '202603080300' })]))],
      ['out-port-KHH.xml', big5(listText('OUT_PORT', [outbound()]))],
    ]);
    const at = Date.parse('2026-03-10T12:01:00Z');
    const taiwan = await checkSource(tipcTaiwan, { record, nowAt: at, ask: async () => lists });
    expect(taiwan.rows[0]?.verdict).toContain('not recorded: its licence');
    expect(readdirSync(record)).toEqual([]);
  });

  it('that is not reached is a failure, and a source without its key is none', async () => {
    const away = async () => {
      throw new UpstreamFailure('network', 'no route');
    };
    expect(await checkSource(hkMarineDepartment, { nowAt, ask: away })).toMatchObject({
      isAccepted: false,
      rows: [{ reached: 'no', verdict: 'network, no route' }],
    });
    expect(await checkSource(hkMarineDepartment, { nowAt, ask: async () => undefined })).toMatchObject({
      isAccepted: true,
      rows: [{ reached: 'no' }],
    });
  });

  it('is a line of a table', () => {
    const row = { source: 'hk-marine-department', rows: '240', verdict: 'accepted' };
    const [head = '', line = ''] = tableText([row]).split('\n');
    expect(head).toMatch(/^source +fetched +reached +rows +missing +new +newest +verdict$/);
    expect(line.indexOf('accepted')).toBe(head.indexOf('verdict'));
  });
});
