/** Alarms that say what is wrong and link the runbook section on what to do; both are required. */
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

/** Headings of docs/runbook.md that alarms link to. A test pairs them with the page in both directions. */
const RUNBOOK = {
  errorBudget: 'The error budget burns',
  latency: 'Responses are slow',
  healthCanary: 'The health canary fails',
  serverErrors: 'The API fails',
  functionErrors: 'A function fails',
  functionThrottles: 'A function is throttled',
  tableThrottles: 'A table is throttled',
  throttledRequests: 'Requests are throttled',
  limiterFailures: 'The limiter fails',
  staleSource: 'A source is stale',
  doubtedReply: 'A reply is not believed',
  sourceWatch: 'Sources are not watched',
  deadLetters: 'Dead letters arrive',
  keyReconciliation: 'Keys are not reconciled',
  unusableKey: 'A key cannot be used',
  backFill: 'A back-fill fails',
  release: 'No release is written',
} as const;

type RunbookHeading = keyof typeof RUNBOOK;

/** The anchor that GitHub gives a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const runbookLink = (heading: RunbookHeading): string => `docs/runbook.md#${anchor(RUNBOOK[heading])}`;

interface RunbookAlarmProps
  extends Omit<AlarmProps, 'alarmDescription' | 'actionsEnabled' | 'evaluationPeriods' | 'threshold'>,
    Partial<Pick<AlarmProps, 'evaluationPeriods' | 'threshold'>> {
  readonly runbook: RunbookHeading;
  /** One sentence for the person on call. */
  readonly meaning: string;
  /** Topic that is notified of the alarm and of its end. Absent only for parts of a composite alarm. */
  readonly topic?: ITopic;
}

export const describeAlarm = (meaning: string, runbook: RunbookHeading): string =>
  `${meaning} Runbook: ${runbookLink(runbook)}`;

/** Notifies `topic` when `alarm` begins and when it ends. */
export function notify(alarm: IAlarm & Pick<Alarm, 'addAlarmAction' | 'addOkAction'>, topic: ITopic): void {
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
}

/** At the first event of one period, and silent where nothing is measured, unless it says otherwise. */
export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, id: string, { runbook, meaning, topic, ...props }: RunbookAlarmProps) {
    super(scope, id, {
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: describeAlarm(meaning, runbook),
    });
    if (topic !== undefined) notify(this, topic);
  }
}

// The alarm of a function that must run regularly and has not succeeded for a while, whether it failed or never ran.

interface SilenceAlarmProps {
  readonly lambda: IFunction;
  /** Period of its schedule; three periods without a success raise the alarm. */
  readonly everyMinutes: number;
  readonly runbook: RunbookHeading;
  readonly meaning: string;
  readonly topic: ITopic;
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
      topic,
    });
  }
}
