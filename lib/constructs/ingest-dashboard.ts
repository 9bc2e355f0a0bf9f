/** The dashboard of the ingest: how old each source's last fetch and data are, what was taken and what went wrong. */
import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { METRICS } from '../../core/contracts/telemetry.ts';
import type { ScheduledSource } from '../scheduled-source.ts';
import type { StageConfig } from '../stage-config.ts';
import { sourceMetric } from './freshness-alarm.ts';

export interface IngestDashboardProps {
  readonly config: StageConfig;
  readonly sources: readonly ScheduledSource[];
  readonly ingest: IFunction;
  readonly deadLetters: IQueue;
}

const HALF = 12;

export class IngestDashboard extends Construct {
  constructor(scope: Construct, id: string, props: IngestDashboardProps) {
    super(scope, id);
    const { config, sources, ingest, deadLetters } = props;
    const period = Duration.minutes(5);
    const bySource = (name: (typeof METRICS)[keyof typeof METRICS], statistic: string) =>
      sources.map((source) => sourceMetric(config.stage, source.id, name, { statistic, period }));
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: HALF });
    new Dashboard(this, 'Dashboard', {
      dashboardName: `pcd-${config.stage}-ingest`,
      widgets: [
        [
          new GraphWidget({
            title: 'Age of the last fetch taken, minutes, against its budget',
            left: bySource(METRICS.fetchAge, 'Maximum'),
            leftAnnotations: sources.map(({ id: label, freshnessBudgetMinutes: value }) => ({
              label,
              value,
            })),
            width: HALF,
          }),
          graph('Fetches taken', bySource(METRICS.successfulFetch, 'Sum')),
        ],
        [
          graph('Fetches failed', bySource(METRICS.failedFetch, 'Sum')),
          graph('Observations taken', bySource(METRICS.observationsTaken, 'Sum')),
        ],
        [
          graph('Observations refused', bySource(METRICS.observationsRefused, 'Sum')),
          graph('Ingest function', [
            ingest.metricErrors({ period }),
            ingest.metricThrottles({ period }),
            deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
          ]),
        ],
        [
          graph('Unknown place names', bySource(METRICS.unknownPlaces, 'Maximum')),
          graph('Calls contradicted and withdrawn', [
            ...bySource(METRICS.callsContradicted, 'Sum'),
            ...bySource(METRICS.callsWithdrawn, 'Sum'),
          ]),
        ],
        [
          graph('Pass duration', [
            ingest.metricDuration({ period, statistic: 'p50' }),
            ingest.metricDuration({ period, statistic: 'Maximum' }),
          ]),
          graph('Age of the newest data, minutes', bySource(METRICS.sourceAge, 'Maximum')),
        ],
      ],
    });
  }
}
