/** Every rule is met in both stages, and every rule detects its planted violation. */
import { describe, expect, it } from '@jest/globals';
import { type Json, type JsonObject, ofType, type Resource, sharedStacks } from '../builders/stacks.ts';
import { alarmRules } from './rules/alarms.ts';
import { dataRules } from './rules/data.ts';
import { functionRules } from './rules/functions.ts';
import { gatewayRules } from './rules/gateway.ts';
import { rightRules } from './rules/rights.ts';
import type { Rule } from './rules/rule.ts';

const RULES = { ...functionRules, ...rightRules, ...dataRules, ...gatewayRules, ...alarmRules };
const STACKS = {
  dev: sharedStacks('dev', {
    keyedSources: 'us-census-trade',
    alarmEmail: 'ops@example.org',
    canaryMinutes: '5',
  }).resources,
  prod: sharedStacks('prod', { canaryMinutes: '60' }).resources,
};

type Plant = (resources: readonly Resource[]) => readonly Resource[];

/** `value` with what lies at `path` replaced; steps that are not there are made. */
function replaced(value: Json | undefined, [step, ...rest]: readonly (string | number)[], by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  }
  const object = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  return { ...object, [step]: replaced(object[step], rest, by) };
}

/** Replaces one property of the first resource of a type that is `wanted`. */
const change =
  (
    type: string,
    path: readonly (string | number)[],
    by: Json,
    wanted: (one: Resource) => boolean = () => true,
  ): Plant =>
  (resources) => {
    const first = ofType(resources, type).find(wanted);
    return resources.map((one) =>
      one === first ? { ...one, properties: replaced(one.properties, path, by) as JsonObject } : one,
    );
  };

const without =
  (type: string, wanted: (one: Resource) => boolean = () => true): Plant =>
  (resources) => {
    const first = ofType(resources, type).find(wanted);
    return resources.filter((one) => one !== first);
  };

const added =
  (type: string, properties: JsonObject): Plant =>
  (resources) => [
    ...resources,
    {
      stack: 'api',
      id: 'Planted',
      type,
      properties,
      deletionPolicy: undefined,
      updateReplacePolicy: undefined,
    },
  ];

const FUNCTION = 'AWS::Lambda::Function';
const POLICY = 'AWS::IAM::Policy';
const SCHEDULE = 'AWS::Scheduler::Schedule';
const ALARM = 'AWS::CloudWatch::Alarm';
const grant = (action: string, resource: Json): JsonObject => ({
  PolicyDocument: { Statement: [{ Effect: 'Allow', Action: action, Resource: resource }] },
});
const ofTrend = ({ id }: Resource): boolean => id.startsWith('TrendFunction');
const aTable: Json = {
  'Fn::GetStackOutput': {
    StackName: 'pcd-dev-data',
    OutputName: 'PublishOutputFnGetAttApiKeysTableArn00000000',
  },
};

