/** Rules for functions and what starts them. */
import { at, listAt, objectAt, ofType, type Resource, refersTo } from '../../builders/stacks.ts';
import { type Rule, unless } from './rule.ts';

const FUNCTION = 'AWS::Lambda::Function';
const SCHEDULE = 'AWS::Scheduler::Schedule';

const calledByApi = (resources: readonly Resource[], id: string): boolean =>
  ofType(resources, 'AWS::Lambda::Permission').some(
    ({ properties }) =>
      properties.Principal === 'apigateway.amazonaws.com' && refersTo(properties.FunctionName, id),
  );

export const functionRules = {
  'every function has a timeout, memory and a description': (resources) =>
    unless(
      ofType(resources, FUNCTION),
      'no timeout, memory or description',
      ({ properties: { Timeout, MemorySize, Description } }) =>
        typeof Timeout === 'number' && typeof MemorySize === 'number' && typeof Description === 'string',
    ),

  'every function runs on nodejs24.x and arm64 and is traced': (resources) =>
    unless(
      ofType(resources, FUNCTION),
      'another runtime, or not traced',
      ({ properties }) =>
        properties.Runtime === 'nodejs24.x' &&
        at(properties.Architectures, 0) === 'arm64' &&
        at(properties.TracingConfig, 'Mode') === 'Active',
    ),

  'every function writes to a log group of its own': (resources) => {
    const groups = ofType(resources, 'AWS::Logs::LogGroup').map(({ id }) => id);
    const used = ofType(resources, FUNCTION).map(({ properties }) =>
      String(at(properties.LoggingConfig, 'LogGroup', 'Ref')),
    );
    return unless(ofType(resources, FUNCTION), 'no log group, or a shared one', ({ properties }) => {
      const group = String(at(properties.LoggingConfig, 'LogGroup', 'Ref'));
      return groups.includes(group) && used.filter((other) => other === group).length === 1;
    });
  },

  'every log group has a retention time': (resources) =>
    unless(
      ofType(resources, 'AWS::Logs::LogGroup'),
      'without a retention time',
      ({ properties }) => typeof properties.RetentionInDays === 'number',
    ),

  'every failure of a function is in an alarm: its own, or the 5xx of the API that calls it': (resources) => {
    const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
    const serverErrors = alarms.some(({ properties }) => properties.MetricName === '5XXError');
    return unless(ofType(resources, FUNCTION), 'no alarm has its failures', ({ id }) => {
      const ofItself = alarms.some(
        ({ properties }) => JSON.stringify(properties).includes('"Errors"') && refersTo(properties, id),
      );
      return ofItself || (serverErrors && calledByApi(resources, id));
    });
  },

  "one alarm watches the account's throttles of functions": (resources) => {
    const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').filter(
      ({ properties }) => properties.Namespace === 'AWS/Lambda' && properties.MetricName === 'Throttles',
    );
    return alarms.length === 1 && alarms[0]?.properties.Dimensions === undefined
      ? []
      : [`${alarms.length} alarms on throttles`];
  },

  'an event that a function failed to handle goes to a dead-letter queue': (resources) => [
    ...unless(
      ofType(resources, FUNCTION),
      'dead letters where a caller waits, or none where no caller does',
      (one) => {
        const hasQueue = Boolean(at(one.properties.DeadLetterConfig, 'TargetArn'));
        return hasQueue !== calledByApi(resources, one.id);
      },
    ),
    ...unless(
      ofType(resources, 'AWS::Lambda::EventInvokeConfig'),
      'retries too often, too late or without a dead-letter queue',
      ({ properties }) =>
        Number(properties.MaximumRetryAttempts) <= 1 &&
        Number(properties.MaximumEventAgeInSeconds) >= 60 &&
        Boolean(at(properties.DestinationConfig, 'OnFailure', 'Destination')),
    ),
  ],

  'every schedule is bounded and has a dead-letter queue': (resources) =>
    unless(
      ofType(resources, SCHEDULE),
      'unbounded, or without dead letters',
      ({ properties: { Target } }) =>
        Number(at(Target, 'RetryPolicy', 'MaximumRetryAttempts')) <= 2 &&
        Number(at(Target, 'RetryPolicy', 'MaximumEventAgeInSeconds')) <= 86_400 &&
        Boolean(at(Target, 'DeadLetterConfig', 'Arn')),
    ),

  'a schedule may invoke its own function and nothing else': (resources) =>
    ofType(resources, SCHEDULE).flatMap(({ stack, id, properties: { Target } }) => {
      const role = at(Target, 'RoleArn', 'Fn::GetAtt', 0);
      const statements = ofType(resources, 'AWS::IAM::Role', 'AWS::IAM::Policy')
        .filter((found) => found.id === role || refersTo(found.properties.Roles, String(role)))
        .flatMap(({ properties }) => [
          ...listAt(properties.PolicyDocument, 'Statement'),
          ...listAt(properties.Policies).flatMap((policy) => listAt(policy, 'PolicyDocument', 'Statement')),
        ]);
      const invoked = statements.filter((one) =>
        listAt(one, 'Action').some((action) => String(action).startsWith('lambda:')),
      );
      const own = JSON.stringify(at(Target, 'Arn'));
      const right = invoked.length === 1 && JSON.stringify(objectAt(invoked[0], 'Resource')) === own;
      return right ? [] : [`${stack}/${id}: its role may invoke something else`];
    }),

  'no variable names a region, a key or a secret value': (resources) =>
    ofType(resources, FUNCTION).flatMap(({ stack, id, properties }) =>
      Object.entries(objectAt(properties.Environment, 'Variables'))
        .filter(
          ([name, value]) => /REGION|PASSWORD|TOKEN/.test(name) || /pcd_(dev|live)_/.test(String(value)),
        )
        .map(([name]) => `${stack}/${id}: ${name}`),
    ),
} satisfies Record<string, Rule>;
