/** What no other check states of all resources, in both stages: cdk-nag and cfn-lint have the rules that are everybody's. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../core/contracts/routes.ts';
import { TABLES } from '../../core/store/tables.ts';
import {
  at,
  grantsIn,
  grantsOf,
  listAt,
  MOST_SETTINGS,
  objectAt,
  PROD_SETTINGS,
  type Resource,
  refersTo,
  sharedStacks,
  variablesOf,
  withType,
} from '../builders/stacks.ts';

const FUNCTION = 'AWS::Lambda::Function';
const SCHEDULE = 'AWS::Scheduler::Schedule';
const ALARM = 'AWS::CloudWatch::Alarm';
const COMPOSITE = 'AWS::CloudWatch::CompositeAlarm';
const METHOD = 'AWS::ApiGateway::Method';
const AUTHORIZER = 'AWS::ApiGateway::Authorizer';
const LOG_GROUP = 'AWS::Logs::LogGroup';
const TOPIC_POLICY = 'AWS::SNS::TopicPolicy';
const TABLE = 'AWS::DynamoDB::Table';
const BUCKET = 'AWS::S3::Bucket';
/** What data, addresses and plans of callers are in; the stage's deployment is one that the stage cannot be without. */
const KEPT = [
  TABLE,
  BUCKET,
  LOG_GROUP,
  'AWS::SNS::Topic',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::UsagePlan',
];
/** Types whose names may recur: each belongs to another resource, and the gateway takes equal names of plans. */
const RECURRING = [
  'AWS::IAM::Policy',
  'AWS::Lambda::Alias',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::ApiGateway::UsagePlan',
];
const OPEN_PATHS: readonly string[] = ROUTES.health.paths;

/** Whether the API calls the function, through an alias. */
const calledByApi = (resources: readonly Resource[], id: string): boolean =>
  withType(resources, 'AWS::Lambda::Alias')
    .filter(({ properties }) => refersTo(properties.FunctionName, id))
    .some((alias) =>
      withType(resources, 'AWS::Lambda::Permission').some(
        ({ properties }) =>
          properties.Principal === 'apigateway.amazonaws.com' && refersTo(properties.FunctionName, alias.id),
      ),
    );

/** Whether a deployment asks the function, and fails when it does. */
const calledByDeployments = (resources: readonly Resource[], id: string): boolean =>
  withType(resources, 'AWS::Lambda::Alias').some(({ updatePolicy }) => refersTo(updatePolicy, id));

const WRITES = /^dynamodb:(Put|Update|Delete|BatchWrite)/;

/** The table whose ARN or name `reference` reads from the outputs of the data stack. */
const tableOf = (reference: unknown): string | undefined =>
  /PublishOutput(?:Ref|FnGetAtt)([A-Za-z]+?Table)/.exec(JSON.stringify(reference))?.[1];

/** Path of a method's resource, from the tree of resources. */
function pathOf(resources: readonly Resource[], { properties }: Resource): string {
  const step = (id: unknown): string => {
    const found = resources.find((resource) => resource.id === id);
    if (found === undefined || found.type !== 'AWS::ApiGateway::Resource') return '';
    return `${step(at(found.properties.ParentId, 'Ref'))}/${String(found.properties.PathPart)}`;
  };
  return step(at(properties.ResourceId, 'Ref'));
}

const LINK = / Runbook: docs\/runbook\.md#([a-z0-9-]+)$/;

