/** The built functions load under exactly the environment that the stacks give them. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { KEY_PREFIXES } from '../../core/access/keys.ts';
import type { Route } from '../../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES } from '../../core/contracts/routes.ts';
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { folderOf } from '../../lambdas/endpoints/endpoint.ts';
import {
  authorizerEvent,
  authorizerFault,
  endpointEvent,
  endpointFault,
  unknownKey,
} from '../../lambdas/version-check/questions.ts';
import { HANDLERS_DIR } from '../../lib/application.ts';
import { startEmbeddedStore } from '../../local/embedded-store.ts';
import { createTables, tableName } from '../../local/tables.ts';
import { withSourcePlaces } from '../../tools/source-places.ts';
import { functionOf, sharedStacks, variablesOf } from '../builders/stacks.ts';

const TABLE_VARIABLES: readonly string[] = Object.values(TABLES).map(({ variable }) => variable);
const READ_HANDLER_BYTES = 450 * 1024;

const { resources } = sharedStacks('dev');
/** Values of references that a function reads while it loads. */
const REFERENCES: Readonly<Record<string, string>> = {
  DATASET_ADDRESS: 'https://data.example/',
  VERSIONS: '{"authorizer":"new-version"}',
};
/** Variables of a function; other references by a name of their own. */
const environmentOf = (id: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variablesOf(functionOf(resources, `${id}Function`))).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (REFERENCES[name] ?? `deployed-${name}`),
    ]),
  );
const tablesOf = (id: string): string[] =>
  Object.keys(environmentOf(id)).filter((name) => TABLE_VARIABLES.includes(name));

const FUNCTIONS = [
  ...OPERATION_IDS.map((operation) => ({
    handler: folderOf(operation),
    id: operation.charAt(0).toUpperCase() + operation.slice(1),
  })),
  { handler: 'authorizer', id: 'Authorizer' },
  { handler: 'key-sync', id: 'KeyReconciliationKeySync' },
  { handler: 'ingest', id: 'Ingest' },
  { handler: 'release', id: 'DatasetRelease' },
  { handler: 'status', id: 'Status' },
  { handler: 'version-check', id: 'VersionsCheck' },
  { handler: 'watch', id: 'SourcesWatch' },
];

/** Folders of the built functions. */
const builtHandlers = (): string[] =>
  readdirSync(HANDLERS_DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Last line of the output of a script in a process of its own, which loads nothing of this one's. */
async function run(script: string, ...given: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, ...given]);
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** Compiles each handler, and runs it once under each environment; the first line of the error, or `loaded`. */
const PROBE = `
const { compileFunction } = require('node:vm');
const { readFileSync } = require('node:fs');
const outcomes = JSON.parse(process.argv[1]).map(([file, environments]) => {
  const load = compileFunction(readFileSync(file, 'utf8'), ['exports', 'require', 'module']);
  return environments.map((variables) => {
    process.env = { ...variables, AWS_REGION: 'eu-west-1' };
    const module = { exports: {} };
    try { load(module.exports, require, module); }
    catch (error) { return String(error.message).split('\\n')[0]; }
    return typeof module.exports.handler === 'function' ? 'loaded' : 'no handler';
  });
});
console.log(JSON.stringify(outcomes));`;

/** The outcome of loading each handler: with its whole environment first, then without each of its tables in turn. */
const outcomes = new Map<string, readonly string[]>();

beforeAll(async () => {
  const probes = FUNCTIONS.map(({ handler, id }) => [
    join(HANDLERS_DIR, handler, 'index.cjs'),
    [environmentOf(id), ...tablesOf(id).map((table) => ({ ...environmentOf(id), [table]: undefined }))],
  ]);
  const found = JSON.parse(await run(PROBE, JSON.stringify(probes)));
  for (const [index, { handler }] of FUNCTIONS.entries()) outcomes.set(handler, found[index]);
});

describe.each(FUNCTIONS)('$handler', ({ handler, id }) => {
  it('loads with what it is given, and not without any one of its tables', () => {
    const [complete, ...lacking] = outcomes.get(handler) ?? [];
    expect(complete).toBe('loaded');
    // A table whose name is not missed is a right that is not needed.
    for (const [index, table] of tablesOf(id).entries()) expect(lacking[index]).toContain(table);
  });
});

it.each(OPERATION_IDS.map(folderOf))('%s is small enough to start fast', (handler) => {
  expect(statSync(join(HANDLERS_DIR, handler, 'index.cjs')).size).toBeLessThanOrEqual(READ_HANDLER_BYTES);
});

/** Loads each handler under its variables, and calls it with its event; what it returns, or the error that it throws. */
const CALLS = `
(async () => {
  const outcomes = [];
  for (const [file, variables, event] of JSON.parse(process.argv[1])) {
    process.env = variables;
    try {
      const context = { getRemainingTimeInMillis: () => 60_000 };
      outcomes.push({ result: await require(file).handler(event, context) });
    } catch (error) { outcomes.push({ error: String(error.message) }); }
  }
  console.log(JSON.stringify(outcomes));
})();`;

interface AwsRequest {
  readonly method: string;
  readonly url: string;
  readonly target: string;
  readonly body: string;
}

