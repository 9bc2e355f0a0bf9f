/** The static side of the local service on a folder of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_ADDRESS, NO_KEY } from '../../../core/contracts/wire.ts';
import { portalFront } from '../../../local/portal.ts';
import { settingsBlock, withSettings } from '../../../portal/settings-block.ts';
import { type listening, listeningFront, sendTo } from '../../builders/loopback.ts';

let folder = '';
let server: Awaited<ReturnType<typeof listening>>;
const LONG = 'run();'.repeat(1000);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'static-'));
  const portal = join(folder, 'portal');
  mkdirSync(join(portal, 'docs'), { recursive: true });
  mkdirSync(join(portal, 'assets'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(portal, 'index.html'), '<p>home</p>');
  writeFileSync(join(portal, 'settings.html'), `<head>${settingsBlock({})}</head>`);
  writeFileSync(join(portal, '404.html'), '<p>no such page</p>');
  writeFileSync(join(portal, 'docs', 'index.html'), '<p>docs</p>');
  writeFileSync(join(portal, 'assets', 'main-1a2b.js'), 'run()');
  writeFileSync(join(portal, 'assets', 'long-3c4d.js'), LONG);
  writeFileSync(join(portal, 'postman.json'), JSON.stringify({ baseUrl: LOCAL_ADDRESS, apiKey: NO_KEY }));
  const serve = portalFront(Promise.resolve(portal), {
    demoKey: 'public',
    recordedUntil: '2025-10-04T14:20:27Z',
  });
  server = await listeningFront(serve);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string, method = 'GET', headers = {}) => {
  const { body: text, ...reply } = await sendTo(server.port, path, { method, headers });
  return { ...reply, text };
};

describe('the portal of the local service', () => {
  it('serves files, and the index of a folder at the folder', async () => {
    expect((await get('/')).text).toBe('<p>home</p>');
    expect((await get('/?port=USLAX')).text).toBe('<p>home</p>');
    expect((await get('/docs/')).text).toBe('<p>docs</p>');
    expect((await get('/docs/index.html')).text).toBe('<p>docs</p>');
  });

  it('sends a folder without its slash on to it', async () => {
    const moved = await get('/docs?from=a-link');
    expect([moved.status, moved.headers.location, moved.text]).toEqual([301, '/docs/', '']);
    expect((await get('/assets')).status).toBe(404);
  });

  it('fills in the public key, and that the data are recorded', async () => {
    const settings = { demoKey: 'public', recordedUntil: '2025-10-04T14:20:27Z' };
    expect((await get('/settings.html')).text).toBe(`<head>${settingsBlock(settings)}</head>`);
  });

  it('states the address that it was asked by, and the public key, in the description of the API', async () => {
    const described = async (host: string) =>
      JSON.parse((await get('/postman.json', 'GET', { Host: host })).text);
    const apiKey = 'public';
    expect(await described('localhost:3201')).toEqual({ baseUrl: 'http://localhost:3201', apiKey });
    expect(await described('a"b')).toEqual({ baseUrl: `http://127.0.0.1:${server.port}`, apiKey });
  });

  it('keeps a page whole whatever a setting holds', () => {
    const page = withSettings(`a${settingsBlock({})}b`, { demoKey: '</script><script>$&' });
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(withSettings(page, {})).toBe(`a${settingsBlock({})}b`);
  });

  it('responds to HEAD without a body, and with 304 to a known tag', async () => {
    const head = await get('/assets/main-1a2b.js', 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '5']);
    expect(head.headers['cache-control']).toContain('immutable');
    const etag = String(head.headers.etag);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await get('/assets/main-1a2b.js', 'GET', { 'If-None-Match': tag })).status).toBe(304);
    expect((await get('/assets/main-1a2b.js', 'GET', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('compresses for a reader that takes gzip, under a tag of its own', async () => {
    const headers = { 'Accept-Encoding': 'gzip, deflate, br' };
    const plain = await get('/assets/long-3c4d.js');
    const coded = await get('/assets/long-3c4d.js', 'GET', headers);
    expect((await get('/', 'GET', headers)).text).toBe('<p>home</p>');
    expect(plain).toMatchObject({ text: LONG, headers: { vary: 'Accept-Encoding' } });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect([coded.headers['content-encoding'], `${gunzipSync(coded.bytes)}`]).toEqual(['gzip', LONG]);
    expect(coded.headers['content-length']).toBe(String(coded.bytes.length));
    const etag = String(coded.headers.etag);
    expect(etag).not.toBe(plain.headers.etag);
    const again = { ...headers, 'If-None-Match': etag };
    expect((await get('/assets/long-3c4d.js', 'GET', again)).status).toBe(304);
    expect((await get('/assets/long-3c4d.js', 'GET', { 'If-None-Match': etag })).status).toBe(200);
  });

  it.each([
    '/../secret.txt',
    '/docs/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/docs/..%5c..%5csecret.txt',
    '//secret.txt',
    '/assets/',
    '/docs2',
    '/v1/health',
    '/health',
    '/%zz',
  ])('leaves %s to the gateway', async (path) => {
    const { status, text } = await get(path);
    expect([status, text]).toEqual([404, 'left to the gateway']);
  });

  it.each(['/v1/nothing', '/v2/health'])('leaves %s to the gateway for a browser too', async (path) => {
    expect((await get(path, 'GET', { Accept: 'text/html' })).text).toBe('left to the gateway');
    expect((await get('/vessels', 'GET', { Accept: 'text/html' })).text).toBe('<p>no such page</p>');
  });

  it('leaves every method but GET and HEAD to the gateway', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await get('/', method)).status).toBe(404);
  });
});
