/** The built functions load under exactly the environment that the stacks give them. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import { TABLES } from '../../core/store/tables.ts';
import { folderOf } from '../../lambdas/endpoints/endpoint.ts';
import { HANDLERS_DIR } from '../../lib/application.ts';
import { functionOf, sharedStacks, variablesOf } from '../builders/stacks.ts';

const TABLE_VARIABLES: readonly string[] = Object.values(TABLES).map(({ variable }) => variable);
const READ_HANDLER_BYTES = 450 * 1024;

const { resources } = sharedStacks('dev');
/** Variables of a function; references by a name of their own. */
const environmentOf = (id: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variablesOf(functionOf(resources, `${id}Function`))).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `deployed-${name}`,
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
];

/** Last line of the output of a script in a process of its own, which loads nothing of this one's. */
const run = (script: string, ...given: string[]): string =>
  execFileSync(process.execPath, ['-e', script, ...given], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .trim()
    .split('\n')
    .at(-1) ?? '';

/** Loads each handler once under each environment; the first line of the error, or `loaded`. */
const PROBE = `
const outcomes = JSON.parse(process.argv[1]).map(([file, environments]) => environments.map((variables) => {
  delete require.cache[require.resolve(file)];
  process.env = { ...variables, AWS_REGION: 'eu-west-1' };
  try { return typeof require(file).handler === 'function' ? 'loaded' : 'no handler'; }
  catch (error) { return String(error.message).split('\\n')[0]; }
}));
console.log(JSON.stringify(outcomes));`;

/** The outcome of loading each handler: with its whole environment first, then without each of its tables in turn. */
const outcomes = new Map<string, readonly string[]>();

beforeAll(() => {
  const probes = FUNCTIONS.map(({ handler, id }) => [
    join(HANDLERS_DIR, handler, 'index.cjs'),
    [environmentOf(id), ...tablesOf(id).map((table) => ({ ...environmentOf(id), [table]: undefined }))],
  ]);
  const found = JSON.parse(run(PROBE, JSON.stringify(probes)));
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

it("[S2.05] health says the deployment's region", () => {
  const file = join(HANDLERS_DIR, 'health', 'index.cjs');
  const call = `
    process.env = { ...${JSON.stringify(environmentOf('Health'))}, AWS_REGION: 'ap-southeast-1' };
    const requestContext = { requestId: '11111111-1111-4111-8111-111111111111', authorizer: null };
    const event = { httpMethod: 'GET', resource: '/v1/health', path: '/v1/health', headers: {}, requestContext };
    require(${JSON.stringify(file)}).handler(event, {}).then(({ body }) => console.log(body));`;
  expect(JSON.parse(run(call))).toMatchObject({ status: 'ok', region: 'ap-southeast-1' });
});
