/** Names of the operational metrics that functions report and that alarms and dashboards watch. */
export const METRIC_NAMESPACE = 'PortCongestion';

/** Value of the `service` dimension, on every metric and log line of a stage. */
export const serviceOf = (stage: string): string => `port-congestion-${stage}`;

/** Dimension with the source, on the metrics by source. */
export const SOURCE_DIMENSION = 'source';

/** Each costs by the month, and by source where it has one: what no alarm needs is in log lines, not here. */
export const METRICS = {
  /** By source, minutes since its last good fetch, or since it was first watched: what freshness budgets are about. */
  fetchAge: 'FetchAge',
  /** Count: a request was served without the limiter's table, under the cap of the instance. */
  limiterFailure: 'LimiterFailures',
  /** Count: a request was answered 429. */
  rateLimited: 'RateLimited',
  /** Count: a gateway key was ignored because its value is no digest. */
  handMadeKey: 'HandMadeKeys',
} as const;
