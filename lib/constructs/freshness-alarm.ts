/** The alarm of a source without a successful fetch for as long as its freshness budget. */
import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION, serviceOf } from '../../core/contracts/telemetry.ts';
import type { ScheduledSource } from '../scheduled-source.ts';
import type { StageName } from '../stage-config.ts';
import { RunbookAlarm } from './runbook-alarm.ts';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** CloudWatch looks back one day at short periods, and seven days at periods of an hour and more. */
const LONGEST_WATCH_MINUTES = 7 * DAY_MINUTES;

/** The metric `name` of one source. */
export const sourceMetric = (
  stage: StageName,
  source: string,
  name: (typeof METRICS)[keyof typeof METRICS],
  options: { statistic: string; period: Duration },
): Metric =>
  new Metric({
    namespace: METRIC_NAMESPACE,
    metricName: name,
    dimensionsMap: { service: serviceOf(stage), [SOURCE_DIMENSION]: source },
    ...options,
  });

/** Period in minutes and number of periods that together make up a budget of at most seven days. */
export function watchOf(budgetMinutes: number): { periodMinutes: number; periods: number } {
  const periodMinutes = budgetMinutes <= DAY_MINUTES ? 5 : HOUR_MINUTES;
  return { periodMinutes, periods: Math.max(1, Math.ceil(budgetMinutes / periodMinutes)) };
}

export interface FreshnessAlarmProps {
  readonly stage: StageName;
  readonly source: ScheduledSource;
  readonly topic: ITopic;
}

/** How the alarm of `source` looks at it. */
function conditionOf(stage: StageName, source: ScheduledSource) {
  if (source.freshnessBudgetMinutes > LONGEST_WATCH_MINUTES) {
    // Too long to look back over: every pass reports the age of the last fetch instead, and in between the last word
    // stands. The age of the data would not do: who publishes months late has none that are younger.
    const period = Duration.hours(1);
    return {
      metric: sourceMetric(stage, source.id, METRICS.fetchAge, { statistic: 'Maximum', period }),
      threshold: source.freshnessBudgetMinutes,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.IGNORE,
    };
  }
  const { periodMinutes, periods } = watchOf(source.freshnessBudgetMinutes);
  const period = Duration.minutes(periodMinutes);
  return {
    metric: sourceMetric(stage, source.id, METRICS.successfulFetch, { statistic: 'Sum', period }),
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: periods,
    // A pass that never runs reports nothing, which is as stale as one that fails.
    treatMissingData: TreatMissingData.BREACHING,
  };
}

export class FreshnessAlarm extends RunbookAlarm {
  constructor(scope: Construct, id: string, { stage, source, topic }: FreshnessAlarmProps) {
    super(scope, id, {
      ...conditionOf(stage, source),
      runbook: 'staleSource',
      meaning: `The source ${source.id} has given nothing new for its budget of ${source.freshnessBudgetMinutes} minutes.`,
      topic,
    });
  }
}
