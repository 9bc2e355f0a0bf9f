/**
 * The back-fill of one source: it is opened, which brings the past in and says which partitions there are; the
 * partitions are applied in parallel, each in time order, by child executions; and it is closed. The ingest function
 * does the work in steps shorter than its time limit, and each partition has a checkpoint in the table of source
 * states, so a redrive continues from there.
 */
import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  type CfnStateMachine,
  Choice,
  Condition,
  DefinitionBody,
  DistributedMap,
  type IChainable,
  JitterType,
  JsonPath,
  LogLevel,
  StateMachine,
  StateMachineType,
  Succeed,
  TaskInput,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { acknowledge, arn } from '../acknowledgements.ts';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

/** Partitions at a time. They fetch nothing, but a new account has a concurrency of ten for everything. */
const AT_ONCE = 4;
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

export interface BackFillProps {
  readonly config: StageConfig;
  readonly ingest: IFunction;
  readonly alarmTopics: AlarmTopics;
}

export class BackFill extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { config, ingest, alarmTopics }: BackFillProps) {
    super(scope, id);
    const logs = new LogGroup(this, 'Logs', {
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      // The library would give a right to every version of the function; it is given one to the function below.
      role: role.withoutPolicyUpdates(),
      definitionBody: DefinitionBody.fromChainable(this.plan(ingest)),
      timeout: MAX_DURATION,
      tracingEnabled: true,
      logs: { destination: logs, level: LogLevel.ALL, includeExecutionData: true },
    });
    this.allow(role, ingest);
    new RunbookAlarm(this, 'Failed', {
      kind: 'backFill',
      meaning: 'A back-fill stopped before its end and waits to be redriven.',
      metric: new MathExpression({
        expression: 'FILL(failed, 0) + FILL(timedOut, 0)',
        label: 'back-fills that failed or took too long',
        usingMetrics: {
          failed: this.stateMachine.metricFailed({ statistic: 'Sum' }),
          timedOut: this.stateMachine.metricTimedOut({ statistic: 'Sum' }),
        },
        period: Duration.minutes(5),
      }),
      topics: alarmTopics,
    });
  }

  private allow(role: Role, ingest: IFunction): void {
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [ingest.functionArn] }),
    );
    role.addToPolicy(new PolicyStatement({ actions: [...LOG_DELIVERY, ...TRACING], resources: ['*'] }));
    acknowledge(role, 'vendedLogs');
    // The map's rights over its own executions are the library's own; only their ids are not known here.
    const mapPolicy = this.stateMachine.node.findChild('DistributedMapPolicy') as Policy;
    mapPolicy.attachToRole(role);
    const self = Stack.of(this).getLogicalId(this.stateMachine.node.defaultChild as CfnStateMachine);
    const name = JSON.stringify({ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: self }] }] });
    const executions = `${arn(this, 'states', Stack.of(this).account)}:execution:${name}`;
    acknowledge(this.stateMachine, 'ownExecutions', [
      `Resource::${executions}:*`,
      `Resource::${executions}/${MAP_LABEL}:*`,
    ]);
  }

  /** `{ source, from, to }` is opened, step by step; then come its partitions, and its end. */
  private plan(ingest: IFunction): IChainable {
    const open = this.invoke('Open', ingest, TaskInput.fromObject({ backFill: 'open', 'request.$': '$' }));
    const close = this.invoke('Close', ingest, TaskInput.fromObject({ backFill: 'close', 'request.$': '$' }));
    const opened = new Choice(this, 'AllThere')
      .when(Condition.booleanEquals('$.done', true), this.partitions(ingest).next(close))
      .otherwise(open);
    return open.next(opened);
  }

  private partitions(ingest: IFunction): DistributedMap {
    const walk = this.invoke('Walk', ingest, TaskInput.fromObject({ backFill: 'walk', 'partition.$': '$' }));
    const walked = new Choice(this, 'AtTheEnd')
      .when(Condition.booleanEquals('$.done', true), new Succeed(this, 'Walked'))
      .otherwise(walk);
    const map = new DistributedMap(this, 'Partitions', {
      label: MAP_LABEL,
      itemsPath: '$.partitions',
      resultPath: JsonPath.DISCARD,
      maxConcurrency: AT_ONCE,
      mapExecutionType: StateMachineType.STANDARD,
    });
    return map.itemProcessor(walk.next(walked));
  }

  private invoke(id: string, ingest: IFunction, payload: TaskInput): LambdaInvoke {
    const task = new LambdaInvoke(this, id, {
      lambdaFunction: ingest,
      payload,
      payloadResponseOnly: true,
    });
    // An upstream that is down for some minutes, or a lease whose holder died, must not cost the back-fill; what lasts
    // longer ends it, to be redriven.
    task.addRetry({
      interval: Duration.seconds(30),
      backoffRate: 2,
      maxAttempts: 8,
      maxDelay: Duration.minutes(15),
      jitterStrategy: JitterType.FULL,
    });
    return task;
  }
}
