/**
 * The back-fill of one source: it is opened, which fetches the past and names the partitions; these are applied in parallel, by
 * child executions in steps of the ingest function; and it is closed. A redrive continues at each partition's checkpoint.
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { logicalId } from '../pinned.ts';
import { accept, acceptWildcards, allow, arn } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

/** Partitions at a time. They fetch nothing, but a new account has a concurrency of ten for everything. */
export const AT_ONCE = 4;
const MAX_DURATION = Duration.days(14);
const MAP_LABEL = 'Partitions';

/** What Step Functions needs to deliver its log; AWS documents it for "*" only. */
const LOG_DELIVERY = [
  'logs:CreateLogDelivery',
  'logs:GetLogDelivery',
  'logs:UpdateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:DescribeResourcePolicies',
  'logs:DescribeLogGroups',
];
const TRACING = [
  'xray:PutTraceSegments',
  'xray:PutTelemetryRecords',
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
];

/** A step of the back-fill: `backFill` names it, and what it works on is the input, as `subject`. */
function addStep(
  scope: Construct,
  id: 'Open' | 'Walk' | 'Close',
  lambdaFunction: IFunction,
  subject: 'request' | 'partition',
): LambdaInvoke {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction,
    payload: sfn.TaskInput.fromObject({ backFill: id.toLowerCase(), [`${subject}.$`]: '$' }),
    payloadResponseOnly: true,
  });
  // An upstream that is down for some minutes, or a lease whose holder died, must not end the back-fill.
  task.addRetry({
    interval: Duration.seconds(30),
    backoffRate: 2,
    maxAttempts: 8,
    maxDelay: Duration.minutes(15),
    jitterStrategy: sfn.JitterType.FULL,
  });
  return task;
}

/** `{ source, from, to }` is opened, step by step; then come its partitions, and its end. */
function planOf(scope: Construct, ingest: IFunction): sfn.IChainable {
  const open = addStep(scope, 'Open', ingest, 'request');
  const close = addStep(scope, 'Close', ingest, 'request');
  const walk = addStep(scope, 'Walk', ingest, 'partition');
  const walked = new sfn.Choice(scope, 'AtTheEnd')
    .when(sfn.Condition.booleanEquals('$.done', true), new sfn.Succeed(scope, 'Walked'))
    .otherwise(walk);
  const partitions = new sfn.DistributedMap(scope, 'Partitions', {
    label: MAP_LABEL,
    itemsPath: '$.parts',
    // What all partitions have in common is not repeated in each of them.
    itemSelector: {
      'source.$': '$.source',
      'span.$': '$.span',
      'part.$': '$$.Map.Item.Value',
    },
    resultPath: sfn.JsonPath.DISCARD,
    maxConcurrency: AT_ONCE,
    mapExecutionType: sfn.StateMachineType.STANDARD,
  }).itemProcessor(walk.next(walked));
  const opened = new sfn.Choice(scope, 'AllThere')
    .when(sfn.Condition.booleanEquals('$.done', true), partitions.next(close))
    .otherwise(open);
  return open.next(opened);
}

export function addBackFill(
  stack: Stack,
  { logs: options, tracing }: StageConfig,
  ingest: IFunction,
  topics: AlarmTopics,
): sfn.StateMachine {
  const scope = new Construct(stack, 'BackFill');
  const logs = new LogGroup(scope, 'Logs', options);
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
  const machine = new sfn.StateMachine(scope, 'StateMachine', {
    // The library would give a right to every version of the function; it is given one to the function below.
    role: role.withoutPolicyUpdates(),
    definitionBody: sfn.DefinitionBody.fromChainable(planOf(scope, ingest)),
    timeout: MAX_DURATION,
    tracingEnabled: tracing,
    logs: { destination: logs, level: sfn.LogLevel.ALL, includeExecutionData: true },
  });
  allow(role, ['lambda:InvokeFunction'], ingest.functionArn);
  allow(role, [...LOG_DELIVERY, ...(tracing ? TRACING : [])], '*');
  if (!tracing) accept(machine, 'AwsSolutions-SF2', 'Serverless-StepFunctionStateMachineXray');
  acceptWildcards(role, 'vendedLogs', '*');
  // The map's rights over its own executions are the library's own; only their ids are not known here.
  const mapPolicy = machine.node.findChild('DistributedMapPolicy') as Policy;
  mapPolicy.attachToRole(role);
  const name = JSON.stringify({ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: logicalId(machine) }] }] });
  const executions = `${arn(scope, 'states', stack.account)}:execution:${name}`;
  acceptWildcards(machine, 'ownExecutions', `${executions}:*`, `${executions}/${MAP_LABEL}:*`);
  new RunbookAlarm(scope, 'Failed', {
    kind: 'backFill',
    meaning: 'A back-fill stopped before its end and waits to be redriven.',
    metric: new MathExpression({
      expression: 'FILL(failed, 0) + FILL(timedOut, 0)',
      label: 'back-fills that failed or took too long',
      usingMetrics: {
        failed: machine.metricFailed({ statistic: 'Sum' }),
        timedOut: machine.metricTimedOut({ statistic: 'Sum' }),
      },
    }),
    topics,
  });
  return machine;
}