/** The services that the functions call, but for DynamoDB: each with what an account without anything in it returns. */
const AWS: Readonly<Record<string, (request: AwsRequest) => [status: number, body: string]>> = {
  s3: ({ method, url }) => {
    if (method === 'PUT') return [200, ''];
    if (url.includes('list-type=2')) return [200, '<ListBucketResult></ListBucketResult>'];
    return [404, '<Error><Code>NoSuchKey</Code></Error>'];
  },
  apigateway: () => [200, '{"item":[]}'],
  codedeploy: ({ target }) => [
    200,
    target.endsWith('GetDeployment') ? '{"deploymentInfo":{"deploymentGroupName":"authorizer"}}' : '{}',
  ],
  lambda: () => [
    200,
    '{"principalId":"none","policyDocument":{"Version":"2012-10-17","Statement":[{"Effect":"Deny"}]}}',
  ],
};

/** Serves `AWS` by the service that a request is signed for. */
async function startAws() {
  const asked: (AwsRequest & { readonly service: string })[] = [];
  const server = createServer(async (message, response) => {
    const { method = '', url = '', headers } = message;
    const service = /\/([a-z0-9]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1] ?? '';
    const request = { method, url, target: String(headers['x-amz-target'] ?? ''), body: await text(message) };
    asked.push({ ...request, service });
    const [status, body] = AWS[service]?.(request) ?? [501, ''];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

describe('called over empty tables', () => {
  const NOW = Date.now();
  const questions = OPERATION_IDS.map((operation) => {
    const route: Route = ROUTES[operation];
    return { handler: folderOf(operation), question: { route }, event: endpointEvent({ route }, NOW) };
  });
  const OTHER_EVENTS: Readonly<Record<string, object>> = {
    authorizer: authorizerEvent(unknownKey(KEY_PREFIXES.dev)),
    ingest: { source: 'hk-marine-department', ask: false },
    'key-sync': {},
    release: {},
    status: {},
    'version-check': { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' },
    watch: {},
  };
  const results = new Map<string, unknown>();
  let aws: Awaited<ReturnType<typeof startAws>>;

  beforeAll(async () => {
    const store = await startEmbeddedStore({ directory: undefined });
    aws = await startAws();
    await createTables(store.endpoint);
    const names = Object.fromEntries(
      (Object.keys(TABLES) as TableId[]).map((id) => [TABLES[id].variable, tableName(id)]),
    );
    const variablesFor = (id: string) => ({
      ...environmentOf(id),
      ...Object.fromEntries(tablesOf(id).map((variable) => [variable, names[variable]])),
      AWS_REGION: 'ap-southeast-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL: aws.url,
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    });
    const calls = FUNCTIONS.map(({ handler, id }) => {
      const event =
        questions.find((question) => question.handler === handler)?.event ?? OTHER_EVENTS[handler];
      return [join(HANDLERS_DIR, handler, 'index.cjs'), variablesFor(id), event];
    });
    const outcomes = JSON.parse(await run(CALLS, JSON.stringify(calls)));
    for (const [index, { handler }] of FUNCTIONS.entries()) results.set(handler, outcomes[index]);
    aws.close();
    await store.close();
  });

  it('has a row for every bundle', () => {
    expect(FUNCTIONS.map(({ handler }) => handler).sort()).toEqual(builtHandlers());
  });

  it.each(questions)('$handler answers as the contract says', ({ handler, question, event }) => {
    const { result, error } = results.get(handler) as { result?: unknown; error?: string };
    expect(error).toBeUndefined();
    expect(endpointFault(question, event.requestContext.requestId, result)).toBeUndefined();
  });

  it("[S2.05] health says the deployment's region", () => {
    const { result } = results.get('health') as { result: { body: string } };
    expect(JSON.parse(result.body)).toMatchObject({ status: 'ok', region: 'ap-southeast-1' });
  });

  it('the authorizer denies an unknown key', () => {
    const { result } = results.get('authorizer') as { result?: unknown };
    expect(authorizerFault('Deny', result)).toBeUndefined();
  });

  it.each([
    ['ingest', { result: { source: 'hk-marine-department', state: 'ok', fetches: 0 } }],
    ['key-sync', { result: { written: 0, removed: 0, unchanged: 0, ignored: 0, held: 0 } }],
    ['release', { error: 'there is nothing to release: no port has figures yet' }],
    ['status', { result: { sources: 0, behind: [] } }],
    ['version-check', { result: { group: 'authorizer' } }],
    ['watch', { result: { 'hk-marine-department': expect.any(Number) } }],
  ])('%s returns its result', (handler, expected) => {
    expect(results.get(handler)).toMatchObject(expected);
  });

  it('the status is written, and the version reported, to the services of AWS', () => {
    const bodies = (service: string, to: string) =>
      aws.asked
        .filter((request) => request.service === service && `${request.url} ${request.target}`.includes(to))
        .map(({ body }) => body);
    expect(bodies('s3', '/data/status.json')).toEqual([expect.stringContaining('"sources":[]')]);
    expect(bodies('codedeploy', 'PutLifecycleEventHookExecutionStatus')).toEqual([
      expect.stringContaining('"Succeeded"'),
    ]);
  });
});

it('places of a stack trace are found in the sources by the map beside a function', async () => {
  const folder = join(HANDLERS_DIR, 'ingest');
  const stack = JSON.parse(
    await run(`
      process.env = { AWS_REGION: 'eu-west-1' };
      try { require(${JSON.stringify(join(folder, 'index.cjs'))}); }
      catch (error) { console.log(JSON.stringify(error.stack)); }`),
  );
  const map = readFileSync(join(folder, 'index.cjs.map'), 'utf8');
  const read = withSourcePlaces(stack, map, 'dist/lambdas/ingest');
  expect(stack).toMatch(/index\.cjs:\d+:\d+/);
  expect(read).toMatch(/lambdas\/wiring\.ts:\d+:\d+/);
  expect(read).not.toContain('index.cjs');
});
