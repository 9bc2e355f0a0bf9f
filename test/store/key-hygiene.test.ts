/** Nothing that the service writes, sends or stores contains a key's secret. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createKeyStore, digestPrefix, keyDigest, mintKey, parseContext } from '../../core/access/keys.ts';
import { createLimiter, createTokenBuckets } from '../../core/access/limiter.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { createHandler, createTelemetry } from '../../core/http/chain.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import { claimDataDirectory } from '../../local/data-directory.ts';
import { type LocalService, startLocalService } from '../../local/local-service.ts';
import { openKeyStage, runKeyCommand } from '../../tools/keys/key-commands.ts';
import { gatewayEvent, INVOCATION } from '../builders/gateway-event.ts';
import { readableLog } from '../builders/readable-log.ts';

const METHOD_ARN = 'arn:aws:execute-api:r:a:api/dev/GET/v1/meta/sources';

let service: LocalService;
let tables: Record<'apiKeys' | 'rateLimits', Table>;
let directory: ReturnType<typeof claimDataDirectory>;
let dataDir: string;
/** Everything that went to the output. */
const logged: string[] = [];
const functionLog = readableLog();

beforeAll(async () => {
  service = await startLocalService({});
  tables = service.wiring.openTables(['apiKeys', 'rateLimits']);
  dataDir = mkdtempSync(join(tmpdir(), 'pcd-hygiene-'));
  directory = claimDataDirectory(dataDir);
  const { url, storeEndpoint: store } = service;
  directory.announce({ url, store, releases: dataDir, clockOffsetMs: 0 });
  const keep = (...parts: unknown[]): boolean => logged.push(parts.map(String).join(' ')) > 0;
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    jest.spyOn(console, method).mockImplementation(keep);
  jest.spyOn(process.stdout, 'write').mockImplementation(keep);
  jest.spyOn(process.stderr, 'write').mockImplementation(keep);
});
afterEach(() => {
  logged.length = 0;
});
afterAll(async () => {
  jest.restoreAllMocks();
  directory.release();
  await service.close();
  rmSync(dataDir, { recursive: true });
});

async function command(line: string): Promise<string> {
  const said: string[] = [];
  await runKeyCommand(line.split(' '), {
    openStage: openKeyStage,
    print: (text) => said.push(text),
    complain: (text) => said.push(text),
  }).catch((error: Error) => said.push(error.message));
  return said.join('\n');
}
const SECRETS = /pcd_(?:dev|live)_[A-Za-z0-9]{24,}/;
const secretsIn = (text: string): string[] => text.match(new RegExp(SECRETS, 'g')) ?? [];

/** One request as the gateway passes it on: authorizer first, then the function, the key in the headers all the while. */
async function request(
  secret: string,
  keys = createKeyStore(tables.apiKeys),
  buckets: Table = tables.rateLimits,
) {
  const headers = { 'X-API-Key': secret, 'User-Agent': secret };
  const multiValueHeaders = { 'X-API-Key': [secret], 'User-Agent': [secret] };
  const authorize = createAuthorizer({ keys, prefix: 'pcd_dev', now: Date.now });
  const grant = await authorize({ methodArn: METHOD_ARN, headers, multiValueHeaders });
  const telemetry = createTelemetry(functionLog.log);
  const limiter = createLimiter({
    buckets: createTokenBuckets(buckets),
    now: Date.now,
    onFailure: telemetry.limiterFailure,
  });
  const endpoint = async () => {
    if (buckets !== tables.rateLimits) throw new TypeError('a fault of ours');
    return [];
  };
  const handler = createHandler('sources', ROUTES.sources, endpoint, {
    limiter,
    telemetry,
    outages: [StoreFailure],
    corsOrigins: new Set(),
    now: Date.now,
    stopwatch: () => performance.now(),
  });
  const key = parseContext(grant.context);
  const resource = '/v1/meta/sources';
  const event = gatewayEvent({ resource, headers: multiValueHeaders, query: { key: secret }, key });
  return {
    grant,
    response: key === undefined ? undefined : await handler(event, INVOCATION),
  };
}

const failing = new Proxy({} as Table, {
  get: () => async () => {
    throw new StoreFailure('table failed: TimeoutError');
  },
});

describe('S5.08 secrets', () => {
  it('are printed once, when they are made, and by no later command', async () => {
    const created = await command(`create --plan starter --name acme --local --data-dir ${dataDir}`);
    const [secret = '', ...others] = secretsIn(created);
    expect([keyDigest(secret).length, others]).toEqual([64, []]);
    const id = /^id +(\S+)/m.exec(created)?.[1];
    const rotated = await command(`rotate ${id} --local --data-dir ${dataDir}`);
    expect(secretsIn(rotated)).toHaveLength(1);
    const later = ['list', `disable ${id}`, `enable ${id}`, `move ${id} --plan gold`, `disable ${secret}`];
    for (const line of later)
      expect(await command(`${line} --local --data-dir ${dataDir}`)).not.toMatch(SECRETS);
  });

  it('are in no log line, metric, response, table or file, whatever becomes of the request', async () => {
    const created = await command(`create --plan starter --name hygiene --local --data-dir ${dataDir}`);
    const [good = ''] = secretsIn(created);
    const id = /^id +(\S+)/m.exec(created)?.[1];
    const unknown = mintKey('dev', randomBytes);
    const written: unknown[] = [];

    written.push(await request(good));
    written.push(await request(good, undefined, failing));
    written.push(await request(unknown));
    written.push(await request(good, createKeyStore(failing)).catch((error: unknown) => [`${error}`, error]));
    await command(`disable ${id} --local --data-dir ${dataDir}`);
    written.push(await request(good));

    const log = [...logged, functionLog.text()].join('\n');
    // The capture works: the request line, the limiter's failure, its metric and the 500 are all there.
    expect(log).toContain(digestPrefix(keyDigest(good)));
    expect(log).toContain('the limiter decided without its table');
    expect(log).toContain('LimiterFailures');
    expect(log).toContain('a fault of ours');
    const rows = [await tables.apiKeys.scan(), await tables.rateLimits.scan()];
    expect(JSON.stringify(rows)).toContain(keyDigest(good));

    for (const text of [log, JSON.stringify(written), JSON.stringify(rows)]) {
      expect(text).not.toContain(good);
      expect(text).not.toContain(unknown);
      expect(text).not.toMatch(SECRETS);
    }
    // A log names a key by the first digits of its digest, not by all of it.
    expect(log).not.toContain(keyDigest(good));
  });
});
