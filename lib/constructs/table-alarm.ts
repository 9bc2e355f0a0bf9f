/** The alarm of a table that refuses reads or writes for want of capacity. */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { RunbookAlarm } from './runbook-alarm.ts';

export interface TableAlarmProps {
  readonly id: string;
  readonly table: Table;
  readonly topic: ITopic;
}

export class TableAlarm extends RunbookAlarm {
  constructor(scope: Construct, id: string, { id: name, table, topic }: TableAlarmProps) {
    const events = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: table.tableName },
        statistic: 'Sum',
        period: Duration.minutes(5),
      });
    super(scope, id, {
      runbook: 'tableThrottles',
      meaning: `The table ${name} refuses requests.`,
      metric: new MathExpression({
        expression: 'FILL(reads, 0) + FILL(writes, 0)',
        usingMetrics: { reads: events('ReadThrottleEvents'), writes: events('WriteThrottleEvents') },
        period: Duration.minutes(5),
        label: `${name} throttled requests`,
      }),
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      topic,
    });
  }
}
