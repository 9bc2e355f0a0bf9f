/** The log line and the metrics of a request. They never contain a secret or a header value. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { METRIC_NAMESPACE, METRICS } from '../contracts/telemetry.ts';
import type { LimiterFailure } from '../limits/rate-limit.ts';

export interface RequestRecord {
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  /** First characters of the key's digest; absent without an accepted key. */
  readonly key?: string;
  readonly code?: string;
  /** The failure behind a 5xx, only for the log. */
  readonly cause?: unknown;
}

export type Telemetry = ReturnType<typeof createTelemetry>;

/** Telemetry by Powertools: JSON log lines and embedded metrics, under the service name of the environment. */
export function createTelemetry() {
  const logger = new Logger();
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE });
  return {
    request({ cause, ...record }: RequestRecord): void {
      const line = { ...record, durationMs: Math.round(record.durationMs * 10) / 10 };
      if (record.status >= 500) logger.error('request', { ...line, error: cause as Error });
      else logger.info('request', line);
      if (record.status === 429) metrics.addMetric(METRICS.rateLimited, MetricUnit.Count, 1);
      // Powertools warns about an empty publication, which almost every request would cause.
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
    limiterFailure(kind: LimiterFailure, cause?: unknown): void {
      logger.warn('the limiter decided without its table', { kind, error: cause as Error });
      metrics.addMetric(METRICS.limiterFailure, MetricUnit.Count, 1);
    },
  };
}
