/** The alarm of a function that must run regularly and has not succeeded for a while, whether it failed or never ran. */
import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { RunbookHeading } from '../runbook.ts';
import { RunbookAlarm } from './runbook-alarm.ts';

export interface SilenceAlarmProps {
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
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }
}
