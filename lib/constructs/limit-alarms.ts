/** Alarms on refusals with 429: of every key by the stage's own throttle, and of keys by their plans. */
import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { ComparisonOperator, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../core/contracts/telemetry.ts';
import type { StageConfig } from '../stage-config.ts';
import { RunbookAlarm } from './runbook-alarm.ts';

/** Refusals by the gateway itself in five minutes. The stage's throttle is ten times what the plans sell together. */
const GATEWAY_REFUSALS = 100;
/** Share of requests that keys lose to their limits; a single careless client of a busy stage stays below it. */
const LIMITED_SHARE = 0.1;
/** Requests in fifteen minutes below which a share means little. */
const MIN_REQUESTS = 300;

export interface LimitAlarmsProps {
  readonly config: StageConfig;
  readonly stage: Stage;
  readonly accessLog: LogGroup;
  readonly topic: ITopic;
}

export class LimitAlarms extends Construct {
  constructor(scope: Construct, id: string, { config, stage, accessLog, topic }: LimitAlarmsProps) {
    super(scope, id);
    // API Gateway counts refusals with all other 4xx; only the access log tells them apart.
    const limited = FilterPattern.stringValue('$.status', '=', '429');
    const counted = (name: string, filterPattern: typeof limited) =>
      accessLog.addMetricFilter(name, {
        filterPattern,
        metricNamespace: METRIC_NAMESPACE,
        metricName: `${name}-${config.stage}`,
      });
    const byGateway = FilterPattern.stringValue('$.gatewayError', '=', 'THROTTLED');
    const refusals = counted('GatewayRefusals', FilterPattern.all(limited, byGateway));
    new RunbookAlarm(this, 'Gateway', {
      runbook: 'throttledRequests',
      meaning: `The gateway itself refused ${GATEWAY_REFUSALS} requests in five minutes: all keys together are too fast.`,
      metric: refusals.metric({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: GATEWAY_REFUSALS,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      topic,
    });
    const period = Duration.minutes(15);
    new RunbookAlarm(this, 'Keys', {
      runbook: 'throttledRequests',
      meaning: `More than ${LIMITED_SHARE * 100} % of the requests of fifteen minutes got 429.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${MIN_REQUESTS}, FILL(limited, 0) / requests, 0)`,
        label: 'share of requests with 429',
        usingMetrics: {
          limited: counted('LimitedRequests', limited).metric({ statistic: 'Sum', period }),
          requests: stage.metricCount({ statistic: 'Sum', period }),
        },
        period,
      }),
      threshold: LIMITED_SHARE,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      topic,
    });
  }
}