const PLANTS: Record<keyof typeof RULES, Plant> = {
  'every function has a timeout, memory and a description': change(FUNCTION, ['Timeout'], null),
  'every function runs on nodejs24.x and arm64 and is traced': change(
    FUNCTION,
    ['TracingConfig', 'Mode'],
    'PassThrough',
  ),
  'every function writes to a log group of its own': change(FUNCTION, ['LoggingConfig', 'LogGroup'], {
    Ref: 'Gone',
  }),
  'every log group has a retention time': change('AWS::Logs::LogGroup', ['RetentionInDays'], null),
  'every failure of a function is in an alarm: its own, or the 5xx of the API that calls it': without(
    ALARM,
    ({ properties }) => properties.MetricName === '5XXError',
  ),
  "one alarm watches the account's throttles of functions": without(
    ALARM,
    ({ properties }) => properties.MetricName === 'Throttles',
  ),
  'an event that a function failed to handle goes to a dead-letter queue': change(
    'AWS::Lambda::EventInvokeConfig',
    ['MaximumRetryAttempts'],
    2,
  ),
  'every schedule is bounded and has a dead-letter queue': change(
    SCHEDULE,
    ['Target', 'RetryPolicy', 'MaximumRetryAttempts'],
    185,
  ),
  'a schedule may invoke its own function and nothing else': change(SCHEDULE, ['Target', 'Arn'], {
    'Fn::GetAtt': ['Another', 'Arn'],
  }),
  'no variable names a region, a key or a secret value': change(
    FUNCTION,
    ['Environment', 'Variables', 'DEMO'],
    'pcd_dev_0123',
  ),
  'no right is for every action of a kind': added(POLICY, grant('dynamodb:*', aTable)),
  'a right on everything is for actions that know no resource': added(POLICY, grant('dynamodb:GetItem', '*')),
  'no role has a policy of AWS or a user': change(
    'AWS::IAM::Role',
    ['ManagedPolicyArns'],
    ['arn:aws:iam::aws:policy/AdministratorAccess'],
  ),
  'a function has rights on exactly the tables that it knows by name': change(
    FUNCTION,
    ['Environment', 'Variables', 'API_KEYS_TABLE'],
    aTable,
    ofTrend,
  ),
  'functions behind the API write to no table but the buckets of the limiter': (resources) => {
    const role = ofType(resources, FUNCTION).find(ofTrend)?.properties.Role as JsonObject;
    const [id = ''] = role['Fn::GetAtt'] as readonly string[];
    return added(POLICY, { ...grant('dynamodb:PutItem', aTable), Roles: [{ Ref: id }] })(resources);
  },
  'every table is encrypted, restorable to a point in time and paid by request': change(
    'AWS::DynamoDB::Table',
    ['SSESpecification', 'SSEEnabled'],
    false,
  ),
  'production keeps its data, other stages leave nothing': change(
    'AWS::DynamoDB::Table',
    ['DeletionProtectionEnabled'],
    true,
  ),
  'every bucket is private, encrypted and reached over TLS only': without('AWS::S3::BucketPolicy'),
  'a bucket is versioned, or forgets': change(
    'AWS::S3::Bucket',
    ['VersioningConfiguration'],
    null,
    ({ properties }) => properties.VersioningConfiguration !== undefined,
  ),
  'queues and topics are reached over TLS only, and queues are encrypted': change(
    'AWS::SQS::Queue',
    ['SqsManagedSseEnabled'],
    false,
  ),
  'every method but health asks for a key, by the authorizer': change(
    'AWS::ApiGateway::Method',
    ['ApiKeyRequired'],
    false,
    ({ properties }) => properties.ApiKeyRequired === true,
  ),
  'methods are those of the contract, GET and HEAD each': change(
    'AWS::ApiGateway::Method',
    ['HttpMethod'],
    'POST',
  ),
  'keys come from the authorizer, never from a template': added('AWS::ApiGateway::ApiKey', {
    Value: 'known',
  }),
  'the authorizer needs the key header and its result is cached for a minute': change(
    'AWS::ApiGateway::Authorizer',
    ['IdentitySource'],
    'method.request.header.Authorization',
  ),
  'the stage is logged as JSON without keys, traced, and not cached': change(
    'AWS::ApiGateway::Stage',
    ['AccessLogSetting', 'Format'],
    '{"requestId":"$context.requestId","key":"$context.identity.apiKey"}',
  ),
  'every alarm names a heading of the runbook': change(ALARM, ['AlarmDescription'], 'Something is wrong.'),
  'every heading of the runbook has an alarm': (resources) =>
    resources.filter(({ properties }) => !String(properties.AlarmDescription).endsWith('#a-back-fill-fails')),
  'every alarm notifies the topic, directly or through its composite alarm': change(
    ALARM,
    ['AlarmActions'],
    [],
  ),
  'every alarm states how it treats missing data': (resources) =>
    resources.map(({ properties: { TreatMissingData: _left, ...properties }, ...one }) => ({
      ...one,
      properties,
    })),
  'CloudWatch may publish to every topic': without('AWS::SNS::TopicPolicy'),
  'every source that is fetched is watched': change(SCHEDULE, ['Target', 'Input'], '{"source":"unwatched"}'),
};

describe.each(Object.entries<Rule>(RULES))('%s', (name, rule) => {
  it.each(['dev', 'prod'] as const)('is met in %s', (stage) => {
    expect(rule(STACKS[stage], stage)).toEqual([]);
  });

  it('finds a planted violation', () => {
    const planted = PLANTS[name as keyof typeof PLANTS](STACKS.dev);
    expect(rule(planted, 'dev')).not.toEqual([]);
  });
});