/** Anchors of the headings below "Alarms" in the runbook. */
function runbookAnchors(): string[] {
  const page = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const [, alarms = ''] = page.split(/^## Alarms$/m);
  const [section = ''] = alarms.split(/^## /m);
  return [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replace(/ /g, '-'),
  );
}

const anchorIn = (description: unknown): string => LINK.exec(String(description))?.[1] ?? '';

const STAGES = [
  ['dev', MOST_SETTINGS],
  ['prod', PROD_SETTINGS],
] as const;

/** What breaks the rule, empty where it is met. */
type Rule = (resources: readonly Resource[], stage: 'dev' | 'prod') => string[];

/** A rule that each resource of `types` must meet. */
const each =
  (
    types: readonly string[],
    isMet: (resource: Resource, all: readonly Resource[], stage: 'dev' | 'prod') => boolean,
  ): Rule =>
  (resources, stage) =>
    withType(resources, ...types)
      .filter((resource) => !isMet(resource, resources, stage))
      .map(({ stack, id }) => `${stack}/${id}`);

const groupOf = ({ properties }: Resource): string => String(at(properties.LoggingConfig, 'LogGroup', 'Ref'));

const RULES: Readonly<Record<string, Rule>> = {
  'every function writes to a log group of its own': each([FUNCTION], (lambda, all) => {
    const sharing = withType(all, FUNCTION).filter((other) => groupOf(other) === groupOf(lambda));
    return sharing.length === 1 && withType(all, LOG_GROUP).some(({ id }) => id === groupOf(lambda));
  }),

  'every failure of a function is in an alarm: of its dead letters, or the 5xx of the API that calls it, or fails a deployment':
    each([FUNCTION], ({ id, properties: { DeadLetterConfig } }, all) => {
      const alarms = withType(all, ALARM);
      const queue = at(DeadLetterConfig, 'TargetArn');
      const isKept =
        queue !== undefined &&
        alarms.some(({ properties }) => String(properties.AlarmDescription).endsWith('#dead-letters-arrive'));
      const serverErrors = alarms.some(
        ({ properties }) =>
          String(properties.AlarmDescription).endsWith('#the-api-fails') &&
          JSON.stringify(properties.Metrics).includes('"5XXError"'),
      );
      return isKept || (serverErrors && calledByApi(all, id)) || calledByDeployments(all, id);
    }),

  "one alarm watches the account's throttles of functions": (resources) => {
    const dimensions = withType(resources, ALARM)
      .filter(
        ({ properties }) => properties.Namespace === 'AWS/Lambda' && properties.MetricName === 'Throttles',
      )
      .map(({ properties }) => JSON.stringify(properties.Dimensions) ?? 'of the account');
    return dimensions.join() === 'of the account' ? [] : dimensions;
  },

  'events that a function failed to handle go to a dead-letter queue, where no caller waits': each(
    [FUNCTION],
    ({ id, properties }, all) =>
      Boolean(at(properties.DeadLetterConfig, 'TargetArn')) !==
      (calledByApi(all, id) || calledByDeployments(all, id)),
  ),

  // A topic in its place would be another mail for the same failure.
  'asynchronous events are retried once, for a minute at least, and then kept in the queue of dead letters':
    each(
      ['AWS::Lambda::EventInvokeConfig'],
      ({ properties }, all) =>
        Number(properties.MaximumRetryAttempts) <= 1 &&
        Number(properties.MaximumEventAgeInSeconds) >= 60 &&
        withType(all, 'AWS::SQS::Queue').some(
          ({ id }) => at(properties.DestinationConfig, 'OnFailure', 'Destination', 'Fn::GetAtt', 0) === id,
        ),
    ),

  'every schedule is bounded, has a dead-letter queue, and is spread so that one deployment does not run all at once':
    each(
      [SCHEDULE],
      ({ properties: { Target, FlexibleTimeWindow } }) =>
        Number(at(FlexibleTimeWindow, 'MaximumWindowInMinutes')) > 0 &&
        Number(at(Target, 'RetryPolicy', 'MaximumRetryAttempts')) <= 2 &&
        Number(at(Target, 'RetryPolicy', 'MaximumEventAgeInSeconds')) <= 86_400 &&
        Boolean(at(Target, 'DeadLetterConfig', 'Arn')),
    ),

  'a schedule may invoke its own function and nothing else': each(
    [SCHEDULE],
    ({ properties: { Target } }, all) => {
      const invoked = grantsOf(all, at(Target, 'RoleArn'))
        .filter(({ actions }) => actions.some((action) => action.startsWith('lambda:')))
        .map(({ statement }) => JSON.stringify(statement.Resource));
      return invoked.length === 1 && invoked[0] === JSON.stringify(at(Target, 'Arn'));
    },
  ),

  'no variable names a region, a key other than the public one, or a secret value': each(
    [FUNCTION],
    (lambda) =>
      Object.entries(variablesOf(lambda)).every(
        ([name, value]) =>
          name === 'DEMO_KEY' ||
          !(/REGION|PASSWORD|TOKEN/.test(name) || /pcd_(dev|live)_/.test(String(value))),
      ),
  ),

  'a function has rights on exactly the tables that it knows by name': (resources) =>
    withType(resources, FUNCTION).flatMap((lambda) => {
      const named = Object.values(TABLES)
        .map(({ variable }) => tableOf(variablesOf(lambda)[variable]))
        .filter((table) => table !== undefined);
      const granted = grantsOf(resources, lambda.properties.Role)
        .filter(({ actions }) => actions.some((action) => action.startsWith('dynamodb:')))
        .flatMap(({ statement }) =>
          listAt(statement.Resource).map((table) => tableOf(table) ?? 'everything'),
        );
      return [...new Set([...named, ...granted])]
        .filter((table) => !named.includes(table) || !granted.includes(table))
        .map((table) => `${lambda.stack}/${lambda.id}: ${table} by name or by right only`);
    }),

  'functions behind the API write to no table but the buckets of the limiter': each(
    [FUNCTION],
    (lambda, all) =>
      lambda.stack !== 'api' ||
      // It is in the stack of the API because it needs its id; no request reaches it.
      lambda.id.startsWith('KeyReconciliation') ||
      grantsOf(all, lambda.properties.Role)
        .filter(({ actions }) => actions.some((action) => WRITES.test(action)))
        .every(
          ({ actions, statement }) =>
            actions.every((action) => !WRITES.test(action) || action === 'dynamodb:UpdateItem') &&
            listAt(statement.Resource).every(
              (table) => tableOf(table) === tableOf(variablesOf(lambda)[TABLES.rateLimits.variable]),
            ),
        ),
  ),

  'production keeps its data, other stages leave nothing': each(
    KEPT,
    ({ deletionPolicy, updateReplacePolicy }, _, stage) =>
      deletionPolicy === (stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete') &&
      updateReplacePolicy === (stage === 'prod' ? 'Retain' : 'Delete'),
  ),

  'the tables of production are protected from deletion': each(
    [TABLE],
    ({ properties }, _, stage) => Boolean(properties.DeletionProtectionEnabled) === (stage === 'prod'),
  ),

  'a bucket is private and encrypted, and versioned, or forgets': each([BUCKET], ({ properties }) => {
    const blocks = Object.values(objectAt(properties.PublicAccessBlockConfiguration));
    const rules = listAt(properties.LifecycleConfiguration, 'Rules');
    return (
      blocks.length === 4 &&
      blocks.every((block) => block === true) &&
      properties.BucketEncryption !== undefined &&
      (at(properties.VersioningConfiguration, 'Status') === 'Enabled' ||
        rules.some((rule) => at(rule, 'ExpirationInDays') !== undefined))
    );
  }),

  'nothing may delete an object': (resources) =>
    grantsIn(resources)
      .filter(({ actions }) => actions.some((action) => /^(s3:(Delete|\*)|\*)/.test(action)))
      .map(({ holder }) => `${holder.stack}/${holder.id}`),

  'every method but health asks for a key, by the authorizer': each([METHOD], (method, all) => {
    const { AuthorizationType, AuthorizerId, ApiKeyRequired, HttpMethod } = method.properties;
    if (OPEN_PATHS.includes(pathOf(all, method)) || HttpMethod === 'OPTIONS') return true;
    const isThere = withType(all, AUTHORIZER).some(({ id }) => id === at(AuthorizerId, 'Ref'));
    return AuthorizationType === 'CUSTOM' && ApiKeyRequired === true && isThere;
  }),

  'methods are those of the contract, GET and HEAD each': (resources) => {
    const wanted = Object.values(ROUTES)
      .flatMap(({ paths }): readonly string[] => paths)
      .flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
    const found = withType(resources, METHOD)
      .filter(({ properties }) => properties.HttpMethod !== 'OPTIONS')
      .map((method) => `${String(method.properties.HttpMethod)} ${pathOf(resources, method)}`);
    return [
      ...wanted.filter((path) => !found.includes(path)).map((path) => `missing: ${path}`),
      ...found.filter((path) => !wanted.includes(path)).map((path) => `not in the contract: ${path}`),
    ];
  },

  // Else its request template is given bytes, and every request fails.
  'a mock answers as text, where the gateway takes every body as binary': each(
    [METHOD],
    ({ properties: { Integration } }) =>
      at(Integration, 'Type') !== 'MOCK' || at(Integration, 'ContentHandling') === 'CONVERT_TO_TEXT',
  ),

  'a name that is unique in the account has the stage in it, so that two stages fit into one account': (
    resources,
    stage,
  ) =>
    resources.flatMap(({ stack, id, type, properties }) =>
      Object.entries(properties)
        .filter(([property]) => property === 'Name' || property === `${type.split('::')[2]}Name`)
        .filter(([, name]) => !RECURRING.includes(type) && !JSON.stringify(name).includes(stage))
        .map(([property, name]) => `${stack}/${id}: ${property} ${JSON.stringify(name)}`),
    ),

  'keys come from the authorizer, and the gateway compresses nothing': each(
    ['AWS::ApiGateway::RestApi'],
    ({ properties }) =>
      properties.ApiKeySourceType === 'AUTHORIZER' && properties.MinimumCompressionSize === undefined,
  ),

  'the authorizer needs the key header and its result is cached for a minute': each(
    [AUTHORIZER],
    ({ properties }) =>
      properties.Type === 'REQUEST' &&
      properties.IdentitySource === 'method.request.header.X-API-Key' &&
      properties.AuthorizerResultTtlInSeconds === 60,
  ),

  'the stage is logged as JSON without keys, bounded, and not cached': each(
    ['AWS::ApiGateway::Stage'],
    ({ properties }) => {
      const line = String(at(properties.AccessLogSetting, 'Format'));
      const [settings] = listAt(properties.MethodSettings);
      return (
        ['requestId', 'extendedRequestId', 'integrationError', 'path', 'userAgent', 'firewall'].every(
          (field) => field in JSON.parse(line),
        ) &&
        !/identity\.apiKey\b|authorizer\.keyDigest|header\./.test(line) &&
        properties.CacheClusterEnabled !== true &&
        at(settings, 'DataTraceEnabled') !== true &&
        Number(at(settings, 'ThrottlingRateLimit')) > 0
      );
    },
  ),

  'a firewall logs what it blocks, for as long as other logs, without the key and the mark of the portal':
    each(['AWS::WAFv2::WebACL'], (acl, all) => {
      const groups = withType(all, LOG_GROUP);
      const [log] = withType(all, 'AWS::WAFv2::LoggingConfiguration')
        .map(({ properties }) => properties)
        .filter(({ ResourceArn }) => at(ResourceArn, 'Fn::GetAtt', 0) === acl.id);
      const group = groups.find(({ id }) => refersTo(log?.LogDestinationConfigs, id));
      const redacted = listAt(log?.RedactedFields).map((field) => at(field, 'SingleHeader', 'Name'));
      return (
        String(group?.properties.LogGroupName).startsWith('aws-waf-logs-') &&
        group?.properties.RetentionInDays === groups[0]?.properties.RetentionInDays &&
        ['x-api-key', 'x-portal-mark'].every((name) => redacted.includes(name)) &&
        at(log?.LoggingFilter, 'DefaultBehavior') === 'DROP' &&
        JSON.stringify(log?.LoggingFilter).includes('"BLOCK"')
      );
    }),

  'every alarm names a heading of the runbook': each([ALARM, COMPOSITE], ({ properties }) =>
    runbookAnchors().includes(anchorIn(properties.AlarmDescription)),
  ),

  'every heading of the runbook has an alarm, where all settings are on': (resources, stage) => {
    if (stage !== 'dev') return [];
    const used = withType(resources, ALARM, COMPOSITE).map(({ properties }) =>
      anchorIn(properties.AlarmDescription),
    );
    return runbookAnchors().filter((anchor) => !used.includes(anchor));
  },

  'every alarm says what consumers notice and how urgent it is, and notifies the topic of that': each(
    [ALARM, COMPOSITE],
    ({ properties: { AlarmDescription, AlarmActions, OKActions } }) => {
      const [, severity] = / Consumers: .+\. Severity: (page|ticket)\. /.exec(String(AlarmDescription)) ?? [];
      const topic = severity === 'page' ? 'Pages' : 'Alarms';
      const isOf = (action: unknown): boolean =>
        new RegExp(`Output(Ref|FnGetAtt)?${topic}|"${topic}"`).test(JSON.stringify(action));
      return severity !== undefined && [...listAt(AlarmActions), ...listAt(OKActions)].every(isOf);
    },
  ),

  'every alarm notifies a topic, directly or through its composite alarm': each(
    [ALARM, COMPOSITE],
    ({ id, properties }, all) =>
      (listAt(properties.AlarmActions).length > 0 && listAt(properties.OKActions).length > 0) ||
      withType(all, COMPOSITE).some(({ properties: { AlarmRule } }) => refersTo(AlarmRule, id)),
  ),

  'every alarm states how it treats missing data': each(
    [ALARM],
    ({ properties }) => properties.TreatMissingData !== undefined,
  ),

  'CloudWatch may publish to every topic': each(['AWS::SNS::Topic'], ({ id }, all) =>
    withType(all, TOPIC_POLICY)
      .filter(({ properties }) => refersTo(properties.Topics, id))
      .flatMap(({ properties }) => listAt(properties.PolicyDocument, 'Statement'))
      .some(
        (statement) =>
          at(statement, 'Effect') === 'Allow' &&
          at(statement, 'Action') === 'sns:Publish' &&
          at(statement, 'Principal', 'Service') === 'cloudwatch.amazonaws.com',
      ),
  ),
};

describe.each(STAGES)('in %s', (stage, settings) => {
  const { resources } = sharedStacks(stage, settings);
  it.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(resources, stage)).toEqual([]);
  });
});
