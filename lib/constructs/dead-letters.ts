/** The queue for events that nothing could handle; one message in it is an alarm. */
import { Duration, type Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { accept } from '../rights.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

/** The longest retention of SQS: long enough to come back from holidays. */
const RETENTION = Duration.days(14);

export function addDeadLetters(stack: Stack, topics: AlarmTopics): Queue {
  const scope = new Construct(stack, 'DeadLetters');
  const queue = new Queue(scope, 'Queue', {
    retentionPeriod: RETENTION,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  accept(queue, 'Serverless-SQSRedrivePolicy');
  new RunbookAlarm(scope, 'Arrived', {
    kind: 'deadLetters',
    meaning: 'A function failed twice, or was not reached: its event waits in the dead-letter queue.',
    metric: queue.metricApproximateNumberOfMessagesVisible(),
    topics,
  });
  return queue;
}
