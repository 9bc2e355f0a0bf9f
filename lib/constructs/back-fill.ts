/**
 * The back-fill of one source, in steps of the ingest function: its past is loaded into the archive, then the archive is applied in order
 * of time. A redrive continues at the step that failed.
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { accept, acceptWildcards, allow } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

/** Steps of 13 minutes, with ten events each, stay below the 25,000 events of an execution. */
const MAX_DURATION = Duration.days(14);

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

/** A step of the back-fill, repeated until its result is `done`; then comes `next`. */
function addStep(
  scope: Construct,
  id: 'Load' | 'Apply',
  lambdaFunction: IFunction,
  next: sfn.IChainable,
): LambdaInvoke {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction,
    payload: sfn.TaskInput.fromObject({ backFill: id.toLowerCase(), 'request.$': '$' }),
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
  const isDone = sfn.Condition.booleanEquals('$.done', true);
  task.next(new sfn.Choice(scope, `${id}IsDone`).when(isDone, next).otherwise(task));
  return task;
}

/** Works through `{ source, from, to, since, until }`. */
const planOf = (scope: Construct, ingest: IFunction): sfn.IChainable =>
  addStep(scope, 'Load', ingest, addStep(scope, 'Apply', ingest, new sfn.Succeed(scope, 'Done')));

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
