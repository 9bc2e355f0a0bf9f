/** Everything that outlives a deployment: the tables, the raw archive, and the topics of alarms. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { TABLES, type TableDefinition, type TableId } from '../core/store/tables.ts';
import type { Severity } from './constructs/alarm-kinds.ts';
import type { FunctionDefaults } from './constructs/handler-function.ts';
import { RawArchive } from './constructs/raw-archive.ts';
import { RunbookAlarm } from './constructs/runbook-alarm.ts';
import { keep, titled } from './pinned.ts';
import type { StageConfig } from './stage-config.ts';

interface DataStackProps extends StackProps {
  readonly config: StageConfig;
  /** Ids of every source, fetched by this stage or not. */
  readonly sourceIds: readonly string[];
}

/** Tables whose throttles fail requests of callers; a throttled ingest retries, and has alarms of its own. */
const THROTTLE_ALARMS: readonly TableId[] = ['apiKeys', 'rateLimits'];

export class DataStack extends Stack {
  readonly tables: FunctionDefaults['tables'];
  readonly archive: RawArchive;
  readonly topics: Readonly<Record<Severity, Topic>>;

  constructor(scope: Construct, id: string, { config, sourceIds, ...props }: DataStackProps) {
    super(scope, id, props);
    const topics = {
      ticket: this.addAlarmTopic('Alarms', config),
      page: this.addAlarmTopic('Pages', config),
    };
    this.topics = topics;
    const made = (Object.keys(TABLES) as TableId[]).map((id) => [id, this.addTable(id, config)]);
    this.tables = Object.fromEntries(made);
    new RunbookAlarm(this, 'FunctionThrottles', {
      kind: 'functionThrottles',
      meaning:
        "A function is refused concurrency: the account's limit is used up, by this stage or by others.",
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum' }),
      topics,
    });
    this.archive = new RawArchive(this, config, sourceIds, topics);
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

  private addTable(id: TableId, config: StageConfig): Table {
    const { partitionKey, sortKey, expiry }: TableDefinition = TABLES[id];
    const table = new Table(this, titled(id), {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: sortKey === undefined ? undefined : { name: sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: expiry,
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: config.production,
    });
    keep(table, `${titled(id)}Table`, config);
    if (THROTTLE_ALARMS.includes(id)) this.addThrottleAlarm(id, table);
    new CfnOutput(this, `${titled(id)}TableName`, { value: table.tableName });
    return table;
  }

  /** Adds the alarm for a table that throttles reads or writes. */
  private addThrottleAlarm(id: TableId, { tableName }: Table): void {
    const events = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: tableName },
        statistic: 'Sum',
      });
    new RunbookAlarm(this, `${titled(id)}Throttles`, {
      kind: 'tableThrottles',
      meaning: `The table ${id} refuses requests.`,
      metric: new MathExpression({
        expression: 'FILL(reads, 0) + FILL(writes, 0)',
        usingMetrics: { reads: events('ReadThrottleEvents'), writes: events('WriteThrottleEvents') },
        label: `${id} throttled requests`,
      }),
      topics: this.topics,
    });
  }
}
