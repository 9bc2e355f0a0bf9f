/** Carries what the console and the key command change at the gateway into the key table, within five minutes. */
import { Duration, type Stack } from 'aws-cdk-lib';
import type { IRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { keySyncFunctionName } from '../../core/access/administration.ts';
import { accept, acceptWildcards, allow, arn } from '../rights.ts';
import { addFunction, type StackFunctionDefaults } from './handler-function.ts';
import type { RawArchive } from './raw-archive.ts';
import { addSilenceAlarm, RunbookAlarm, serviceCount } from './runbook-alarm.ts';
import { runRegularly } from './schedule.ts';

const EVERY_MINUTES = 5;

const PLAN_KEYS = '/usageplans/*/keys';

/** Instances reserved for it: a run by schedule or by events, and one that the key command waits for. */
export const KEY_SYNC_CONCURRENCY = 2;

/** Longest run; an event waits for the run before it. */
const RUN_WITHIN = Duration.minutes(4);

/** Control-plane calls after which a key or a plan is another. Their events name no API: a key belongs to the account. */
const CHANGES = [
  'CreateApiKey',
  'UpdateApiKey',
  'DeleteApiKey',
  'ImportApiKeys',
  'CreateUsagePlan',
  'UpdateUsagePlan',
  'DeleteUsagePlan',
  'CreateUsagePlanKey',
  'DeleteUsagePlanKey',
];
/** They name what is tagged; functions, tables and APIs are tagged far more often than keys and plans. */
const TAG_CHANGES = ['TagResource', 'UntagResource'];
const TAGGED = ['/apikeys/', '/usageplans/'];

/**
 * The events of changes, handled one batch after another: a run that lists all keys takes those with it that arrived during the run before.
 * An event that no run has taken within two periods of the schedule is dropped.
 */
function addChangeQueue(scope: Construct, lambda: LambdaFunction): Queue {
  const queue = new Queue(scope, 'Changes', {
    // Without a concurrency of its own for the queue, which cannot be below two: one message group is handled by one run at a time.
    fifo: true,
    contentBasedDeduplication: true,
    retentionPeriod: Duration.minutes(2 * EVERY_MINUTES),
    visibilityTimeout: RUN_WITHIN,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  accept(
    scope,
    'AwsSolutions-SQS3',
    'Serverless-SQSRedrivePolicy',
    'Serverless-LambdaEventSourceMappingDestination',
  );
  lambda.addEventSource(new SqsEventSource(queue, { batchSize: 10 }));
  return queue;
}

/** @param archive gets a list of the keys, where S3 copies it to another region */
export function addKeyReconciliation(
  stack: Stack,
  defaults: StackFunctionDefaults,
  api: IRestApi,
  archive: RawArchive,
): IFunction {
  const { config, deadLetters, topics } = defaults;
  const { partition, region } = stack;
  const scope = new Construct(stack, 'KeyReconciliation');
  const lambda = addFunction(scope, 'KeySync', {
    ...defaults,
    handler: 'key-sync',
    functionName: keySyncFunctionName(config.stage),
    description: 'Makes the key table equal to the API keys and usage plans of the gateway',
    memoryMb: 256,
    timeout: RUN_WITHIN,
    ...(config.reserveConcurrency && { reservedConcurrency: KEY_SYNC_CONCURRENCY }),
    uses: { apiKeys: 'write' },
    environment: {
      API_ID: api.restApiId,
      API_STAGE: config.stage,
      KEY_PREFIX: config.keyPrefix,
      ...(config.copyBucket !== undefined && { KEY_COPY_BUCKET: archive.bucket.bucketName }),
    },
  });
  // Listing is a GET on the collection; a plan's keys and tags lie below the plan, whose id is not known here.
  const listed = ['/apikeys', '/usageplans', PLAN_KEYS];
  const resources = listed.map((path) => `arn:${partition}:apigateway:${region}::${path}`);
  allow(lambda, ['apigateway:GET'], ...resources);
  if (config.copyBucket !== undefined) archive.allowKeyCopy(lambda);
  acceptWildcards(scope, 'planKeys', `${arn(scope, 'apigateway')}:${PLAN_KEYS}`);
  runRegularly(scope, 'Regularly', {
    ...defaults,
    description: 'Reconciles keys whether or not an event reported a change',
    everyMinutes: EVERY_MINUTES,
    enabled: true,
    lambda,
  });
  // Comes only where the account has a trail of management events; the schedule is the guarantee.
  new Rule(scope, 'OnChange', {
    description: 'Reconciles keys at once after a change at the control plane',
    eventPattern: {
      source: ['aws.apigateway'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: {
        eventSource: ['apigateway.amazonaws.com'],
        $or: [
          { eventName: CHANGES },
          {
            eventName: TAG_CHANGES,
            requestParameters: {
              resourceArn: TAGGED.map((path) => ({
                prefix: `arn:${partition}:apigateway:${region}::${path}`,
              })),
            },
          },
        ],
      },
    },
    targets: [
      new SqsQueue(addChangeQueue(scope, lambda), { messageGroupId: 'keys', deadLetterQueue: deadLetters }),
    ],
  });
  addSilenceAlarm(scope, 'Stale', lambda, EVERY_MINUTES, {
    kind: 'keyReconciliation',
    meaning: 'The key table has not been made equal to the gateway for 15 minutes.',
    topics,
  });
  new RunbookAlarm(scope, 'HeldLoss', {
    kind: 'heldLoss',
    meaning: 'Many enabled keys would lose their plan, or every plan of a tier is gone; held for 15 minutes.',
    metric: serviceCount(config.stage, 'heldLoss'),
    // The runs are as far apart as the periods are long, so that a period may have none.
    evaluationPeriods: 2,
    datapointsToAlarm: 1,
    topics,
  });
  new RunbookAlarm(scope, 'Unusable', {
    kind: 'unusableKey',
    meaning: 'A key made in the console has a value that no caller can send.',
    metric: serviceCount(config.stage, 'unusableKey'),
    topics,
  });
  return lambda;
}
