/** The errors of each operation as its own code makes them, so that the documented examples are real responses. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  encodeContext,
  type KeyContext,
  keyDigest,
  keyLimits,
  planIncludes,
} from '../../core/access/keys.ts';
import { readCaller } from '../../core/access/limiter.ts';
import { ApiError } from '../../core/contracts/errors.ts';
import type { Fault } from '../../core/contracts/openapi/document.ts';
import { TIERS } from '../../core/contracts/plans.ts';
import { type Route, requiredParameter } from '../../core/contracts/route.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { apiError } from '../../core/http/chain.ts';
import { GATEWAY_ERRORS, type GatewayError, type GatewayErrorType } from '../../core/http/gateway-errors.ts';
import { readParameters } from '../../core/http/request.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { notCovered } from '../../lambdas/endpoints/endpoint.ts';
import { hsImports } from '../../lambdas/endpoints/hs-imports.ts';
import { snapshot } from '../../lambdas/endpoints/snapshot.ts';

// Invalid parameters of an operation, passed to the code that reads them: the document shows its errors.

type Path = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | readonly string[]>>;

/** A value with a percent sign that is not decodable. */
const UNDECODABLE = '%zz';

/** Only the fields that `readParameters` uses. */
const event = (path: Path, query: Query): APIGatewayProxyEvent =>
  ({
    pathParameters: path,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value].flat()]),
    ),
  }) as unknown as APIGatewayProxyEvent;

/** Every way in which the parameters of `route` can be wrong. */
function refusals(route: Route): readonly Fault[] {
  const parameter = (name: string) => route.path[name] ?? route.query[name];
  const example = (name: string): string => parameter(name)?.example ?? '';
  const wrong = (name: string): string => parameter(name)?.counterexample ?? UNDECODABLE;
  const examples = (names: readonly string[]): Path =>
    Object.fromEntries(names.map((name) => [name, example(name)]));

  const { exclusive = [] } = route;
  const required = requiredParameter(route);
  const path = examples(Object.keys(route.path));
  const query = examples(required === undefined ? [] : [required]);
  const [pathName] = Object.keys(route.path);
  const [queryName] = Object.keys(route.query);
  const faults: Fault[] = [];
  const refuse = (name: string, sentPath: Path, sentQuery: Query): void => {
    try {
      readParameters(route, event(sentPath, sentQuery));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      faults.push({ name, error });
      return;
    }
    throw new Error(`${route.paths[0]} takes what should be refused: ${name}`);
  };

  if (pathName !== undefined) refuse('broken_escape', { ...path, [pathName]: UNDECODABLE }, query);
  else if (queryName !== undefined) refuse('broken_escape', path, { ...query, [queryName]: UNDECODABLE });
  if (exclusive.length > 0) {
    refuse('exclusive', path, examples(exclusive));
    if (required !== undefined) refuse('missing', path, {});
  }
  for (const name of Object.keys(route.path)) refuse(name, { ...path, [name]: wrong(name) }, query);
  for (const name of Object.keys(route.query)) {
    // One of several that exclude each other is sent alone.
    const others = exclusive.includes(name) && exclusive.includes(required ?? '') ? {} : query;
    refuse(name, path, { ...others, [name]: wrong(name) });
  }
  if (queryName !== undefined) {
    refuse('misspelt', path, { ...query, [queryName.slice(0, -1)]: 'x' });
    refuse('twice', path, { [queryName]: [example(queryName), example(queryName)] });
  }
  return faults;
}

/** Well-formed, but not the code of any port. */
const NO_PORT = 'ZZZZZ';
const NO_CHAPTER = '77';

function gatewayFault(name: string, type: GatewayErrorType): Fault {
  const { code, message, hint, status, retryAfterSeconds }: GatewayError = GATEWAY_ERRORS[type];
  return {
    name,
    error: new ApiError(code, message, { hint, status, retryAfterSeconds }),
  };
}

/** The error with which `response` fails; a response without an error is a mistake in this file. */
async function failure(name: string, response: Promise<unknown>): Promise<Fault> {
  const error = await response.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiError) return { name, error };
  throw new Error(`expected an error of the API: ${name}`);
}

const AUTHENTICATION: readonly Fault[] = [
  gatewayFault('key_missing', 'UNAUTHORIZED'),
  gatewayFault('key_unknown', 'ACCESS_DENIED'),
  gatewayFault('key_disabled', 'INVALID_API_KEY'),
];
const LIMITS: readonly Fault[] = [
  gatewayFault('rate', 'THROTTLED'),
  gatewayFault('monthly_quota', 'QUOTA_EXCEEDED'),
];
const FUNCTION_FAILURES: readonly Fault[] = [
  { name: 'failed', error: apiError(new Error('anything'), []) },
  gatewayFault('function_failed', 'INTEGRATION_FAILURE'),
  gatewayFault('function_slow', 'INTEGRATION_TIMEOUT'),
];
const STORE_FAILURES: readonly Fault[] = [
  gatewayFault('key_store_down', 'AUTHORIZER_FAILURE'),
  {
    name: 'data_store_down',
    error: apiError(new StoreFailure('any', new Error('no response')), [StoreFailure]),
  },
];

/** The error of a key whose plan does not include the operation, if there is such a plan. */
function planFaults(operation: OperationId): readonly Fault[] {
  const route: Route = ROUTES[operation];
  const tier = TIERS.find((candidate) => !planIncludes(candidate, route));
  if (tier === undefined) return [];
  const key: KeyContext = {
    digest: keyDigest(tier),
    state: 'active',
    tier,
    limits: keyLimits(tier, undefined),
  };
  const { denial } = readCaller(encodeContext(key, 0), route, {
    admit: async () => ({ admitted: true, headers: {} }),
  });
  return denial === undefined ? [] : [{ name: 'not_in_plan', error: denial }];
}

const CONTEXT = { now: Date.now, region: 'local' };
const UNOBSERVED = {
  port: 'HKHKG',
  name: 'Hong Kong',
  countryCode: 'HK',
  latitude: 22.27,
  longitude: 114.2,
  sources: [],
  knownOn: '2026-01-01',
};
const tableOf = (row: object | undefined) => ({ get: async () => row }) as unknown as Table;

async function absences(operation: OperationId): Promise<readonly Fault[]> {
  const route: Route = ROUTES[operation];
  const ports = 'UNLOCODE' in route.path ? [{ name: 'port_not_covered', error: notCovered(NO_PORT) }] : [];
  if (operation === 'snapshot') {
    const response = snapshot.create({ ports: tableOf(UNOBSERVED), vintages: tableOf(undefined) }, CONTEXT)(
      { path: { UNLOCODE: 'HKHKG' }, query: { as_of: undefined } },
      new Map(),
    );
    return [...ports, await failure('nothing_observed', response)];
  }
  if (operation === 'hsImports') {
    const response = hsImports.create(
      { importIndex: tableOf(undefined), vintages: tableOf(undefined) },
      CONTEXT,
    )({ path: { code: NO_CHAPTER }, query: { as_of: undefined, format: 'json' } }, new Map());
    return [await failure('no_chapter', response)];
  }
  return ports;
}

/** Every error that `operation` can return. The health probe has no key, no limit and no store. */
export async function findFaults(operation: OperationId): Promise<readonly Fault[]> {
  const route: Route = ROUTES[operation];
  if (!route.authenticated) return FUNCTION_FAILURES;
  return [
    ...AUTHENTICATION,
    ...planFaults(operation),
    ...LIMITS,
    ...refusals(route),
    ...(await absences(operation)),
    ...FUNCTION_FAILURES,
    ...STORE_FAILURES,
  ];
}
