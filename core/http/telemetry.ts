/** The log line and the metrics of a request. They never contain a secret or a header value. */
import type { Log } from '../contracts/log.ts';
import { METRICS } from '../contracts/telemetry.ts';
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

export function createTelemetry(log: Log) {
  return {
    request({ cause, ...record }: RequestRecord): void {
      const line = { ...record, durationMs: Math.round(record.durationMs * 10) / 10 };
      if (record.status >= 500) log.error('request', { ...line, error: cause });
      else log.info('request', line);
      if (record.status === 429) log.metric(METRICS.rateLimited, 1);
    },
    limiterFailure(kind: LimiterFailure, cause?: unknown): void {
      log.warn('the limiter decided without its table', { kind, error: cause });
      log.metric(METRICS.limiterFailure, 1);
    },
  };
}
