/** Every status that the contract documents is seen, on every endpoint, and the response satisfies the contract there. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATION_IDS, type OperationId } from '../../core/contracts/routes.ts';
import type { GatewayHandler } from '../../core/http/chain.ts';
import { putPort } from '../builders/series-values.ts';
import { type Fault, withBrokenFunction } from './broken-function.ts';
import { forgetStatuses, unseenStatuses } from './contract-validator.ts';
import { type PreparedService, startPreparedService } from './prepared-service.ts';
import { ALL_PATHS, get, HS, isDeployed, KEYED_PATHS } from './service.ts';
import { expectError } from './statements.ts';

const local = isDeployed ? describe.skip : describe;
const deployed = isDeployed ? describe : describe.skip;

const FAULTS = ['format=xml', 'format=%Z', 'window=7d&days=7'];
const AT = Date.UTC(2026, 5, 1);
const INTERNALS = /dynamo|table|ECONN|\.ts|\.cjs|node_modules| {4}at /i;

local('the statuses of the contract', () => {
  // The test of a lost store closes it: only tests that need no service come after that one.
  let prepared: PreparedService;
  beforeAll(async () => {
    forgetStatuses();
    prepared = await startPreparedService({ at: AT });
    await prepared.cover('USLAX');
    const row = await prepared.stores.ports.get('USLAX');
    const nothing = {
      congestionScore: 0,
      avgWaitHours: 0,
      inPort: 0,
      atAnchor: 0,
      arrivals24h: 0,
      departures24h: 0,
    };
    if (row !== undefined)
      await putPort(prepared.tables.ports, { ...row, snapshot: { asOfAt: AT, ...nothing } });
  });
  afterAll(() => prepared?.close());

  /** A key on Pro whose bucket has a single token; the clock stands still. */
  async function keyWithoutTokens(): Promise<string> {
    const key = await prepared.newKey('pro', { limits: { ratePerSecond: 1, burst: 1 } });
    await prepared.get('/v1/meta/sources', { key });
    return key;
  }

  it('that a whole service gives are seen', async () => {
    const { keys } = prepared.service;
    const [good, empty] = [await prepared.newKey('starter'), await keyWithoutTokens()];
    for (const path of ALL_PATHS) {
      const { headers } = await prepared.get(path, { key: good });
      await prepared.get(path, { headers: { 'If-None-Match': headers.etag ?? '*' } });
      for (const key of [undefined, 'malformed', keys.disabled, keys.lite, empty])
        await prepared.get(path, { key });
      for (const port of ['%ZZ', 'uslax', 'ZZZZZ']) await prepared.get(path.replace('USLAX', port));
      for (const code of ['%Z', '8', '77']) await prepared.get(path.replace('85', code));
    }
    for (const path of ALL_PATHS)
      for (const fault of FAULTS) await prepared.get(`${path.split('?')[0]}?${fault}`);
  });

  it('500: a row that cannot be read', async () => {
    await prepared.cover('SGSIN');
    const row = await prepared.stores.ports.get('SGSIN');
    if (row !== undefined) await prepared.tables.ports.put({ ...row, snapshot: {} });
    expectError(await prepared.get('/v1/ports/SGSIN/snapshot'), 500, 'internal_error');
    // The list is read again once a source has been.
    await prepared.tables.sourceStatus.put({ source: 'hk-marine-department', checkpointAt: 1 });
    expectError(await prepared.get('/v1/ports'), 500, 'internal_error');
    await prepared.cover('USLAX');
  });

  const broke: GatewayHandler = async () => {
    throw new Error('the function broke');
  };
  const stall: GatewayHandler = () => new Promise(() => undefined);
  it.each([
    [502, broke, 29_000],
    [504, stall, 200],
  ])('%i: a function that breaks or stalls', async (status, handler, integrationMs) => {
    const handlers = Object.fromEntries(
      OPERATION_IDS.map((id): [OperationId, GatewayHandler] => [id, handler]),
    );
    const broken = await startPreparedService({ handlers, integrationMs });
    try {
      const replies = await Promise.all(ALL_PATHS.map((path) => broken.get(path)));
      for (const reply of replies) expectError(reply, status, 'upstream_error');
    } finally {
      await broken.close();
    }
  });

  it('[S7.02] [S7.10] [S7.12] [S5.15] 5xx reveal no internals, carry Retry-After, and admit no request', async () => {
    const without = await startPreparedService({ storeEndpoint: prepared.service.storeEndpoint });
    try {
      const key = await without.newKey('starter');
      expect((await without.get('/v1/meta/sources', { key })).status).toBe(200);
      await prepared.close();
      const paths = KEYED_PATHS.flatMap((path) => [
        path,
        `${path}${path.includes('?') ? '&' : '?'}format=csv`,
      ]);
      for (const reply of await Promise.all(paths.map((path) => without.get(path, { key })))) {
        expectError(reply, 503, 'upstream_error');
        expect(reply.text).not.toMatch(INTERNALS);
      }
      const unknown = await without.get('/v1/meta/sources', { key: `pcd_dev_${'z'.repeat(30)}` });
      expectError(unknown, 503, 'upstream_error');
      expect(unknown.headers['retry-after']).toBe('5');
    } finally {
      await without.close();
    }
  });

  it('are all seen, but for 500s of endpoints whose rows cannot be spoiled', () => {
    expect(unseenStatuses().filter((entry) => !entry.endsWith(' 500'))).toEqual([]);
  });
});

deployed('the statuses of a deployed stage', () => {
  /** Blocks the process before its function is loaded, for longer than the gateway waits. */
  const STALL = 'data:text/javascript,Atomics.wait(new%20Int32Array(new%20SharedArrayBuffer(4)),0,0,35e3)';
  const faults: readonly [number, string, Fault][] = [
    [502, 'fails', { handler: 'index.missing' }],
    // A port at which nothing listens.
    [503, 'does not reach its tables', { variables: { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' } }],
    [504, 'stalls', { timeoutSeconds: 60, variables: { NODE_OPTIONS: `--import=${STALL}` } }],
  ];
  it.each(faults)('[S7.02] [S7.10] %i: the function %s', async (status, _, fault) => {
    const path = `/v1/hs/${HS}/imports`;
    const { status: before } = await get(path);
    await withBrokenFunction(fault, async () => {
      const reply = await get(path);
      expectError(reply, status, 'upstream_error');
      expect(reply.text).not.toMatch(INTERNALS);
    });
    expect((await get(path)).status).toBe(before);
  });
});
