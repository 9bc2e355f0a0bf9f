/** The template of a stage says what the host of one machine does: every planted difference is found. */
import { describe, expect, it } from '@jest/globals';
import { type JsonObject, KEYED, type Resource, sharedStacks } from '../builders/stacks.ts';
import { hostFacts, templateFacts } from '../builders/template-agreement.ts';

const { resources } = sharedStacks('dev', KEYED);

const sorted = (facts: ReadonlyMap<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));

it('the template and the host agree', () => {
  expect(sorted(templateFacts(resources))).toEqual(sorted(hostFacts()));
});

/** The names of facts that differ once the first resource that `isIt` has been changed. */
function differences(
  isIt: (resource: Resource) => boolean,
  change: (properties: never) => JsonObject,
): string[] {
  const found = resources.find(isIt);
  if (found === undefined) throw new Error('there is no such resource');
  const changed = resources.map((resource) =>
    resource === found
      ? { ...resource, properties: { ...resource.properties, ...change(resource.properties as never) } }
      : resource,
  );
  const [template, host] = [sorted(templateFacts(changed)), sorted(hostFacts())];
  return [...new Set([...Object.keys(template), ...Object.keys(host)])].filter(
    (name) =>
      JSON.stringify(template[name]) !== JSON.stringify(host[name]) && !isEqual(template[name], host[name]),
  );
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}

const ofType =
  (type: string, property?: string, value?: unknown) =>
  (resource: Resource): boolean =>
    resource.type === type && (property === undefined || resource.properties[property] === value);

const METHOD = 'AWS::ApiGateway::Method';
const RESPONSE = ofType('AWS::ApiGateway::GatewayResponse', 'ResponseType', 'UNAUTHORIZED');
const functionStart = (start: string) => (resource: Resource) =>
  resource.type === 'AWS::Lambda::Function' && resource.id.startsWith(start);

describe('a planted difference is found', () => {
  it.each<
    [
      what: string,
      isIt: (resource: Resource) => boolean,
      change: (properties: never) => JsonObject,
      found: RegExp,
    ]
  >([
    [
      'a method that no path has',
      ofType(METHOD, 'HttpMethod', 'HEAD'),
      () => ({ HttpMethod: 'PUT' }),
      /^path /,
    ],
    [
      'a method without its authorizer',
      ofType(METHOD, 'AuthorizationType', 'CUSTOM'),
      () => ({ AuthorizationType: 'NONE' }),
      /^path /,
    ],
    [
      'a method without its key',
      ofType(METHOD, 'ApiKeyRequired', true),
      () => ({ ApiKeyRequired: false }),
      /^path /,
    ],
    [
      'a method of another function',
      ofType(METHOD, 'ApiKeyRequired', true),
      () => ({ Integration: { Uri: 'elsewhere' } }),
      /^path /,
    ],
    [
      'a path of another name',
      ofType('AWS::ApiGateway::Resource', 'PathPart', 'trend'),
      () => ({ PathPart: 'trends' }),
      /^path /,
    ],
    ['a status of a gateway response', RESPONSE, () => ({ StatusCode: '403' }), /^response UNAUTHORIZED$/],
    [
      'a header of a gateway response',
      RESPONSE,
      ({ ResponseParameters }: { ResponseParameters: JsonObject }) => ({
        ResponseParameters: { ...ResponseParameters, 'gatewayresponse.header.Cache-Control': "'public'" },
      }),
      /^response UNAUTHORIZED$/,
    ],
    [
      'a body of a gateway response',
      RESPONSE,
      () => ({ ResponseTemplates: { 'application/json': '{"message":"$context.error.message"}' } }),
      /^response UNAUTHORIZED$/,
    ],
    [
      'the time that a key is kept',
      ofType('AWS::ApiGateway::Authorizer'),
      () => ({ AuthorizerResultTtlInSeconds: 300 }),
      /^authorizer$/,
    ],
    [
      'a quota of a plan',
      ofType('AWS::ApiGateway::UsagePlan'),
      () => ({ Quota: { Limit: 1, Period: 'MONTH' } }),
      /^plan /,
    ],
    [
      'a throttle of a plan',
      ofType('AWS::ApiGateway::UsagePlan'),
      () => ({ Throttle: { RateLimit: 2, BurstLimit: 300 } }),
      /^plan /,
    ],
    [
      'a key of a table',
      ofType('AWS::DynamoDB::Table'),
      () => ({ KeySchema: [{ AttributeName: 'x', KeyType: 'HASH' }] }),
      /^table /,
    ],
    [
      'a schedule of a source',
      ofType('AWS::Scheduler::Schedule', 'Description', 'Fetches the source hk-marine-department'),
      () => ({ ScheduleExpression: 'rate(21 minutes)' }),
      /^schedule hk-marine-department$/,
    ],
    [
      'a variable of a function',
      functionStart('TrendFunction'),
      () => ({ Environment: { Variables: {} } }),
      /^variables trend$/,
    ],
    ['a time limit of a function', functionStart('TrendFunction'), () => ({ Timeout: 3 }), /^time of trend$/],
    [
      'retries of the ingest',
      ofType('AWS::Lambda::EventInvokeConfig'),
      () => ({ MaximumRetryAttempts: 2 }),
      /^events of the ingest$/,
    ],
  ])('%s', (_, isIt, change, found) => {
    const names = differences(isIt, change);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(found);
  });
});
