/** The whole template is read, or the start stops with an error that names what is not supported. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceModel } from '../../../../local/template/service-model.ts';
import {
  apiResources,
  dataResources,
  lambdaFunction,
  method,
  schedule,
  writeAssembly,
} from '../../../builders/assembly.ts';

const FUNCTION_ARN = 'arn:aws:lambda:local:000000000000:function:test-api-Echo';

describe('a supported template', () => {
  const model = readServiceModel(writeAssembly());

  it('gives routes with their function, authorizer and key', () => {
    expect(
      model.routes.map(({ method: verb, path, apiKeyRequired }) => [verb, path, apiKeyRequired]),
    ).toEqual([
      ['GET', '/v1/health', false],
      ['GET', '/v1/things/{id}', true],
      ['HEAD', '/v1/things/{id}', true],
    ]);
    const [health, thing] = model.routes;
    expect(health).toMatchObject({
      functionArn: FUNCTION_ARN,
      authorizer: undefined,
      integrationTimeoutMs: 29_000,
    });
    expect(thing?.authorizer).toMatchObject({ identityHeader: 'X-API-Key', cacheMs: 60_000 });
  });

  it('gives functions with the names of another stack', () => {
    expect(model.functions.get(FUNCTION_ARN)).toMatchObject({
      name: 'test-api-Echo',
      timeoutMs: 1000,
      environment: { PORTS_TABLE: 'test-data-Ports' },
      retryAttempts: 2,
      deadLetters: undefined,
    });
    expect(model.tables.map(({ name }) => name)).toEqual(['test-data-Ports']);
  });

  it('gives the function behind an alias, which must be at a version of it', () => {
    const uri = `arn:aws:apigateway:local:lambda:path/2015-03-31/functions/`;
    const api = {
      ...apiResources(),
      EchoVersion1: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Echo' } } },
      Live: {
        Type: 'AWS::Lambda::Alias',
        Properties: {
          FunctionName: { Ref: 'Echo' },
          FunctionVersion: { 'Fn::GetAtt': ['EchoVersion1', 'Version'] },
          Name: 'live',
        },
      },
      HealthGet: method({ Ref: 'Health' }, 'Echo', {
        integration: { Uri: { 'Fn::Join': ['', [uri, { Ref: 'Live' }, '/invocations']] } },
      }),
    };
    const read = readServiceModel(writeAssembly({ api }));
    expect(read.routes.find(({ path }) => path === '/v1/health')?.functionArn).toBe(FUNCTION_ARN);
    expect(read.functions.has(FUNCTION_ARN)).toBe(true);
    api.EchoVersion1.Properties.FunctionName.Ref = 'Pump';
    expect(() => readServiceModel(writeAssembly({ api }))).toThrow(
      'test-api/Live: FunctionVersion is no version of test-api-Echo',
    );
  });

  it('gives plans and schedules', () => {
    expect(model.plans[0]).toEqual({
      id: 'test-api-Starter',
      name: 'Starter',
      throttle: { ratePerSecond: 1, burst: 5 },
      monthlyQuota: 1000,
      stages: [{ apiId: 'test-api-Api', stage: 'dev' }],
      tags: { 'pcd:tier': 'starter' },
    });
    expect(model.schedules).toEqual([
      {
        name: 'test-api/PumpSchedule',
        periodMs: 300_000,
        functionArn: 'arn:aws:lambda:local:000000000000:function:test-api-Pump',
        input: { source: 'harbour' },
      },
    ]);
  });

  it('takes how asynchronous invocations are repeated', () => {
    const api = {
      ...apiResources(),
      Queue: { Type: 'AWS::SQS::Queue' },
      Invocations: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: {
          FunctionName: { Ref: 'Pump' },
          MaximumRetryAttempts: 1,
          MaximumEventAgeInSeconds: 300,
          Qualifier: '$LATEST',
          DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
        },
      },
    };
    const pump = [...readServiceModel(writeAssembly({ api })).functions.values()].find(({ name }) =>
      /Pump/.test(name),
    );
    expect(pump).toMatchObject({
      retryAttempts: 1,
      eventAgeMs: 300_000,
      deadLetters: 'arn:aws:sqs:local:000000000000:test-api-Queue',
    });
  });

  it('leaves out what is switched off, and functions that are never invoked', () => {
    const off = schedule('Echo', 'rate(1 minute)', {});
    (off.Properties as Record<string, unknown>).State = 'DISABLED';
    const unused = lambdaFunction('Unused', { Runtime: { 'Fn::FindInMap': ['a', 'b', 'c'] } });
    const found = readServiceModel(writeAssembly({ api: { ...apiResources(), Off: off, Unused: unused } }));
    expect(found.schedules).toHaveLength(1);
    expect([...found.functions.keys()].some((arn) => arn.includes('Unused'))).toBe(false);
  });
});

/** A change of one property of one resource, and the words in which the start is refused. */
type Change = readonly [id: string, properties: Record<string, unknown>, complaint: string];
const CHANGES: readonly Change[] = [
  [
    'Api',
    { BinaryMediaTypes: ['image/png'] },
    'test-api/Api (AWS::ApiGateway::RestApi): property BinaryMediaTypes',
  ],
  ['Api', { MinimumCompressionSize: 0 }, 'property MinimumCompressionSize'],
  ['Api', { ApiKeySourceType: 'HEADER' }, 'property ApiKeySourceType'],
  ['Stage', { CacheClusterEnabled: true }, 'property CacheClusterEnabled'],
  ['Stage', { MethodSettings: [{ CachingEnabled: true }] }, 'property MethodSettings.0.CachingEnabled'],
  ['HealthGet', { HttpMethod: 'ANY' }, 'test-api/HealthGet (AWS::ApiGateway::Method): property HttpMethod'],
  ['HealthGet', { AuthorizationType: 'AWS_IAM' }, 'property AuthorizationType'],
  ['HealthGet', { Integration: { Type: 'MOCK' } }, 'property Integration.IntegrationHttpMethod'],
  ['Authorizer', { Type: 'TOKEN' }, 'property Type'],
  ['Authorizer', { IdentitySource: 'method.request.querystring.key' }, 'property IdentitySource'],
  ['Authorizer', { AuthorizerResultTtlInSeconds: 7200 }, 'property AuthorizerResultTtlInSeconds'],
  ['Missing', { ResponseTemplates: { 'text/plain': 'x' } }, 'property ResponseTemplates.text/plain'],
  ['Missing', { StatusCode: 'abc' }, 'property StatusCode'],
  ['Starter', { Quota: { Limit: 5, Period: 'WEEK' } }, 'property Quota.Period'],
  ['Starter', { Throttle: { BurstLimit: 5 } }, 'property Throttle.RateLimit'],
  [
    'Starter',
    { ApiStages: [{ ApiId: 'a', Stage: 'b', Throttle: { '/x/GET': {} } }] },
    'ApiStages.0.Throttle./x/GET',
  ],
  ['Echo', { Layers: ['l'] }, 'test-api/Echo (AWS::Lambda::Function): property Layers'],
  ['Echo', { Runtime: 'python3.13' }, 'property Runtime'],
  [
    'PumpSchedule',
    { EndDate: '2030-01-01' },
    'test-api/PumpSchedule (AWS::Scheduler::Schedule): property EndDate',
  ],
  ['PumpSchedule', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'property ScheduleExpression'],
  ['PumpSchedule', { ScheduleExpression: 'rate(0 minutes)' }, 'property ScheduleExpression'],
  ['PumpSchedule', { ScheduleExpression: 'rate(35792 minutes)' }, 'property ScheduleExpression'],
  ['Thing', { ParentId: { Ref: 'Nothing' } }, 'Ref names Nothing, which the stack does not have'],
  ['Thing', { PathPart: { 'Fn::If': ['a', 'b', 'c'] } }, 'test-api/Thing.PathPart: Fn::If is not supported'],
  ['Echo', { Handler: 'missing.handler' }, 'no built module for missing.handler'],
  [
    'Echo',
    {
      Environment: {
        Variables: { A: { 'Fn::GetStackOutput': { StackName: 'test-data', OutputName: 'Other' } } },
      },
    },
    'the stack test-data has no output Other',
  ],
];

