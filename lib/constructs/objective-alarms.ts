/** Alarms of the API's objectives: the error budget burning too fast in two pairs of windows, and slow responses. */
import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { BURN_RATES, ERROR_BUDGET, OBJECTIVES } from '../objectives.ts';
import { describeAlarm, notify, RunbookAlarm } from './runbook-alarm.ts';

/** Requests an hour below which one failure means little. */
const TRAFFIC_PER_HOUR = 60;
const MINUTES_PER_HOUR = 60;
/** Failures in five minutes that count whatever the traffic; single ones count against the error budget. */
const FAILURES_ALLOWED = 5;
/** Of fewer requests in five minutes, one cold start would be the 95th percentile. */
const MIN_FOR_PERCENTILE = 20;

export interface ObjectiveAlarmsProps {
  readonly stage: Stage;
  readonly topic: ITopic;
}

/** Share of requests with a 5xx in each window; 0 where there is too little traffic to judge. */
export function failingShare(stage: Stage, minutes: number): MathExpression {
  const window = { statistic: 'Sum', period: Duration.minutes(minutes) };
  const enough = Math.max(1, Math.round((TRAFFIC_PER_HOUR * minutes) / MINUTES_PER_HOUR));
  return new MathExpression({
    expression: `IF(requests${minutes} >= ${enough}, FILL(failures${minutes}, 0) / requests${minutes}, 0)`,
    // The ids carry the window because a graph shows several of these at once.
    usingMetrics: {
      [`failures${minutes}`]: stage.metricServerError(window),
      [`requests${minutes}`]: stage.metricCount(window),
    },
    period: Duration.minutes(minutes),
    label: `failing share over ${minutes} min`,
  });
}

/** The 95th percentile of the latency over five minutes, in milliseconds; 0 where there is too little traffic to judge. */
function slowestTwentieth(stage: Stage): MathExpression {
  const period = Duration.minutes(5);
  return new MathExpression({
    expression: `IF(requests >= ${MIN_FOR_PERCENTILE}, latency, 0)`,
    usingMetrics: {
      latency: stage.metricLatency({ statistic: 'p95', period }),
      requests: stage.metricCount({ statistic: 'Sum', period }),
    },
    period,
    label: 'p95 latency, ms',
  });
}

export class ObjectiveAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, topic }: ObjectiveAlarmsProps) {
    super(scope, id);
    for (const { name, rate, longMinutes, shortMinutes } of BURN_RATES) {
      const over = (minutes: number, window: string) =>
        new RunbookAlarm(this, `${name}${window}`, {
          runbook: 'errorBudget',
          meaning: `Over ${minutes} minutes the error budget burns ${rate} times too fast.`,
          metric: failingShare(stage, minutes),
          threshold: rate * ERROR_BUDGET,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          evaluationPeriods: 1,
          treatMissingData: TreatMissingData.NOT_BREACHING,
        });
      const both = [over(longMinutes, 'Long'), over(shortMinutes, 'Short')];
      const burning = new CompositeAlarm(this, `${name}Burn`, {
        alarmRule: AlarmRule.allOf(...both.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
        alarmDescription: describeAlarm(
          `The error budget burns ${rate} times too fast, over ${longMinutes} minutes and still now.`,
          'errorBudget',
        ),
      });
      notify(burning, topic);
    }
    new RunbookAlarm(this, 'ServerErrors', {
      runbook: 'serverErrors',
      meaning: `${FAILURES_ALLOWED} requests in five minutes got a 5xx.`,
      metric: stage.metricServerError({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: FAILURES_ALLOWED,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      topic,
    });
    new RunbookAlarm(this, 'Latency', {
      runbook: 'latency',
      meaning: `One request in twenty takes more than ${OBJECTIVES.p95LatencyMs} ms.`,
      metric: slowestTwentieth(stage),
      threshold: OBJECTIVES.p95LatencyMs,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 6,
      datapointsToAlarm: 3,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      topic,
    });
  }
}
