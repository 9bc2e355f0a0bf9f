/** One Lambda function made from a built handler, with everything that every function needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE, serviceName } from '../../core/contracts/telemetry.ts';
import { acknowledge } from '../acknowledgements.ts';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';
import { type DataTables, type TableUse, useTables } from './table-access.ts';

/** What every function of a stack shares. */
export interface FunctionDefaults {
  readonly config: StageConfig;
  readonly tables: DataTables;
  readonly alarmTopics: AlarmTopics;
  /** Folder with one built handler in each subfolder. */
  readonly handlersDir: string;
}

export interface StackFunctionDefaults extends FunctionDefaults {
  /** Where events go that a function failed to handle. */
  readonly deadLetters: Queue;
}

export interface HandlerFunctionProps extends FunctionDefaults {
  /** Absent where a caller waits for every response, and so gets every failure. */
  readonly deadLetters?: Queue;
  /** Subfolder of `handlersDir`. */
  readonly handler: string;
  /** Fixed only where it must be known outside the stack. */
  readonly functionName?: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly uses: TableUse;
  readonly environment?: Readonly<Record<string, string>>;
  /** Raises an alarm at the first failure. Absent where other alarms have every failure in them. */
  readonly errorAlarm?: boolean;
}

/** The handler's folder; throws when it was not built, because an empty function would deploy without an error. */
function builtHandler(handlersDir: string, handler: string): string {
  const folder = join(handlersDir, handler);
  if (existsSync(join(folder, 'index.cjs'))) return folder;
  throw new Error(`There is no built handler in ${folder}: run "npm run build" first.`);
}

export class HandlerFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: HandlerFunctionProps) {
    super(scope, id);
    const { config } = props;
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    // Our own role instead of AWSLambdaBasicExecutionRole, which may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [this.logGroup.logGroupArn],
      }),
    );
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: props.functionName,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(builtHandler(props.handlersDir, props.handler)),
      memorySize: props.memoryMb,
      timeout: props.timeout,
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
      role,
      environment: {
        POWERTOOLS_SERVICE_NAME: serviceName(config.stage),
        POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
        ...props.environment,
      },
      deadLetterQueue: props.deadLetters,
    });
    if (config.tracing) acknowledge(role, 'tracing');
    else acknowledge(this.lambda, 'tracingOff');
    useTables(this.lambda, props.tables, props.uses);
    if (props.deadLetters === undefined) acknowledge(this.lambda, 'callerWaits');
    if (props.errorAlarm) this.addErrorAlarm(props);
  }

  private addErrorAlarm({ handler, alarmTopics: topics }: HandlerFunctionProps): void {
    new RunbookAlarm(this, 'Errors', {
      kind: 'functionErrors',
      meaning: `The function ${handler} fails.`,
      metric: this.lambda.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
      topics,
    });
  }
}
