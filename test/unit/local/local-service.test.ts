/** The service as a whole: what is wired to what, what outlives a restart, and that two of them do not meet. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { keyDigest } from '../../../core/access/keys.ts';
import { PLANS } from '../../../core/contracts/plans.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  openLocalService,
  startLocalService,
} from '../../../local/local-service.ts';
import { listening } from '../../builders/loopback.ts';
import { batchAt, scriptedSource } from '../../builders/scripted-source.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'service-'));

const started: { close(): Promise<void> }[] = [];
const start = async (options: LocalServiceOptions = {}): Promise<LocalService> => {
  const service = await startLocalService(options);
  started.push(service);
  return service;
};
afterEach(async () => {
  for (const service of started.splice(0)) await service.close();
});

const ask = async ({ url }: { readonly url: string }, key: string, path = '/v1/meta/sources') => {
  const { status, headers } = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } });
  return { status, headers };
};
const health = async ({ url }: { readonly url: string }) =>
  (await (await fetch(`${url}/v1/health`)).json()) as { time: string; region: string };

describe('the service', () => {
  it('responds to each demo key with its case', async () => {
    const service = await start();
    const statuses: Record<string, number> = {};
    for (const [name, key] of Object.entries(service.keys)) statuses[name] = (await ask(service, key)).status;
    expect(statuses).toEqual({
      ...{ demo: 200, lite: 200, starter: 200, pro: 200, bench: 200 },
      ...{ disabled: 403, unplanned: 403 },
    });
  });

  it('opens its port when asked to, and not before', async () => {
    const { port, close } = await listening(createServer());
    await close();
    const service = await openLocalService({ port });
    started.push(service);
    await expect(fetch(`http://127.0.0.1:${port}/v1/health`)).rejects.toThrow('fetch failed');
    expect(await service.listen()).toBe(`http://127.0.0.1:${port}`);
    expect(await health({ url: `http://127.0.0.1:${port}` })).toMatchObject({ region: 'local' });
  });

  it('ingests, and schedules what it ingests', async () => {
    const source = scriptedSource();
    const nowAt = Math.floor(Date.now() / 60_000) * 60_000;
    source.turns.push({ asOfAt: nowAt, observations: [batchAt(nowAt)] });
    const service = await start({ ingest: { sources: ['scripted'], load: () => [source] } });
    expect(await service.ingest?.({ source: 'scripted' })).toMatchObject({ state: 'ok', fetches: 1 });
    expect((await ask(service, service.keys.demo, '/v1/ports/HKHKG/snapshot')).status).toBe(200);
    expect(service.schedules).toEqual([
      { source: 'scripted', periodMs: 300_000, event: { source: 'scripted' } },
    ]);
    await expect(service.ingest?.({ source: 'elsewhere' })).rejects.toThrow('there is no source elsewhere');
  });

  it('of two in one process each has its own clock, store, keys, variables and log', async () => {
    const [one, other] = [folder(), folder()];
    const first = await start({
      dataDirectory: one,
      clock: () => Date.UTC(2026, 5, 1),
      clockOffsetMs: 3_600_000,
    });
    const second = await start({ dataDirectory: other, clock: () => Date.UTC(2031, 0, 1) });
    expect((await health(first)).time).toBe('2026-06-01T01:00:00Z');
    expect((await health(second)).time).toBe('2031-01-01T00:00:00Z');
    const row = await first.keyStore.find(keyDigest(first.keys.demo));
    if (row !== undefined) await first.keyStore.change([{ ...row, enabled: false }], []);
    expect((await ask(first, first.keys.demo)).status).toBe(403);
    expect((await ask(second, second.keys.demo)).status).toBe(200);
    await first.close();
    await second.close();
    const logOf = (directory: string): string => readFileSync(join(directory, 'functions.log'), 'utf8');
    expect(logOf(one)).toContain('"timestamp":"2026-06-01T00:00:00.000Z"');
    expect(logOf(one)).not.toContain('2031');
    expect(logOf(other)).not.toContain('2026');
  });

  it('stops a start that is under way, and leaves nothing open', async () => {
    const dataDirectory = folder();
    const stopping = new AbortController();
    const starting = start({ dataDirectory, signal: stopping.signal });
    stopping.abort(new Error('stopped'));
    await expect(starting).rejects.toThrow('stopped');
    expect((await ask(await start({ dataDirectory }), '', '/v1/health')).status).toBe(200);
  });

  it('leaves nothing open when its port is taken', async () => {
    const dataDirectory = folder();
    const { port, close } = await listening(createServer());
    await expect(start({ dataDirectory, port })).rejects.toThrow(`port ${port} is in use`);
    await close();
    expect((await ask(await start({ dataDirectory, port }), '', '/v1/health')).status).toBe(200);
  });

  it('ends a response that is still being made at once when it gives no grace', async () => {
    let asked = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const health = () => {
      asked();
      return new Promise<never>(() => undefined);
    };
    const service = await start({ graceMs: 0, handlers: { health } });
    const broken = expect(fetch(`${service.url}/v1/health`)).rejects.toThrow('fetch failed');
    await arrived;
    await service.close();
    await broken;
  });

  it('counts the month on after a restart, and keeps edited keys', async () => {
    const dataDirectory = folder();
    const before = await start({ dataDirectory });
    const { keys, keyStore, usage } = before;
    const [lite, demo] = [
      await keyStore.find(keyDigest(keys.lite)),
      await keyStore.find(keyDigest(keys.demo)),
    ];
    if (lite === undefined || demo === undefined) throw new Error('the demo keys are missing');
    usage.setUsed(lite, Date.now(), PLANS.lite.monthlyQuota - 1);
    await keyStore.change([{ ...demo, enabled: false }], []);
    await before.close();

    const after = await start({ dataDirectory });
    expect([(await ask(after, keys.lite)).status, (await ask(after, keys.lite)).status]).toEqual([200, 429]);
    expect((await ask(after, keys.demo)).status).toBe(403);
    await after.close();
    const files = ['usage.json', 'functions.log'].map((name) => join(dataDirectory, name));
    for (const file of files.filter(existsSync))
      for (const key of Object.values(keys)) expect(readFileSync(file, 'utf8')).not.toContain(key);
  });
});
