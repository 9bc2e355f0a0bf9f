/** The function that publishes the age of each source's last good fetch, and an alarm for each source on its budget. */
import { Duration, type Stack } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { addFunction, type StackFunctionDefaults } from './handler-function.ts';
import { addSilenceAlarm, fetchAge, RunbookAlarm, serviceCount } from './runbook-alarm.ts';
import { runRegularly } from './schedule.ts';

const EVERY_MINUTES = 5;

export function addSourceWatch(
  stack: Stack,
  defaults: StackFunctionDefaults,
  sources: typeof SOURCE_DECLARATIONS,
): IFunction {
  const { config, topics } = defaults;
  const scope = new Construct(stack, 'Sources');
  const lambda = addFunction(scope, 'Watch', {
    ...defaults,
    handler: 'watch',
    description: "Publishes the age of each source's last good fetch",
    memoryMb: 256,
    timeout: Duration.minutes(1),
    uses: { sourceStatus: 'watch' },
    environment: { WATCHED_SOURCES: sources.map(({ id }) => id).join(',') },
  });
  runRegularly(scope, 'Regularly', {
    ...defaults,
    description: 'Measures how old the sources are',
    everyMinutes: EVERY_MINUTES,
    enabled: true,
    lambda,
  });
  addSilenceAlarm(scope, 'Silent', lambda, EVERY_MINUTES, {
    kind: 'sourceWatch',
    meaning: 'The ages of the sources have not been measured for 15 minutes.',
    topics,
  });
  new RunbookAlarm(scope, 'Doubts', {
    kind: 'doubtedReply',
    meaning: 'The newest reply of a source was refused or held: its figures wait for the next good reply.',
    metric: serviceCount(config.stage, 'doubts').with({ statistic: 'Maximum' }),
    topics,
  });
  new RunbookAlarm(scope, 'LongOutages', {
    kind: 'longOutage',
    meaning: 'A source has been stale for another day.',
    metric: serviceCount(config.stage, 'longOutages').with({ statistic: 'Maximum' }),
    topics,
  });
  for (const { id: source, freshnessBudgetMinutes } of sources) {
    new RunbookAlarm(scope, `Stale-${source}`, {
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
  return lambda;
}
