/** Logs a pass and its refusals, and publishes the metrics that the alarms and the dashboard of its source use. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Notice } from '../calls/observation.ts';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION } from '../contracts/telemetry.ts';
import { type Instant, MINUTE_MS } from '../reference/time.ts';
import type { PassOutcome } from './pass.ts';

type Unit = (typeof MetricUnit)[keyof typeof MetricUnit];

/** Refusals, and notices, that are logged for one pass, so that one bad reply does not flood the log. */
const REFUSALS_LOGGED = 20;

const NOTICE_METRICS = {
  'unknown-place': METRICS.unknownPlaces,
  'contradicted-call': METRICS.callsContradicted,
  'withdrawn-call': METRICS.callsWithdrawn,
} as const satisfies Record<Notice['reason'], string>;

export function createPassRecorder(): (outcome: PassOutcome, nowAt: Instant) => void {
  const logger = new Logger();
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE });
  return ({ status, refusals, notices, ...outcome }, nowAt) => {
    const { source, state, changedRecords, reason } = outcome;
    if (state === 'failed') logger.warn('pass', { ...outcome, refused: refusals.length });
    else logger.info('pass', { ...outcome, refused: refusals.length });
    for (const refusal of refusals.slice(0, REFUSALS_LOGGED)) logger.warn('refused', { source, ...refusal });
    for (const notice of notices.slice(0, REFUSALS_LOGGED)) logger.info('notice', { source, ...notice });

    const publish = (name: string, unit: Unit, value: number): void => {
      const metric = metrics.singleMetric();
      metric.addDimension(SOURCE_DIMENSION, source);
      metric.addMetric(name, unit, value);
    };
    const count = (name: string, value: number): void => publish(name, MetricUnit.Count, value);
    const age = (name: string, sinceAt: Instant): void =>
      publish(name, MetricUnit.NoUnit, (nowAt - sinceAt) / MINUTE_MS);
    // A partition of a back-fill has no status of the source, and fetches nothing from the upstream.
    if (state === 'ok' && status !== undefined) count(METRICS.successfulFetch, 1);
    if (state === 'failed') count(METRICS.failedFetch, 1);
    count(METRICS.observationsTaken, changedRecords);
    count(METRICS.observationsRefused, refusals.length + (reason === undefined ? 0 : 1));
    for (const [reason, name] of Object.entries(NOTICE_METRICS)) {
      const noticed = notices.filter((notice) => notice.reason === reason).length;
      if (noticed > 0) count(name, noticed);
    }
    if (status?.lastFetchAt !== undefined) age(METRICS.fetchAge, status.lastFetchAt);
    if (status?.asOfAt !== undefined) age(METRICS.sourceAge, status.asOfAt);
  };
}
