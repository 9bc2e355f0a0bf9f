/** The queue for events that nothing could handle; one message in it is an alarm. */
import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import { RunbookAlarm } from './runbook-alarm.ts';

/** The longest that SQS keeps a message: time to come back from holidays. */
const KEPT = Duration.days(14);

export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      retentionPeriod: KEPT,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    acknowledge(this.queue, 'lastQueue');
    new RunbookAlarm(this, 'Arrived', {
      runbook: 'deadLetters',
      meaning: 'An event could not be handled and waits in the dead-letter queue.',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(5),
        statistic: 'Maximum',
      }),
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      topic,
    });
  }
}
