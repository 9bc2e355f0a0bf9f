/** One Lambda function made from a built handler, with everything that every function needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
import { serviceName } from '../../core/contracts/log.ts';
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { accept, acceptWildcards, allow } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import type { AlarmTopics } from './runbook-alarm.ts';

const READ = ['GetItem', 'BatchGetItem', 'Query'] as const;

/** DynamoDB actions by use. No use has an action that it does not need, and none has a wildcard. */
const ACTIONS = {
  read: READ,
  /** For tables that stay small and are read as a whole. */
  scan: [...READ, 'Scan'],
  /** A token bucket: one conditional update, and a read when its condition is false. */
  spend: ['GetItem', 'UpdateItem'],
  /** Reads all rows, and marks some. */
  watch: ['Scan', 'UpdateItem'],
  write: [...READ, 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
} as const;

type TableAccess = keyof typeof ACTIONS;

/** What every function of a stage shares. */
export interface FunctionDefaults {
  readonly config: StageConfig;
  readonly tables: Readonly<Record<TableId, Table>>;
  readonly topics: AlarmTopics;
  /** Folder with one built handler in each subfolder. */
  readonly handlersDir: string;
}

export interface StackFunctionDefaults extends FunctionDefaults {
  /** Where events go that a function failed to handle. */
  readonly deadLetters: Queue;
}

interface HandlerProps extends FunctionDefaults {
  /** Absent where a caller waits for every response, and so gets every failure. */
  readonly deadLetters?: Queue;
  /** Subfolder of `handlersDir`. */
  readonly handler: string;
  /** Fixed only where it must be known outside the stack. */
  readonly functionName?: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeout: Duration;
  /** Tables that it has a right to; it gets their names in its environment. */
  readonly uses: Readonly<Partial<Record<TableId, TableAccess>>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Instances that no other function can take, and the most that this one has; shares those of the account when absent. */
  readonly reservedConcurrency?: number;
}

/** The handler's folder; throws when it was not built, because an empty function would deploy without an error. */
function builtHandler(handlersDir: string, handler: string): string {
  const folder = join(handlersDir, handler);
  if (existsSync(join(folder, 'index.cjs'))) return folder;
  throw new Error(`There is no built handler in ${folder}: run "npm run build" first.`);
}

/** The function is the child `Function` of a construct `id`, beside its log group and its role. */
export function addFunction(parent: Construct, id: string, props: HandlerProps): LambdaFunction {
  const { config, tables, deadLetters, handler } = props;
  const scope = new Construct(parent, id);
  const logGroup = new LogGroup(scope, 'Logs', config.logs);
  // Our own role instead of AWSLambdaBasicExecutionRole, which may write to every log group of the account.
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  allow(role, ['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn);
  const lambda = new LambdaFunction(scope, 'Function', {
    functionName: props.functionName,
    description: props.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(builtHandler(props.handlersDir, handler), { exclude: ['*.map'] }),
    memorySize: props.memoryMb,
    timeout: props.timeout,
    tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    loggingFormat: LoggingFormat.JSON,
    logGroup,
    role,
    environment: {
      SERVICE_NAME: serviceName(config.stage),
      ...props.environment,
    },
    deadLetterQueue: deadLetters,
    reservedConcurrentExecutions: props.reservedConcurrency,
  });
  if (config.tracing) acceptWildcards(role, 'tracing', '*');
  else accept(lambda, 'Serverless-LambdaTracing');
  for (const [table, access] of Object.entries(props.uses) as [TableId, TableAccess][]) {
    lambda.addEnvironment(TABLES[table].variable, tables[table].tableName);
    tables[table].grant(lambda, ...ACTIONS[access].map((action) => `dynamodb:${action}`));
  }
  if (deadLetters === undefined) accept(lambda, 'Serverless-LambdaDLQ');
  return lambda;
}
