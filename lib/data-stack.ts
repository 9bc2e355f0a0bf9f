/** Everything that outlives a deployment: the tables, the raw archive, and the topics of alarms. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { TABLES, type TableDefinition, type TableId } from '../core/store/tables.ts';
import type { Severity } from './constructs/alarm-kinds.ts';
import { addBudget } from './constructs/budget.ts';
import { RawArchive } from './constructs/raw-archive.ts';
import { RunbookAlarm, TableAlarm } from './constructs/runbook-alarm.ts';
import type { DataTables } from './constructs/table-access.ts';
import { keep, titled } from './pinned.ts';
import type { StageConfig } from './stage-config.ts';

export interface DataStackProps extends StackProps {
  readonly config: StageConfig;
  /** Ids of every source, fetched by this stage or not. */
  readonly sourceIds: readonly string[];
}

/** Tables whose throttles fail requests of callers; a throttled ingest retries, and has alarms of its own. */
const THROTTLE_ALARMS: readonly TableId[] = ['apiKeys', 'rateLimits'];

export class DataStack extends Stack {
  readonly tables: DataTables;
  readonly archive: RawArchive;
  readonly alarmTopics: Readonly<Record<Severity, Topic>>;

  constructor(scope: Construct, id: string, { config, sourceIds, ...props }: DataStackProps) {
    super(scope, id, props);
    this.alarmTopics = {
      ticket: this.addAlarmTopic('Alarms', config),
      page: this.addAlarmTopic('Pages', config),
    };
    const topics = this.alarmTopics;
    const made = Object.entries(TABLES).map(([name, definition]) => [
      name,
      this.addTable(name as TableId, definition, config),
    ]);
    this.tables = Object.fromEntries(made);
    new RunbookAlarm(this, 'FunctionThrottles', {
      kind: 'functionThrottles',
      meaning:
        "A function is refused concurrency: the account's limit is used up, by this stage or by others.",
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Throttles',
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      topics,
    });
    this.archive = new RawArchive(this, 'RawArchive', { config, sourceIds, topics });
    if (config.budgetDollars !== undefined)
      addBudget(this, config.stage, config.budgetDollars, topics.ticket);
    new CfnOutput(this, 'AlarmTopicArn', {
      value: topics.ticket.topicArn,
      description: 'SNS topic of alarms that can wait for the morning',
    });
    new CfnOutput(this, 'PageTopicArn', {
      value: topics.page.topicArn,
      description: 'SNS topic of alarms that cannot',
    });
  }

  private addAlarmTopic(id: string, config: StageConfig): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    keep(topic, id, config);
    // A policy of its own takes the place of the one that lets the account's alarms publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    return topic;
  }

  private addTable(id: TableId, definition: TableDefinition, config: StageConfig): Table {
    const { partitionKey, sortKey, expiry } = definition;
    const table = new Table(this, titled(id), {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: sortKey === undefined ? undefined : { name: sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: expiry,
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: config.production,
      removalPolicy: config.removalPolicy,
    });
    keep(table, `${titled(id)}Table`, config);
    if (THROTTLE_ALARMS.includes(id)) {
      new TableAlarm(this, `${titled(id)}Throttles`, { id, table, topics: this.alarmTopics });
    }
    new CfnOutput(this, `${titled(id)}TableName`, { value: table.tableName });
    return table;
  }
}
