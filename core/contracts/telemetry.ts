/** Names of the operational metrics that functions report and that alarms and dashboards watch. */
export const METRIC_NAMESPACE = 'PortCongestion';

/** Value of the `service` dimension, on every metric and log line of a stage. */
export const serviceOf = (stage: string): string => `port-congestion-${stage}`;

/** Dimension with the source, on the metrics that are counted by source. */
export const SOURCE_DIMENSION = 'source';

export const METRICS = {
  /** By source, count: a fetch was accepted, which updates the freshness. */
  successfulFetch: 'SuccessfulFetches',
  /** By source, count: the upstream did not respond, or its whole reply was refused. */
  failedFetch: 'FailedFetches',
  /** By source, minutes from the last accepted fetch to the end of a pass: what freshness budgets limit. */
  fetchAge: 'FetchAge',
  /** By source, minutes from the newest stored data to the end of a pass. */
  sourceAge: 'SourceAge',
  /** By source, count of observations stored. */
  observationsTaken: 'ObservationsTaken',
  /** By source, count of records left out. */
  observationsRefused: 'ObservationsRefused',
  /** By source, count of place names that the source's table lacks; published by passes that meet one. */
  unknownPlaces: 'UnknownPlaces',
  /** By source, count of calls whose stated ATA or ATD a later record changed; published by passes that meet one. */
  callsContradicted: 'CallsContradicted',
  /** By source, count of calls that are missing from a complete list; published by passes that meet one. */
  callsWithdrawn: 'CallsWithdrawn',
  /** Count: a request was served without the limiter's table, under the cap of the instance. */
  limiterFailure: 'LimiterFailures',
  /** Count: a request got a 429. */
  rateLimited: 'RateLimited',
  /** Count: the key table was made equal to the gateway's keys. */
  keyReconciliation: 'KeyReconciliations',
  /** Count: a gateway key was ignored because its value is not a digest. */
  handMadeKey: 'HandMadeKeys',
} as const;
