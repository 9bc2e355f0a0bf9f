/** Writes a small cloud assembly, like the output of a synthesis, for tests of the local service. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Json = Record<string, unknown>;
type Resources = Record<string, Json>;

const API_STACK = 'test-api';
const DATA_STACK = 'test-data';

const invocationUri = (functionId: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':apigateway:',
      { Ref: 'AWS::Region' },
      ':lambda:path/2015-03-31/functions/',
      { 'Fn::GetAtt': [functionId, 'Arn'] },
      '/invocations',
    ],
  ],
});

export const lambdaFunction = (id: string, extra: Json = {}): Json => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Code: { S3Bucket: { 'Fn::Sub': `assets-$\{AWS::AccountId}` }, S3Key: 'x.zip' },
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Timeout: 1,
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    Environment: {
      Variables: {
        PORTS_TABLE: { 'Fn::GetStackOutput': { StackName: DATA_STACK, OutputName: 'PortsName' } },
      },
    },
    ...extra,
  },
  Metadata: { 'aws:asset:path': `asset.${id}` },
});

export interface MethodOptions {
  readonly method?: string;
  readonly keyed?: boolean;
  readonly integration?: Json;
}

export const method = (resourceId: unknown, functionId: string, options: MethodOptions = {}): Json => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    HttpMethod: options.method ?? 'GET',
    ResourceId: resourceId,
    RestApiId: { Ref: 'Api' },
    ...(options.keyed
      ? { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Authorizer' }, ApiKeyRequired: true }
      : { AuthorizationType: 'NONE' }),
    Integration: {
      IntegrationHttpMethod: 'POST',
      Type: 'AWS_PROXY',
      Uri: invocationUri(functionId),
      ...options.integration,
    },
  },
});

const resource = (parent: unknown, part: string): Json => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId: parent, PathPart: part, RestApiId: { Ref: 'Api' } },
});

/** An envelope with the request id in body and header, as the real template's. */
const gatewayResponse = (
  type: string,
  status: number | undefined,
  code: string,
  headers: Json = {},
): Json => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    ResponseType: type,
    RestApiId: { Ref: 'Api' },
    ...(status !== undefined && { StatusCode: String(status) }),
    ResponseParameters: {
      'gatewayresponse.header.x-request-id': 'context.requestId',
      'gatewayresponse.header.Cache-Control': "'no-store'",
      ...headers,
    },
    ResponseTemplates: {
      'application/json': `{"code":"${code}","message":"m","request_id":"$context.requestId"}`,
    },
  },
});

const usagePlan = (name: string, rate: number, burst: number, limit: number): Json => ({
  Type: 'AWS::ApiGateway::UsagePlan',
  Properties: {
    UsagePlanName: name,
    ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' }, Throttle: {} }],
    Throttle: { RateLimit: rate, BurstLimit: burst },
    Quota: { Limit: limit, Period: 'MONTH' },
    Tags: [{ Key: 'pcd:tier', Value: name.toLowerCase() }],
  },
});

export const schedule = (functionId: string, expression: string, input: unknown): Json => ({
  Type: 'AWS::Scheduler::Schedule',
  Properties: {
    FlexibleTimeWindow: { Mode: 'OFF' },
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: 'Etc/UTC',
    State: 'ENABLED',
    Target: {
      Arn: { 'Fn::GetAtt': [functionId, 'Arn'] },
      RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Input: JSON.stringify(input),
    },
  },
});

