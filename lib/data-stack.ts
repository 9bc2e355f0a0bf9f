/** Everything that outlives a deployment: the tables, the raw archive, and the topics of alarms. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
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
import type { StageConfig, StageName } from './stage-config.ts';

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
    const made = Object.entries(TABLES).map(([name, definition]) => [
      name,
      this.addTable(name as TableId, definition, config),
    ]);
    this.tables = Object.fromEntries(made);
    new RunbookAlarm(this, 'FunctionThrottles', {
      kind: 'functionThrottles',
      meaning:
        "A function is refused concurrency: the account's limit is used up, by this stage or by others.",
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum' }),
      topics,
    });
    this.archive = new RawArchive(this, config, sourceIds, topics);
    if (config.budgetDollars !== undefined) this.addBudget(config.stage, config.budgetDollars);
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
    this.letPublish(topic, 'Alarms', 'cloudwatch.amazonaws.com');
    return topic;
  }

  private letPublish(topic: Topic, sid: string, service: string): void {
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid,
        principals: [new ServicePrincipal(service)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
  }

  /** Writes to the tickets when the forecast of the month, or its bill so far, is too high. Two budgets of an account are free. */
  private addBudget(stage: StageName, dollars: number): void {
    const topic = this.topics.ticket;
    this.letPublish(topic, 'Budgets', 'budgets.amazonaws.com');
    const notified = (notificationType: 'FORECASTED' | 'ACTUAL') => ({
      notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: `pcd-${stage}`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
        // A tag counts from when it is activated as one of cost allocation.
        costFilters: { TagKeyValue: [`user:stage$${stage}`] },
      },
      notificationsWithSubscribers: [notified('FORECASTED'), notified('ACTUAL')],
    });
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
    });
    keep(table, `${titled(id)}Table`, config);
    if (THROTTLE_ALARMS.includes(id)) this.addThrottleAlarm(id, table);
    new CfnOutput(this, `${titled(id)}TableName`, { value: table.tableName });
    return table;
  }

  /** Of a table that refuses reads or writes for want of capacity. */
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
