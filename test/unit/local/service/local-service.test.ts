/** The service as a whole, over a small assembly: what is wired to what, and what outlives a restart. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { keyDigest } from '../../../../core/keys/key.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../../../local/service/local-service.ts';
import { apiResources, lambdaFunction, schedule, writeAssembly } from '../../../builders/assembly.ts';
import { listening } from '../../../builders/loopback.ts';

/** Lets every key in whose digest the gateway has. */
const GATE = `
const { createHash } = require('node:crypto');
exports.handler = async (event) => ({
  principalId: 'p', usageIdentifierKey: createHash('sha256').update(event.headers['X-API-Key']).digest('hex'),
  policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' }] },
});`;
/** Counts its turns in a file beside the archive, and says what it was called with. */
const PUMP = `
const { appendFileSync } = require('node:fs');
const { fileURLToPath } = require('node:url');
exports.handler = async (event) => {
  appendFileSync(fileURLToPath(process.env.RAW_ARCHIVE) + '.turns', JSON.stringify(event) + '\\n');
  return { state: 'ok', event, environment: process.env };
};`;
async function freePort(): Promise<number> {
  const { port, close } = await listening(createServer());
  await close();
  return port;
}
function assembly(keeper = PUMP): string {
  const api = {
    ...apiResources(),
    Keeper: lambdaFunction('Keeper'),
    KeeperSchedule: schedule('Keeper', 'rate(5 minutes)', { reason: 'schedule' }),
  };
  return writeAssembly({ api, sources: { Gate: GATE, Pump: PUMP, Keeper: keeper } });
}

let service: LocalService | undefined;
const start = async (options: Partial<LocalServiceOptions> = {}): Promise<LocalService> => {
  service = await startLocalService({ assembly: assembly(), ...options });
  return service;
};
afterEach(() => service?.close());

const ask = async (key: string, path = '/v1/things/a') => {
  const reply = await fetch(`${service?.url}${path}`, { headers: { 'X-API-Key': key } });
  return { status: reply.status, body: JSON.parse(await reply.text()) };
};

