/** The dashboard of the API: its objectives first, then who is refused, then what it is made of. */
import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE, METRICS, serviceOf } from '../../core/contracts/telemetry.ts';
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { BURN_RATES, ERROR_BUDGET, OBJECTIVES } from '../objectives.ts';
import type { StageConfig } from '../stage-config.ts';
import { failingShare } from './objective-alarms.ts';
import type { DataTables } from './table-access.ts';

export interface ApiDashboardProps {
  readonly config: StageConfig;
  readonly stage: Stage;
  readonly functions: readonly IFunction[];
  readonly tables: DataTables;
}

const HALF = 12;
const TABLE_IDS = Object.keys(TABLES) as TableId[];

export class ApiDashboard extends Construct {
  constructor(scope: Construct, id: string, { config, stage, functions, tables }: ApiDashboardProps) {
    super(scope, id);
    const period = Duration.minutes(5);
    const graph = (title: string, left: IMetric[], lines: { label: string; value: number }[] = []) =>
      new GraphWidget({ title, left, leftAnnotations: lines, width: HALF });
    const counted = (metricName: string) =>
      new Metric({
        namespace: METRIC_NAMESPACE,
        metricName,
        dimensionsMap: { service: serviceOf(config.stage) },
        statistic: 'Sum',
        period,
      });
    const capacity = (table: TableId) => [
      tables[table].metricConsumedReadCapacityUnits({ period }),
      tables[table].metricConsumedWriteCapacityUnits({ period }),
    ];
    new Dashboard(this, 'Dashboard', {
      dashboardName: `pcd-${config.stage}-api`,
      widgets: [
        [
          graph(
            'Share of requests that fail',
            BURN_RATES.map(({ longMinutes }) => failingShare(stage, longMinutes)),
            BURN_RATES.map(({ name, rate }) => ({ label: `${name} burn`, value: rate * ERROR_BUDGET })),
          ),
          graph(
            'Latency, ms',
            ['p50', 'p95', 'p99'].map((statistic) => stage.metricLatency({ statistic, period })),
            [{ label: 'objective for p95', value: OBJECTIVES.p95LatencyMs }],
          ),
        ],
        [
          graph('Requests', [
            stage.metricCount({ period }),
            stage.metricClientError({ period }),
            stage.metricServerError({ period }),
          ]),
          graph('Limits', [counted(METRICS.rateLimited), counted(METRICS.limiterFailure)]),
        ],
        [
          graph(
            'Function duration, p95 ms',
            functions.map((lambda) => lambda.metricDuration({ statistic: 'p95', period })),
          ),
          graph(
            'Function errors and throttles',
            functions.flatMap((lambda) => [
              lambda.metricErrors({ period }),
              lambda.metricThrottles({ period }),
            ]),
          ),
        ],
        [graph('Table capacity', TABLE_IDS.flatMap(capacity))],
      ],
    });
  }
}
