/** The function that publishes the age of each source's last good fetch, and an alarm for each source on its budget. */
import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { HandlerFunction, type StackFunctionDefaults } from './handler-function.ts';
import { RunbookAlarm, SilenceAlarm } from './runbook-alarm.ts';
import { runRegularly, type ScheduledSource } from './schedule.ts';
import { fetchAge, serviceCount } from './service-metric.ts';

const EVERY_MINUTES = 5;

export interface SourceWatchProps extends StackFunctionDefaults {
  readonly sources: readonly ScheduledSource[];
}

export class SourceWatch extends Construct {
  readonly lambda: IFunction;

  constructor(scope: Construct, id: string, props: SourceWatchProps) {
    super(scope, id);
    const { config, sources, deadLetters, alarmTopics: topics } = props;
    const { lambda } = new HandlerFunction(this, 'Watch', {
      ...props,
      handler: 'watch',
      description: "Publishes the age of each source's last good fetch",
      memoryMb: 256,
      timeout: Duration.minutes(1),
      uses: { sourceStatus: 'watch' },
      environment: { WATCHED_SOURCES: sources.map((source) => source.id).join(',') },
    });
    this.lambda = lambda;
    runRegularly(this, 'Regularly', {
      description: 'Measures how old the sources are',
      everyMinutes: EVERY_MINUTES,
      enabled: true,
      lambda,
      deadLetters,
    });
    new SilenceAlarm(this, 'Silent', {
      lambda,
      everyMinutes: EVERY_MINUTES,
      kind: 'sourceWatch',
      meaning: 'The ages of the sources have not been measured for 15 minutes.',
      topics,
    });
    new RunbookAlarm(this, 'Doubts', {
      kind: 'doubtedReply',
      meaning: 'The newest reply of a source was refused or held: its figures wait for the next good reply.',
      metric: serviceCount(config.stage, 'doubts').with({ statistic: 'Maximum' }),
      threshold: 1,
      topics,
    });
    new RunbookAlarm(this, 'LongOutages', {
      kind: 'longOutage',
      meaning: 'A source has been stale for another day.',
      metric: serviceCount(config.stage, 'longOutages').with({ statistic: 'Maximum' }),
      threshold: 1,
      topics,
    });
    for (const { id: source, freshnessBudgetMinutes } of sources) {
      new RunbookAlarm(this, `Stale-${source}`, {
        kind: 'staleSource',
        meaning: `The source ${source} has had no good fetch for its budget of ${freshnessBudgetMinutes} minutes.`,
        metric: fetchAge(config.stage, source),
        threshold: freshnessBudgetMinutes,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        // Without a measurement the last one counts; missing measurements raise the alarm of the watch itself.
        treatMissingData: TreatMissingData.IGNORE,
        topics,
      });
    }
  }
}