/** Paths /v1/health (open), /v1/things/{id} (keyed, GET and HEAD); one table, three plans, one schedule. */
export function apiResources(): Resources {
  return {
    Role: { Type: 'AWS::IAM::Role', Properties: { Anything: { 'Fn::FindInMap': ['not', 'looked', 'at'] } } },
    Echo: lambdaFunction('Echo'),
    Gate: lambdaFunction('Gate'),
    Pump: lambdaFunction('Pump'),
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'test', ApiKeySourceType: 'AUTHORIZER' } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: { RestApiId: { Ref: 'Api' }, StageName: 'dev', TracingEnabled: true },
    },
    Authorizer: {
      Type: 'AWS::ApiGateway::Authorizer',
      Properties: {
        Type: 'REQUEST',
        IdentitySource: 'method.request.header.X-API-Key',
        AuthorizerResultTtlInSeconds: 60,
        AuthorizerUri: invocationUri('Gate'),
        RestApiId: { Ref: 'Api' },
      },
    },
    V1: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'v1'),
    Health: resource({ Ref: 'V1' }, 'health'),
    Things: resource({ Ref: 'V1' }, 'things'),
    Thing: resource({ Ref: 'Things' }, '{id}'),
    HealthGet: method({ Ref: 'Health' }, 'Echo'),
    ThingGet: method({ Ref: 'Thing' }, 'Echo', { keyed: true }),
    ThingHead: method({ Ref: 'Thing' }, 'Echo', { keyed: true, method: 'HEAD' }),
    Missing: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 404, 'not_found'),
    Unauthorized: gatewayResponse('UNAUTHORIZED', 401, 'auth_missing'),
    Denied: gatewayResponse('ACCESS_DENIED', 401, 'auth_invalid'),
    InvalidKey: gatewayResponse('INVALID_API_KEY', 403, 'auth_forbidden'),
    AuthorizerDown: gatewayResponse('AUTHORIZER_FAILURE', 503, 'upstream_error', {
      'gatewayresponse.header.Retry-After': "'5'",
    }),
    Throttled: gatewayResponse('THROTTLED', 429, 'rate_limited', {
      'gatewayresponse.header.Retry-After': "'1'",
      'gatewayresponse.header.RateLimit-Limit': 'context.authorizer.limit',
    }),
    Exhausted: gatewayResponse('QUOTA_EXCEEDED', 429, 'quota'),
    Failure: gatewayResponse('INTEGRATION_FAILURE', 502, 'upstream_error'),
    Timeout: gatewayResponse('INTEGRATION_TIMEOUT', 504, 'upstream_error'),
    Default4: gatewayResponse('DEFAULT_4XX', undefined, 'bad_request'),
    Default5: gatewayResponse('DEFAULT_5XX', undefined, 'internal_error'),
    Starter: usagePlan('Starter', 1, 5, 1000),
    Lite: usagePlan('Lite', 1, 5, 3),
    Pro: usagePlan('Pro', 1, 5, 1000),
    PumpSchedule: schedule('Pump', 'rate(5 minutes)', { source: 'harbour' }),
  };
}

export function dataResources(): Resources {
  return {
    Ports: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'port', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'port', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    },
  };
}

/** Responds with the event; `id` and the query select special cases. */
const ECHO = `
exports.handler = async (event) => {
  const id = event.pathParameters && event.pathParameters.id;
  if (id === 'throw') throw new Error('secret inside');
  if (id === 'hang') return new Promise(() => {});
  if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 50));
  if (id === 'malformed') return { body: 'no status' };
  if (id === 'injected') return { statusCode: 200, headers: { 'X-Bad': 'a\\r\\nSet-Cookie: b' }, body: '' };
  if (id === 'limited') return { statusCode: 429, body: '{}' };
  if (id === 'unchanged') return { statusCode: 304, headers: { ETag: '"a"' }, body: '' };
  return {
    statusCode: 200,
    headers: { 'x-request-id': event.requestContext.requestId },
    multiValueHeaders: { 'X-Two': ['1', '2'] },
    body: JSON.stringify({ event, environment: process.env }),
  };
};`;

/** Distinguishes keys by their first letter: good, denied, broken, and refuses the rest; the key is its own usage identifier. */
const GATE = `
const policy = (Effect, Resource) => ({ Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] });
globalThis.gateCalls = globalThis.gateCalls || [];
exports.handler = async (event) => {
  const key = event.headers['X-API-Key'] || event.headers['x-api-key'];
  globalThis.gateCalls.push(key);
  const everything = event.methodArn.split('/').slice(0, 2).join('/') + '/*';
  if (key.startsWith('good')) return { principalId: key, policyDocument: policy('Allow', everything), context: { limit: 60 }, usageIdentifierKey: key };
  if (key.startsWith('unauthorized')) throw new Error('Unauthorized');
  if (key.startsWith('broken')) throw new Error('store down');
  if (key.startsWith('odd')) return { principalId: key };
  if (key.startsWith('hang')) return new Promise(() => {});
  return { principalId: 'nobody', policyDocument: policy('Deny', everything) };
};`;

const PUMP = 'exports.handler = async (event) => ({ pumped: event });';

export interface AssemblyOptions {
  readonly api?: Resources;
  readonly data?: Resources;
  /** Sources of functions, by the id of their resource. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** Returns the folder of the assembly, in the temporary directory. */
export function writeAssembly(options: AssemblyOptions = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  const stack = (name: string, Resources: Resources, Outputs: Json = {}): [string, Json] => {
    const templateFile = `${name}.template.json`;
    writeFileSync(join(directory, templateFile), JSON.stringify({ Resources, Outputs }));
    return [name, { type: 'aws:cloudformation:stack', properties: { templateFile } }];
  };
  const outputs = { PortsName: { Value: { Ref: 'Ports' } } };
  const artifacts = Object.fromEntries([
    stack(DATA_STACK, options.data ?? dataResources(), outputs),
    stack(API_STACK, options.api ?? apiResources()),
    ['assets', { type: 'cdk:asset-manifest', properties: {} }],
  ]);
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ version: '55.0.0', artifacts }));
  const sources = { Echo: ECHO, Gate: GATE, Pump: PUMP, ...options.sources };
  for (const [id, source] of Object.entries(sources)) {
    mkdirSync(join(directory, `asset.${id}`));
    writeFileSync(join(directory, `asset.${id}`, 'index.cjs'), source);
  }
  return directory;
}
