/** The metrics that the service's own functions publish, on one stage. */
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION, serviceName } from '../../core/contracts/telemetry.ts';
import type { StageName } from '../stage-config.ts';

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
