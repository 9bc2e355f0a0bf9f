/** The one dashboard of a stage: objectives of the API, refusals, functions and tables, and the age of the sources. */
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { BURN_RATES, ERROR_BUDGET, failingShare, OBJECTIVES } from './api-alarms.ts';
import type { FunctionDefaults } from './handler-function.ts';
import { fetchAge, serviceCount } from './runbook-alarm.ts';

interface StageDashboardProps extends Pick<FunctionDefaults, 'config' | 'tables'> {
  readonly stage: Stage;
  /** The endpoints and the authorizer. */
  readonly functions: readonly IFunction[];
  readonly sources: typeof SOURCE_DECLARATIONS;
  readonly ingest: LambdaFunction;
  readonly ingestDeadLetters: IQueue;
}

const HALF = 12;
const HEIGHT = 6;

const graph = (title: string, left: IMetric[], lines: { label: string; value: number }[] = []) =>
  new GraphWidget({ title, left, leftAnnotations: lines, width: HALF });

/** Two rows: responses, and refusals. */
const objectives = ({ config, stage }: StageDashboardProps) => [
  [
    graph(
      'Share of requests that fail',
      BURN_RATES.map(({ longMinutes }) => failingShare(stage, longMinutes)),
      BURN_RATES.map(({ name, rate }) => ({ label: `${name} burn`, value: rate * ERROR_BUDGET })),
    ),
    graph(
      'Latency, ms',
      ['p50', 'p95', 'p99'].map((statistic) => stage.metricLatency({ statistic })),
      [{ label: 'objective for p95', value: OBJECTIVES.p95LatencyMs }],
    ),
  ],
  [
    graph('Requests', [stage.metricCount(), stage.metricClientError(), stage.metricServerError()]),
    graph('Limits', [
      serviceCount(config.stage, 'rateLimited'),
      serviceCount(config.stage, 'limiterFailure'),
    ]),
  ],
];

/** The log of the ingest has what no alarm needs: a metric for each source and count would cost by the month. */
const passes = (
  { ingest }: StageDashboardProps,
  title: string,
  stats: string,
  { where = '', by = 'source', width = HALF } = {},
) =>
  new LogQueryWidget({
    title,
    view: LogQueryVisualizationType.TABLE,
    logGroupNames: [ingest.logGroup.logGroupName],
    queryLines: [`filter message = "pass"${where}`, `stats ${stats} by ${by}`, 'sort source'],
    width,
    height: HEIGHT,
  });

/** Sums of what the sources of positions count; the names are those of `stepCounts`, of a poll and of a day file. */
const POSITION_COUNTS = [
  'taken',
  'repeated',
  'late',
  'mmsi',
  'position',
  'time',
  'broken',
  'otherRows',
  'otherVessels',
  'outside',
  'old',
  'future',
  'uncreditedRows',
  'excludedRows',
] as const;
const positionStats = [
  ...POSITION_COUNTS.map((name) => `sum(counts.${name}) as ${name}`),
  // Vessels at the end of a step: those of two steps are the same vessels, mostly.
  'max(counts.unknownTypes) as unknownTypes',
].join(', ');

export function addDashboard(parent: Construct, props: StageDashboardProps): void {
  const { config, functions, tables, sources, ingest, ingestDeadLetters } = props;
  const capacities = Object.values(tables).flatMap((table) => [
    table.metricConsumedReadCapacityUnits(),
    table.metricConsumedWriteCapacityUnits(),
  ]);
  new Dashboard(new Construct(parent, 'Dashboard'), 'Dashboard', {
    dashboardName: `pcd-${config.stage}`,
    widgets: [
      ...objectives(props),
      [
        graph(
          'Function duration, p95 ms',
          functions.map((lambda) => lambda.metricDuration({ statistic: 'p95' })),
        ),
        graph(
          'Function errors and throttles',
          functions.flatMap((lambda) => [lambda.metricErrors(), lambda.metricThrottles()]),
        ),
      ],
      [
        graph(
          'Age of the last good fetch, minutes, against its budget',
          sources.map((source) => fetchAge(config.stage, source.id)),
          sources.map(({ id: label, freshnessBudgetMinutes: value }) => ({ label, value })),
        ),
        graph('Ingest function', [
          ingest.metricErrors(),
          ingest.metricThrottles(),
          ingestDeadLetters.metricApproximateNumberOfMessagesVisible(),
          ingest.metricDuration({ statistic: 'Maximum' }),
        ]),
      ],
      [
        passes(
          props,
          'Passes and observations',
          'count(*) as passes, sum(strcontains(state, "failed")) as failed, sum(changedRecords) as changed, sum(refused) as refused',
        ),
        passes(
          props,
          'Age of the data and notices',
          'min(dataAgeMinutes) as dataAge, sum(unknownPlaces) as unknownPlaces, sum(contradictedCalls) as contradicted, sum(withdrawnCalls) as withdrawn',
        ),
      ],
      [
        passes(props, 'Positions a day', `count(*) as passes, ${positionStats}`, {
          where: ' and ispresent(counts.taken)',
          by: 'source, bin(1d) as day',
          width: 2 * HALF,
        }),
      ],
      [graph('Table capacity', capacities)],
    ],
  });
}