describe('an unsupported template', () => {
  it.each(CHANGES)('%s %j', (id, properties, complaint) => {
    const api = apiResources();
    const resource = api[id] as { Properties: object };
    const changed = { ...resource, Properties: { ...resource.Properties, ...properties } };
    const directory = writeAssembly({ api: { ...api, [id]: changed } });
    expect(() => readServiceModel(directory)).toThrow(complaint);
  });

  it.each([
    'AWS::ApiGateway::RequestValidator',
    'AWS::ApiGateway::ApiKey',
    'AWS::Lambda::EventSourceMapping',
    'AWS::RDS::DBInstance',
  ])('a resource of type %s', (Type) => {
    const directory = writeAssembly({ api: { ...apiResources(), Extra: { Type, Properties: {} } } });
    expect(() => readServiceModel(directory)).toThrow(
      `test-api/Extra: resources of type ${Type} are not supported`,
    );
  });

  it.each([
    ['StreamSpecification', { StreamViewType: 'NEW_IMAGE' }],
    ['LocalSecondaryIndexes', []],
    ['BillingMode', 'PROVISIONED'],
  ])('a table with %s', (property, value) => {
    const { Ports } = dataResources() as { Ports: { Properties: object } };
    const data = { Ports: { ...Ports, Properties: { ...Ports.Properties, [property]: value } } };
    expect(() => readServiceModel(writeAssembly({ data }))).toThrow(
      `test-data/Ports (AWS::DynamoDB::Table): property ${property} is not supported`,
    );
  });

  it('two APIs, or a method that wants an authorizer that is none', () => {
    const api = apiResources();
    expect(() => readServiceModel(writeAssembly({ api: { ...api, Second: api.Api ?? {} } }))).toThrow(
      'the template must have one REST API, it has 2',
    );
    const open = method({ Ref: 'Health' }, 'Echo');
    (open.Properties as Record<string, unknown>).AuthorizationType = 'CUSTOM';
    expect(() => readServiceModel(writeAssembly({ api: { ...api, HealthGet: open } }))).toThrow(
      'AuthorizationType and AuthorizerId do not agree',
    );
  });

  it('no assembly at all', () => {
    const directory = mkdtempSync(join(tmpdir(), 'empty-'));
    expect(() => readServiceModel(directory)).toThrow('the cloud assembly cannot be read');
    writeFileSync(join(directory, 'manifest.json'), '{"artifacts":{}}');
    expect(() => readServiceModel(directory)).toThrow('has no stack');
  });
});