describe('the service', () => {
  it('responds to each demo key with its case', async () => {
    const { keys } = await start();
    const statuses = await Promise.all(Object.values(keys).map(async (key) => (await ask(key)).status));
    expect(Object.fromEntries(Object.keys(keys).map((name, index) => [name, statuses[index]]))).toEqual({
      demo: 200,
      lite: 200,
      starter: 200,
      pro: 200,
      disabled: 403,
      unplanned: 403,
      bench: 200,
    });
  });

  it('opens its port when its keys are in the key table, and not before', async () => {
    const asker = `
const { appendFileSync } = require('node:fs');
const { fileURLToPath } = require('node:url');
const { connect } = require('node:net');
exports.handler = async () => {
  const open = await new Promise((resolve) => {
    const socket = connect(Number(process.env.ASKED_PORT), '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
  appendFileSync(fileURLToPath(process.env.RAW_ARCHIVE) + '.turns', JSON.stringify({ open }));
};`;
    const port = await freePort();
    const dataDirectory = mkdtempSync(join(tmpdir(), 'service-'));
    const environment = { ASKED_PORT: String(port) };
    await start({ assembly: assembly(asker), port, dataDirectory, environment });
    expect(readFileSync(join(dataDirectory, 'archive.turns'), 'utf8')).toBe('{"open":false}');
    expect((await ask('', '/v1/health')).status).toBe(200);
  });

  it('gives functions the store, the control plane, the clock and the archive of this start', async () => {
    const { keys, storeEndpoint, controlPlaneEndpoint } = await start({
      clockOffsetMs: -1234.4,
      environment: { EXTRA: 'x' },
    });
    expect((await ask(keys.demo)).body.environment).toMatchObject({
      AWS_REGION: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: storeEndpoint,
      AWS_ENDPOINT_URL_API_GATEWAY: controlPlaneEndpoint,
      CLOCK_OFFSET_MS: '-1234',
      PORTS_TABLE: 'test-data-Ports',
      EXTRA: 'x',
    });
  });

  it('runs housekeeping at the start, ingest on request', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'service-'));
    const { ingest } = await start({ dataDirectory, ingest: { sources: ['harbour'] } });
    const turns = join(dataDirectory, 'archive.turns');
    expect(readFileSync(turns, 'utf8')).toBe('{"reason":"schedule"}\n');
    expect(await ingest?.({ source: 'harbour' })).toMatchObject({
      state: 'ok',
      event: { source: 'harbour' },
    });
    const period = 600_000;
    const [soon, later] = [Date.now(), Date.now() + 3 * period].map(
      (at) => (service?.nextPassAt('harbour', at) ?? 0) - at,
    );
    for (const waitMs of [soon, later]) {
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThanOrEqual(period);
    }
    expect(service?.nextPassAt('elsewhere', 0)).toBeUndefined();
  });

  it('ingests with another bundle where one takes the place of the deployed', async () => {
    const bundle = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'index.cjs');
    writeFileSync(bundle, 'exports.handler = async () => process.env.PORTS_TABLE + " elsewhere";');
    const { ingest } = await start({ ingest: { sources: ['sample'], bundle } });
    expect(await ingest?.({ source: 'sample' })).toBe('test-data-Ports elsewhere');
  });

  it('gives more variables to the ingest function, and to no other', async () => {
    const { ingest, keys } = await start({
      ingest: { sources: ['harbour'], environment: { UPSTREAM_KEY: 'given' } },
    });
    expect(await ingest?.({})).toMatchObject({ environment: { UPSTREAM_KEY: 'given' } });
    expect((await ask(keys.demo)).body.environment).not.toHaveProperty('UPSTREAM_KEY');
  });

  it('stops a start that is under way, and leaves nothing open', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'service-'));
    const stopping = new AbortController();
    const starting = start({ dataDirectory, signal: stopping.signal });
    stopping.abort(new Error('stopped'));
    await expect(starting).rejects.toThrow('stopped');
    await start({ dataDirectory });
    expect((await ask('', '/v1/health')).status).toBe(200);
  });

  it('counts the month on after a restart, and keeps edited keys', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'service-'));
    const { keys } = await start({ dataDirectory });
    for (let turn = 0; turn < 2; turn += 1) expect((await ask(keys.lite)).status).toBe(200);
    const demo = service?.controlPlane.findKey(keyDigest(keys.demo));
    service?.controlPlane.updateKey(demo?.id ?? '', { enabled: false });
    await service?.close();

    await start({ dataDirectory });
    expect([(await ask(keys.lite)).status, (await ask(keys.lite)).status]).toEqual([200, 429]);
    expect((await ask(keys.demo)).status).toBe(403);
    const files = ['control-plane.json', 'usage.json', 'functions.log'].map((name) =>
      join(dataDirectory, name),
    );
    for (const file of files.filter(existsSync))
      for (const key of Object.values(keys)) expect(readFileSync(file, 'utf8')).not.toContain(key);
  });

  it('leaves nothing open when it cannot start', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'service-'));
    const broken = writeAssembly({ sources: { Gate: 'throw new Error("no key table");' } });
    const failed = startLocalService({ assembly: broken, dataDirectory });
    await expect(failed).rejects.toThrow('no key table');
    await start({ dataDirectory });
    expect((await ask('', '/v1/health')).status).toBe(200);
  });

  it('refuses a template without an ingest, when there is something to ingest', async () => {
    const { PumpSchedule: _, ...api } = apiResources();
    const bare = writeAssembly({ api });
    await expect(startLocalService({ assembly: bare, ingest: { sources: ['harbour'] } })).rejects.toThrow(
      'no schedule whose input names a source',
    );
  });
});
