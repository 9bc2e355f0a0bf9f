/** What functions log and measure; `lambdas/log.ts` writes it. */

export type Fields = Readonly<Record<string, unknown>>;

/** Writes one line. Values of a field may be errors; empty ones are left out. */
type WriteLine = (message: string, fields?: Fields) => void;

export interface Log {
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  /** Publishes one value of a metric, with the dimension `service` and further ones. */
  metric(
    name: string,
    value: number,
    unit?: 'Count' | 'None',
    dimensions?: Readonly<Record<string, string>>,
  ): void;
}

/** Names of the operational metrics that functions report and that alarms and dashboards watch. */
export const METRIC_NAMESPACE = 'PortCongestion';

/** Value of the `service` dimension, on every metric and log line of a stage. */
export const serviceName = (stage: string): string => `port-congestion-${stage}`;

/** Dimension with the source, on the metrics by source. */
export const SOURCE_DIMENSION = 'source';

/** Each metric costs by the month, for each source, so figures that no alarm needs are in log lines instead. */
export const METRICS = {
  /** By source, minutes since its last good fetch, or since it was first watched; compared with the freshness budget. */
  fetchAge: 'FetchAge',
  /** Sources for a daily reminder: without a good fetch for another whole day. */
  longOutages: 'LongOutages',
  /** Sources whose newest reply was refused or held. */
  doubts: 'DoubtedSources',
  /** Count: a request was served without the limiter's table, under the cap of the instance. */
  limiterFailure: 'LimiterFailures',
  /** Count: a request got a 429. */
  rateLimited: 'RateLimited',
  /** Count: a gateway key was ignored because its value cannot belong to a secret. */
  unusableKey: 'UnusableKeys',
  /** Count: an enabled key keeps for now a plan that the gateway no longer has for it. */
  heldLoss: 'HeldKeyLosses',
} as const;
