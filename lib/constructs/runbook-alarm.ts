/** Alarms that say what is wrong, what a consumer notices and how urgent that is, and link the runbook section on what to do. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IAlarm,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { ALARM_KINDS, type AlarmName, type Severity } from './alarm-kinds.ts';

/** The topics of a stage, one for each severity. */
export type AlarmTopics = Readonly<Record<Severity, ITopic>>;

const anchor = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

interface RunbookAlarmProps
  extends Omit<AlarmProps, 'alarmDescription' | 'actionsEnabled' | 'evaluationPeriods' | 'threshold'>,
    Partial<Pick<AlarmProps, 'evaluationPeriods' | 'threshold'>> {
  readonly kind: AlarmName;
  /** One sentence for the person on call. */
  readonly meaning: string;
  /** The one of its severity is notified of the alarm and of its end. Absent only for parts of a composite alarm. */
  readonly topics?: AlarmTopics;
}

export function describeAlarm(meaning: string, kind: AlarmName): string {
  const { severity, heading, felt } = ALARM_KINDS[kind];
  return `${meaning} Consumers: ${felt} Severity: ${severity}. Runbook: docs/runbook.md#${anchor(heading)}`;
}

/** Notifies the topic of the severity when `alarm` begins and when it ends. */
export function notify(
  alarm: IAlarm & Pick<Alarm, 'addAlarmAction' | 'addOkAction'>,
  kind: AlarmName,
  topics: AlarmTopics,
): void {
  const action = new SnsAction(topics[ALARM_KINDS[kind].severity]);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
}

/** At the first event of one period, and silent where nothing is measured, unless it says otherwise. */
export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, id: string, { kind, meaning, topics, ...props }: RunbookAlarmProps) {
    super(scope, id, {
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: describeAlarm(meaning, kind),
    });
    if (topics !== undefined) notify(this, kind, topics);
  }
}

// The alarm of a function that must run regularly and has not succeeded for a while, whether it failed or never ran.

interface SilenceAlarmProps {
  readonly lambda: IFunction;
  /** Period of its schedule; three periods without a success raise the alarm. */
  readonly everyMinutes: number;
  readonly kind: AlarmName;
  readonly meaning: string;
  readonly topics: AlarmTopics;
}

export class SilenceAlarm extends RunbookAlarm {
  constructor(scope: Construct, id: string, { lambda, everyMinutes, ...props }: SilenceAlarmProps) {
    const period = Duration.minutes(everyMinutes);
    super(scope, id, {
      ...props,
      // Lambda counts both by itself; a metric of our own would cost three times as much.
      metric: new MathExpression({
        expression: 'FILL(started, 0) - FILL(failed, 0)',
        usingMetrics: {
          started: lambda.metricInvocations({ period, statistic: 'Sum' }),
          failed: lambda.metricErrors({ period, statistic: 'Sum' }),
        },
        period,
        label: 'successful runs',
      }),
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }
}

// The alarm of a table that refuses reads or writes for want of capacity.

interface TableAlarmProps {
  readonly id: string;
  readonly table: Table;
  readonly topics: AlarmTopics;
}

export class TableAlarm extends RunbookAlarm {
  constructor(scope: Construct, id: string, { id: name, table, topics }: TableAlarmProps) {
    const events = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: table.tableName },
        statistic: 'Sum',
        period: Duration.minutes(5),
      });
    super(scope, id, {
      kind: 'tableThrottles',
      meaning: `The table ${name} refuses requests.`,
      metric: new MathExpression({
        expression: 'FILL(reads, 0) + FILL(writes, 0)',
        usingMetrics: { reads: events('ReadThrottleEvents'), writes: events('WriteThrottleEvents') },
        period: Duration.minutes(5),
        label: `${name} throttled requests`,
      }),
      topics,
    });
  }
}
