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
const TABLE = 'AWS::DynamoDB::Table';
const BUCKET = 'AWS::S3::Bucket';
/** What data, addresses and plans of callers are in; the stage's deployment is one that the stage cannot be without. */
const KEPT = [
  TABLE,
  BUCKET,
  'AWS::Logs::LogGroup',
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

/** The resources for which `isMet` is false, as `stack/id: reason`. */
const unless = (
  resources: readonly Resource[],
  reason: string,
  isMet: (resource: Resource) => boolean,
): string[] =>
  resources.filter((resource) => !isMet(resource)).map(({ stack, id }) => `${stack}/${id}: ${reason}`);

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
  ['prod', { canaryMinutes: '60' }],
] as const;

/** What breaks the rule, empty where it is met. */
type Rule = (resources: readonly Resource[], stage: 'dev' | 'prod') => string[];

const RULES: Readonly<Record<string, Rule>> = {
  'every function writes to a log group of its own': (resources) => {
    const groups = withType(resources, 'AWS::Logs::LogGroup').map(({ id }) => id);
    const used = withType(resources, FUNCTION).map(({ properties }) =>
      String(at(properties.LoggingConfig, 'LogGroup', 'Ref')),
    );
    return unless(withType(resources, FUNCTION), 'no log group, or a shared one', ({ properties }) => {
      const group = String(at(properties.LoggingConfig, 'LogGroup', 'Ref'));
      return groups.includes(group) && used.filter((other) => other === group).length === 1;
    });
  },

  'every failure of a function is in an alarm: its own, or the 5xx of the API that calls it, or fails a deployment':
    (resources) => {
      const alarms = withType(resources, ALARM);
      const serverErrors = alarms.some(({ properties }) => properties.MetricName === '5XXError');
      return unless(withType(resources, FUNCTION), 'no alarm has its failures', ({ id }) => {
        const hasOwnAlarm = alarms.some(
          ({ properties }) => JSON.stringify(properties).includes('"Errors"') && refersTo(properties, id),
        );
        return (
          hasOwnAlarm || (serverErrors && calledByApi(resources, id)) || calledByDeployments(resources, id)
        );
      });
    },

  "one alarm watches the account's throttles of functions": (resources) => {
    const alarms = withType(resources, ALARM).filter(
      ({ properties }) => properties.Namespace === 'AWS/Lambda' && properties.MetricName === 'Throttles',
    );
    return alarms.length === 1 && alarms[0]?.properties.Dimensions === undefined
      ? []
      : [`${alarms.length} alarms on throttles`];
  },

  'an event that a function failed to handle goes to a dead-letter queue': (resources) => [
    ...unless(
      withType(resources, FUNCTION),
      'dead letters where a caller waits, or none where no caller does',
      (resource) => {
        const hasQueue = Boolean(at(resource.properties.DeadLetterConfig, 'TargetArn'));
        return (
          hasQueue !== (calledByApi(resources, resource.id) || calledByDeployments(resources, resource.id))
        );
      },
    ),
    ...unless(
      withType(resources, 'AWS::Lambda::EventInvokeConfig'),
      'retries too often, too late or without a dead-letter queue',
      ({ properties }) =>
        Number(properties.MaximumRetryAttempts) <= 1 &&
        Number(properties.MaximumEventAgeInSeconds) >= 60 &&
        Boolean(at(properties.DestinationConfig, 'OnFailure', 'Destination')),
    ),
  ],

  'every schedule is bounded, has a dead-letter queue, and is spread so that one deployment does not run all at once':
    (resources) =>
      unless(
        withType(resources, SCHEDULE),
        'unbounded, without dead letters, or not spread',
        ({ properties: { Target, FlexibleTimeWindow } }) =>
          Number(at(FlexibleTimeWindow, 'MaximumWindowInMinutes')) > 0 &&
          Number(at(Target, 'RetryPolicy', 'MaximumRetryAttempts')) <= 2 &&
          Number(at(Target, 'RetryPolicy', 'MaximumEventAgeInSeconds')) <= 86_400 &&
          Boolean(at(Target, 'DeadLetterConfig', 'Arn')),
      ),

  'a schedule may invoke its own function and nothing else': (resources) =>
    unless(
      withType(resources, SCHEDULE),
      'its role may invoke something else',
      ({ properties: { Target } }) => {
        const invoked = grantsOf(resources, at(Target, 'RoleArn')).filter(({ actions }) =>
          actions.some((action) => action.startsWith('lambda:')),
        );
        const functions = invoked.map(({ statement }) => JSON.stringify(statement.Resource));
        return functions.length === 1 && functions[0] === JSON.stringify(at(Target, 'Arn'));
      },
    ),

  'no variable names a region, a key or a secret value': (resources) =>
    withType(resources, FUNCTION).flatMap((lambda) =>
      Object.entries(variablesOf(lambda))
        // The demo key is public.
        .filter(([name]) => name !== 'DEMO_KEY')
        .filter(
          ([name, value]) => /REGION|PASSWORD|TOKEN/.test(name) || /pcd_(dev|live)_/.test(String(value)),
        )
        .map(([name]) => `${lambda.stack}/${lambda.id}: ${name}`),
    ),

  'a function has rights on exactly the tables that it knows by name': (resources) =>
    withType(resources, FUNCTION).flatMap((resource) => {
      const named = Object.values(TABLES)
        .map(({ variable }) => tableOf(variablesOf(resource)[variable]))
        .filter((table) => table !== undefined);
      const granted = grantsOf(resources, resource.properties.Role)
        .filter(({ actions }) => actions.some((action) => action.startsWith('dynamodb:')))
        .flatMap(({ statement }) =>
          listAt(statement.Resource).map((table) => tableOf(table) ?? 'everything'),
        );
      const differ = [...new Set([...named, ...granted])].filter(
        (table) => !named.includes(table) || !granted.includes(table),
      );
      return differ.map((table) => `${resource.stack}/${resource.id}: ${table} by name or by right only`);
    }),

  'functions behind the API write to no table but the buckets of the limiter': (resources) =>
    withType(resources, FUNCTION)
      // The key reconciliation is in the stack of the API because it needs its id; no request reaches it.
      .filter(({ stack, id }) => stack === 'api' && !id.startsWith('KeyReconciliation'))
      .flatMap((resource) =>
        grantsOf(resources, resource.properties.Role)
          .filter(({ actions }) => actions.some((action) => WRITES.test(action)))
          .filter(
            ({ actions, statement }) =>
              actions.some((action) => WRITES.test(action) && action !== 'dynamodb:UpdateItem') ||
              listAt(statement.Resource).some(
                (table) => tableOf(table) !== tableOf(variablesOf(resource)[TABLES.rateLimits.variable]),
              ),
          )
          .map(({ actions }) => `${resource.stack}/${resource.id}: ${actions.join(', ')}`),
      ),

  'production keeps its data, other stages leave nothing': (resources, stage) => [
    ...unless(
      withType(resources, ...KEPT),
      'retained or deleted against the rule of its stage',
      ({ deletionPolicy, updateReplacePolicy }) =>
        deletionPolicy === (stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete') &&
        updateReplacePolicy === (stage === 'prod' ? 'Retain' : 'Delete'),
    ),
    ...unless(
      withType(resources, TABLE),
      'deletion protection against the rule of its stage',
      ({ properties }) => Boolean(properties.DeletionProtectionEnabled) === (stage === 'prod'),
    ),
  ],

  'a bucket is private and encrypted, and versioned, or forgets': (resources) =>
    unless(withType(resources, BUCKET), 'is public, not encrypted, or keeps all', ({ properties }) => {
      const blocks = Object.values(objectAt(properties.PublicAccessBlockConfiguration));
      const forgets = listAt(properties.LifecycleConfiguration, 'Rules').some(
        (rule) => at(rule, 'ExpirationInDays') !== undefined,
      );
      return (
        blocks.length === 4 &&
        blocks.every((block) => block === true) &&
        properties.BucketEncryption !== undefined &&
        (forgets || at(properties.VersioningConfiguration, 'Status') === 'Enabled')
      );
    }),

  'nothing may delete an object': (resources) =>
    grantsIn(resources)
      .filter(({ actions }) => actions.some((action) => /^(s3:(Delete|\*)|\*)/.test(action)))
      .map(({ holder }) => `${holder.stack}/${holder.id}: may delete objects`),

  'every method but health asks for a key, by the authorizer': (resources) =>
    withType(resources, METHOD).flatMap((method) => {
      const { AuthorizationType, AuthorizerId, ApiKeyRequired, HttpMethod } = method.properties;
      const path = pathOf(resources, method);
      const open = OPEN_PATHS.includes(path) || HttpMethod === 'OPTIONS';
      const closed =
        AuthorizationType === 'CUSTOM' &&
        ApiKeyRequired === true &&
        withType(resources, 'AWS::ApiGateway::Authorizer').some(({ id }) => id === at(AuthorizerId, 'Ref'));
      return open || closed ? [] : [`${method.stack}/${method.id}: ${String(HttpMethod)} ${path} is open`];
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

  'a mock answers as text, where the gateway takes every body as binary': (resources) =>
    unless(
      withType(resources, METHOD).filter(({ properties }) => at(properties.Integration, 'Type') === 'MOCK'),
      'its request template is given bytes, and every request fails',
      ({ properties }) => at(properties.Integration, 'ContentHandling') === 'CONVERT_TO_TEXT',
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

  'keys come from the authorizer': (resources) =>
    unless(
      withType(resources, 'AWS::ApiGateway::RestApi'),
      'takes keys from the header, or compresses',
      ({ properties }) =>
        properties.ApiKeySourceType === 'AUTHORIZER' && properties.MinimumCompressionSize === undefined,
    ),

  'the authorizer needs the key header and its result is cached for a minute': (resources) =>
    unless(
      withType(resources, 'AWS::ApiGateway::Authorizer'),
      'without identity source, or cached for another time',
      ({ properties }) =>
        properties.Type === 'REQUEST' &&
        properties.IdentitySource === 'method.request.header.X-API-Key' &&
        properties.AuthorizerResultTtlInSeconds === 60,
    ),

  'the stage is logged as JSON without keys, bounded, and not cached': (resources) =>
    unless(withType(resources, 'AWS::ApiGateway::Stage'), 'not logged, or not bounded', ({ properties }) => {
      const line = String(at(properties.AccessLogSetting, 'Format'));
      const [settings] = listAt(properties.MethodSettings);
      return (
        'requestId' in JSON.parse(line) &&
        !/identity\.apiKey\b|authorizer\.keyDigest|header\./.test(line) &&
        properties.CacheClusterEnabled !== true &&
        at(settings, 'DataTraceEnabled') !== true &&
        Number(at(settings, 'ThrottlingRateLimit')) > 0
      );
    }),

  'a firewall logs what it blocks, for as long as other logs, without the key and the mark of the portal': (
    resources,
  ) => {
    const groups = withType(resources, 'AWS::Logs::LogGroup');
    return unless(withType(resources, 'AWS::WAFv2::WebACL'), 'not logged so', (acl) => {
      const [log] = withType(resources, 'AWS::WAFv2::LoggingConfiguration')
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
    });
  },

  'every alarm names a heading of the runbook': (resources) =>
    unless(withType(resources, ALARM, COMPOSITE), 'no such heading', ({ properties }) =>
      runbookAnchors().includes(anchorIn(properties.AlarmDescription)),
    ),

  'every heading of the runbook has an alarm, where all settings are on': (resources, stage) => {
    if (stage !== 'dev') return [];
    const used = withType(resources, ALARM, COMPOSITE).map(({ properties }) =>
      anchorIn(properties.AlarmDescription),
    );
    return runbookAnchors().filter((anchor) => !used.includes(anchor));
  },

  'every alarm says what consumers notice and how urgent it is, and notifies the topic of that': (
    resources,
  ) =>
    unless(
      withType(resources, ALARM, COMPOSITE),
      'no severity, or the topic of another',
      ({ properties: { AlarmDescription, AlarmActions, OKActions } }) => {
        const [, severity] =
          / Consumers: .+\. Severity: (page|ticket)\. /.exec(String(AlarmDescription)) ?? [];
        const topic = severity === 'page' ? 'Pages' : 'Alarms';
        const isOf = (action: unknown): boolean =>
          new RegExp(`Output(Ref|FnGetAtt)?${topic}|"${topic}"`).test(JSON.stringify(action));
        return severity !== undefined && [...listAt(AlarmActions), ...listAt(OKActions)].every(isOf);
      },
    ),

  'a budget is of the tag of the stage, and its topic takes its mail': (resources, stage) =>
    unless(withType(resources, 'AWS::Budgets::Budget'), 'of all stages, or unheard', ({ properties }) => {
      const tags = at(properties.Budget, 'CostFilters', 'TagKeyValue');
      const allowed = withType(resources, 'AWS::SNS::TopicPolicy').some(({ properties: policy }) =>
        JSON.stringify(policy).includes('budgets.amazonaws.com'),
      );
      return JSON.stringify(tags) === JSON.stringify([`user:stage$${stage}`]) && allowed;
    }),

  'every alarm notifies a topic, directly or through its composite alarm': (resources) =>
    unless(
      withType(resources, ALARM, COMPOSITE),
      'notifies no topic',
      ({ id, properties }) =>
        (listAt(properties.AlarmActions).length > 0 && listAt(properties.OKActions).length > 0) ||
        withType(resources, COMPOSITE).some(({ properties: { AlarmRule } }) => refersTo(AlarmRule, id)),
    ),

  'every alarm states how it treats missing data': (resources) =>
    unless(
      withType(resources, ALARM),
      'does not state how it treats missing data',
      ({ properties }) => properties.TreatMissingData !== undefined,
    ),

  'CloudWatch may publish to every topic': (resources) =>
    unless(withType(resources, 'AWS::SNS::Topic'), 'refuses alarms', ({ id }) =>
      withType(resources, 'AWS::SNS::TopicPolicy')
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
