/** Names of the operational metrics: what functions report and what alarms and dashboards watch. */
export const METRIC_NAMESPACE = 'PortCongestion';

/** Value of the `service` dimension, on every metric and log line of a stage. */
export const serviceOf = (stage: string): string => `port-congestion-${stage}`;

/** Dimension with the source, on the metrics that are counted by source. */
export const SOURCE_DIMENSION = 'source';

export const METRICS = {
  /** By source, count: a fetch was taken and freshness moved. */
  successfulFetch: 'SuccessfulFetches',
  /** By source, count: the upstream did not answer, or its whole reply was refused. */
  failedFetch: 'FailedFetches',
  /** By source, minutes from the last fetch that was taken to the end of a pass: what freshness budgets are about. */
  fetchAge: 'FetchAge',
  /** By source, minutes from the newest data held to the end of a pass. */
  sourceAge: 'SourceAge',
  /** By source, count of observations stored. */
  observationsTaken: 'ObservationsTaken',
  /** By source, count of records left out. */
  observationsRefused: 'ObservationsRefused',
  /** By source, count of place names that the source's table lacks; published by passes that meet one. */
  unknownPlaces: 'UnknownPlaces',
  /** By source, count of calls whose stated ATA or ATD a later record changed; published by passes that meet one. */
  callsContradicted: 'CallsContradicted',
  /** By source, count of calls that a complete list no longer has; published by passes that meet one. */
  callsWithdrawn: 'CallsWithdrawn',
  /** Count: a request was served without the limiter's table, under the cap of the instance. */
  limiterFailure: 'LimiterFailures',
  /** Count: a request was answered 429. */
  rateLimited: 'RateLimited',
  /** Count: the key table was made equal to the gateway's keys. */
  keyReconciliation: 'KeyReconciliations',
  /** Count: a gateway key was ignored because its value is no digest. */
  handMadeKey: 'HandMadeKeys',
} as const;
