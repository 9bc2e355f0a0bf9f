/** The files of releases below /data/, in a server of their own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { datasetFront } from '../../../local/dataset.ts';
import { type listening, listeningFront, sendTo } from '../../builders/loopback.ts';

const folder = mkdtempSync(join(tmpdir(), 'dataset-'));
const releases = join(folder, 'releases');
const PART = 'release=2026-02-01/table=trend/year=2026/part-0.parquet';
const POINTER = '{"release":"2026-02-01","manifest":"/data/release=2026-02-01/manifest.json"}';
let server: Awaited<ReturnType<typeof listening>>;

beforeAll(async () => {
  const serve = datasetFront(releases);
  server = await listeningFront(serve);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const { status, headers: received, body: text } = await sendTo(server.port, path, { method, headers });
  return { status, headers: received, text };
};

it('says how to write a release before there is one', async () => {
  expect(await get('/data/')).toMatchObject({
    status: 404,
    headers: { 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) },
    text: expect.stringContaining('npm run release'),
  });
  expect(await get('/data')).toMatchObject({ status: 301, headers: { location: '/data/' } });
});

it('serves what is released while it runs: the page, the pointer and the files, to everyone', async () => {
  mkdirSync(join(releases, PART, '..'), { recursive: true });
  mkdirSync(join(releases, '.unfinished-2026-02-02'));
  for (const [path, text] of [
    [PART, 'PAR1 0123456789'],
    ['index.html', '<p>releases</p>'],
    ['latest.json', POINTER],
    ['.unfinished-2026-02-02/part-0.parquet', 'secret'],
    ['../outside.json', 'secret'],
  ] as const)
    writeFileSync(join(releases, path), text);
  expect(await get('/data/')).toMatchObject({ status: 200, text: '<p>releases</p>' });
  expect(await get('/data/latest.json')).toMatchObject({ status: 200, text: POINTER });
  const whole = await get(`/data/${PART}`);
  expect(whole).toMatchObject({
    status: 200,
    text: 'PAR1 0123456789',
    headers: {
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
      'content-length': '15',
    },
  });
  expect(await get(`/data/${PART.replaceAll('=', '%3D')}`, {}, 'HEAD')).toMatchObject({
    status: 200,
    text: '',
  });
  const etag = String(whole.headers.etag);
  for (const tag of [etag, '*', `W/${etag}`])
    expect(await get(`/data/${PART}`, { 'If-None-Match': tag })).toMatchObject({ status: 304, text: '' });
});

it.each([
  ['bytes=0-3', 206, 'PAR1', 'bytes 0-3/15'],
  ['bytes=5-', 206, '0123456789', 'bytes 5-14/15'],
  ['bytes=-4', 206, '6789', 'bytes 11-14/15'],
  ['bytes=10-99', 206, '56789', 'bytes 10-14/15'],
  ['bytes=15-', 416, '', 'bytes */15'],
  ['bytes=-0', 416, '', 'bytes */15'],
  ['bytes=0-', 206, 'PAR1 0123456789', 'bytes 0-14/15'],
  ['bytes=0-14', 206, 'PAR1 0123456789', 'bytes 0-14/15'],
  ['bytes=-99', 206, 'PAR1 0123456789', 'bytes 0-14/15'],
  ['bytes=5-3', 200, 'PAR1 0123456789', undefined],
  ['bytes=0-1,4-5', 200, 'PAR1 0123456789', undefined],
])('responds to the range %s with %i', async (Range, status, text, contentRange) => {
  const got = await get(`/data/${PART}`, { Range });
  expect([got.status, got.text, got.headers['content-range']]).toEqual([status, text, contentRange]);
});

it('gives the whole file where the reader has part of another', async () => {
  expect(await get(`/data/${PART}`, { Range: 'bytes=0-3', 'If-Range': '"other"' })).toMatchObject({
    status: 200,
  });
});

it.each([
  '/data/../outside.json',
  '/data/%2e%2e/outside.json',
  '/data/..%2foutside.json',
  '/data/.unfinished-2026-02-02/part-0.parquet',
  '/data/release=2026-02-01/',
  '/data/none.json',
])('is 404 for %s, with a hint about releases', async (path) => {
  const { status, text, headers } = await get(path);
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  expect(JSON.parse(text)).toEqual({
    code: 'not_found',
    message: 'The dataset has no such file.',
    request_id: headers['x-request-id'],
    hint: expect.stringContaining('/data/latest.json'),
  });
});

it('leads a path below /data/latest/ to the newest release, and no cache keeps that', async () => {
  const { status, headers } = await get('/data/latest/table=trend/year=2026/part-0.parquet');
  expect(status).toBe(302);
  expect(headers).toMatchObject({
    location: '/data/release=2026-02-01/table=trend/year=2026/part-0.parquet',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  expect((await get('/data/latest/../../v1/health.exe')).status).toBe(404);
});

it('leaves other paths to the gateway', async () => {
  expect((await get('/v1/health')).text).toBe('left to the gateway');
});

it('responds to the preflight of a page that reads ranges', async () => {
  const { status, headers } = await get(`/data/${PART}`, { Origin: 'https://other.example' }, 'OPTIONS');
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': '*',
  });
});

it.each(['', '{', '{}', 'null', '{"release":"2026-02-01"}'])('serves no pointer that is %j', async (text) => {
  mkdirSync(releases, { recursive: true });
  writeFileSync(join(releases, 'latest.json'), text);
  expect((await get('/data/latest/manifest.json')).status).toBe(404);
  expect(await get('/data/latest.json')).toMatchObject({
    status: 404,
    text: expect.stringContaining('not_found'),
  });
});

it('serves the release that a store began with until there is one of its own', async () => {
  const [before, own] = [join(folder, 'before'), join(folder, 'own')];
  for (const place of [before, own]) mkdirSync(place);
  writeFileSync(join(before, 'latest.json'), POINTER);
  writeFileSync(join(before, 'index.html'), 'before');
  const both = await listeningFront(datasetFront(own, before));
  const read = async (path: string) => (await sendTo(both.port, path, { method: 'GET', headers: {} })).body;
  expect([await read('/data/'), await read('/data/latest.json')]).toEqual(['before', POINTER]);
  writeFileSync(join(own, 'index.html'), 'own');
  writeFileSync(join(own, 'latest.json'), POINTER.replaceAll('2026-02-01', '2026-02-02'));
  expect([await read('/data/'), await read('/data/latest.json')]).toEqual([
    'own',
    expect.stringContaining('2026-02-02'),
  ]);
  await both.close();
});
