/** The queue for events that nothing could handle; one message in it is an alarm. */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

/** The longest retention of SQS: long enough to come back from holidays. */
const RETENTION = Duration.days(14);

export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, topics: AlarmTopics) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      retentionPeriod: RETENTION,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    acknowledge(this.queue, 'lastQueue');
    new RunbookAlarm(this, 'Arrived', {
      kind: 'deadLetters',
      meaning: 'An event could not be handled and waits in the dead-letter queue.',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(5),
        statistic: 'Maximum',
      }),
      topics,
    });
  }
}
