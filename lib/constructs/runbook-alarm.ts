/** Alarms that say what is wrong, what a consumer notices and how urgent that is, and link the runbook section on what to do. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type CompositeAlarm,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION, serviceName } from '../../core/contracts/log.ts';
import type { StageName } from '../stage-config.ts';
import { type AlarmName, describeAlarm, type Severity, severityOf } from './alarm-kinds.ts';

/** The topics of a stage, one for each severity. */
export type AlarmTopics = Readonly<Record<Severity, ITopic>>;

interface RunbookAlarmProps extends Partial<Omit<AlarmProps, 'metric'>>, Pick<AlarmProps, 'metric'> {
  readonly kind: AlarmName;
  /** One sentence for the person on call. */
  readonly meaning: string;
  /** The one of its severity is notified of the alarm and of its end. Absent only for parts of a composite alarm. */
  readonly topics?: AlarmTopics;
}

/** Notifies the topic of the severity when `alarm` begins and when it ends. */
export function notify(alarm: Alarm | CompositeAlarm, kind: AlarmName, topics: AlarmTopics): void {
  const action = new SnsAction(topics[severityOf(kind)]);
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

/** The alarm of a function that has not succeeded for three periods of its schedule, whether it failed or never ran. */
export function addSilenceAlarm(
  scope: Construct,
  id: string,
  lambda: IFunction,
  everyMinutes: number,
  props: Pick<RunbookAlarmProps, 'kind' | 'meaning' | 'topics'>,
): void {
  new RunbookAlarm(scope, id, {
    ...props,
    // Lambda counts both by itself; a metric of our own would cost three times as much.
    metric: new MathExpression({
      expression: 'FILL(started, 0) - FILL(failed, 0)',
      usingMetrics: { started: lambda.metricInvocations(), failed: lambda.metricErrors() },
      period: Duration.minutes(everyMinutes),
      label: 'successful runs',
    }),
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: 3,
    treatMissingData: TreatMissingData.BREACHING,
  });
}

// The metrics that the service's own functions publish, on one stage.

/** How often it was counted in five minutes. */
export const serviceCount = (stage: StageName, metric: keyof typeof METRICS): Metric =>
  new Metric({
    namespace: METRIC_NAMESPACE,
    metricName: METRICS[metric],
    dimensionsMap: { service: serviceName(stage) },
    statistic: 'Sum',
  });

/** Minutes since the last good fetch of one source. */
export const fetchAge = (stage: StageName, source: string): Metric =>
  serviceCount(stage, 'fetchAge').with({
    dimensionsMap: { service: serviceName(stage), [SOURCE_DIMENSION]: source },
    statistic: 'Maximum',
  });
